# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Runs the function `work` (follow-files.sh, search-file.sh), which reads no input, in a process group of its own. The
# shell in front of it only waits for lines on its stdin: end of file, or 10 s of silence, end both, even when the worker is
# stuck in a full pipe. The line "end" sends the worker SIGUSR1. Ends with the worker's status.
#
# bash 4.0 and newer. Nothing is substituted.

set -m
work "$@" </dev/null & worker=$!
left=20
while :; do
  read -r -t 0.5 word
  status=$?
  if [ $status = 0 ]; then
    left=20
    if [ "$word" = end ]; then kill -USR1 $worker; fi
  elif [ $status -gt 128 ]; then
    left=$((left - 1))
    [ $left -gt 0 ] || break
  else
    break
  fi
  kill -0 $worker || { wait $worker; exit $?; }
done 2>/dev/null
exec 2>/dev/null
kill -- -$worker
exit 0
