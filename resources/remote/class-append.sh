# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Appends the one line of its input to ALIAS.progress in the folder $1 of a class ("~/..." is the home folder's), ALIAS
# being $2: letters and digits that the attendee's program has drawn, not a name. Follows no link, writes into no
# file of others and none above 1 MiB.
#
# Any POSIX shell, GNU stat and dd, od, tail. Nothing is substituted.

LC_ALL=C
export LC_ALL
case $1 in
    [~]) folder=$HOME ;;
    [~]/*) folder=$HOME/${1#??} ;;
    *) folder=$1 ;;
esac
case $2 in
    '' | *[!a-z0-9]*) echo "$2 is not an alias" >&2; exit 2 ;;
esac
cd -- "$folder" 2>/dev/null || { echo "the folder $folder is not there, or closed to you" >&2; exit 3; }
file=./$2.progress
if [ -e "$file" ] || [ -L "$file" ]; then
    kind=$(stat -c '%F:%u:%h' -- "$file") || exit 1
    case $kind in
        "regular file:$(id -u):1" | "regular empty file:$(id -u):1") ;;
        *) echo "$folder/$2.progress is not a plain file of yours" >&2; exit 4 ;;
    esac
    [ "$(stat -c %s -- "$file")" -lt 1048576 ] || { echo "$folder/$2.progress is full" >&2; exit 5; }
fi
umask 022
append() { exec dd of="$file" oflag=append,nofollow conv=notrunc bs=4096 count=1 iflag=fullblock status=none; }
# A line that a full disk has cut is ended first, so that this one is not lost with it.
if [ -s "$file" ] && [ "$(tail -c 1 -- "$file" | od -An -tx1 | tr -d ' ')" != 0a ]; then
    { echo; cat; } | append
else
    append
fi
