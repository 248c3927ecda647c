# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# The records below a job's folder ($1; empty: home), a line for each job: "@rw-record JOB FILES BYTES NEWEST" (seconds since
# 1970).
#
# Any POSIX shell, cat, wc, sort, tail, GNU stat. Nothing is substituted.

cd -- "${1:-$HOME}" || exit
shift
for folder in .rankwright/*/; do
  folder=${folder%/}
  set -- "$folder"/*.rws
  [ -f "$1" ] || continue
  printf '@rw-record %s %s %s %s\n' "${folder##*/}" $# "$(cat "$@" | wc -c)" "$(stat -c %Y "$@" | sort -n | tail -n 1)"
done
