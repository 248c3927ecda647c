// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/remote/remotelease.h"

namespace rankwright {

using namespace Qt::StringLiterals;

QString leasedScript(const QString& functions)
{
    return u"\nexport LC_ALL=C\n"_s + functions + uR"SH(set -m
work "$@" </dev/null & p=$!
left=20
while :; do
  read -r -t 0.5 x; r=$?
  if [ $r = 0 ]; then left=20; [ "$x" = end ] && kill -USR1 $p
  elif [ $r -gt 128 ]; then left=$((left - 1)); [ $left -gt 0 ] || break
  else break; fi
  kill -0 $p || { wait $p; exit $?; }
done 2>/dev/null
exec 2>/dev/null
kill -- -$p
exit 0
)SH"_s;
}

} // namespace rankwright
