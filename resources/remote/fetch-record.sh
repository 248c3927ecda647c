# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2015
#
# Parts of a job's record. $1 the job's folder (empty: home), $2 job, $3 most bytes, $4 record-spans.awk; the spans come on
# standard input. Prints "@rwz none" where there is no record, else what the awk program prints.
#
# Any POSIX shell, awk. Nothing is substituted.

cd -- "${1:-$HOME}/.rankwright/$2" 2>/dev/null && set -- "$3" "$4" *.rws && [ -r "$3" ] || { echo '@rwz none'; exit 0; }
l=$1 p=$2
shift 2
exec awk -v limit="$l" "$p" - "$@"
