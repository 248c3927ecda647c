# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Parts of a job's record. $1 the job's folder (empty: home), $2 job, $3 most bytes, $4 record-spans.awk; the spans come on
# standard input. Prints "@rw-end none" where there is no record, else what the awk program prints.
#
# Any POSIX shell, awk. Nothing is substituted.

limit=$3 program=$4
if cd -- "${1:-$HOME}/.rankwright/$2" 2>/dev/null; then set -- *.rws; else set --; fi
if [ ! -r "$1" ]; then
  echo '@rw-end none'
  exit 0
fi
exec awk -v limit="$limit" "$program" - "$@"
