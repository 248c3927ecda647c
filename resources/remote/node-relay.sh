# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# One connection from a node to a port of that node ($1), for nodes without Python: standard input and output are its
# two directions, behind a line that says that it was opened. bash 4.1 and newer with /dev/tcp, cat. Bash cannot end one
# direction alone: a service that waits for the end of what it is sent goes on waiting. Exit status 7: not opened.
# Nothing is substituted.

opened=
for place in 127.0.0.1 ::1 "$(hostname)"; do
    if { exec 3<>"/dev/tcp/$place/$1"; } 2>/dev/null; then
        opened=1
        break
    fi
done
if [ -z "$opened" ]; then
    echo "nothing listens on port $1" >&2
    exit 7
fi
printf '\n%s\n' 'RANKWRIGHT-RELAY open'
exec 4<&0
cat <&4 >&3 4<&- &
writer=$!
cat <&3
kill "$writer" 2>/dev/null
exit 0
