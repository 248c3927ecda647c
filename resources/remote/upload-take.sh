# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Unpacks a tar stream into a folder of its own, counts, moves into place. Whatever ends it early takes that folder away;
# one that a killed shell has left is taken away a day later. $1 folder (empty: home), $2 files, $3 bytes.
#
# Any POSIX shell, tar, GNU find and stat, awk. Nothing is substituted.

set -e
mkdir -p -- "${1:-$HOME}"; cd -- "${1:-$HOME}"
find . -maxdepth 1 -name '.rankwright-upload-*' -mtime +1 -exec rm -rf {} +
part=$PWD/.rankwright-upload-$$; mkdir -m 700 "$part"
trap 'cd /; rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
cd "$part"
tar -xof -
have=$(find . -type f -exec stat -c %s {} + | awk '{ n++; s += $1 } END { printf "%d %.0f", n, s }')
if [ "$have" != "$2 $3" ]; then
    echo "the upload is not complete: $have files and bytes instead of $2 $3" >&2; exit 1
fi
find . -mindepth 1 -type d -exec sh -c 'for d do
    [ -d "../$d" ] || mkdir -m "$(stat -c %a "$d")" "../$d" || exit 1
done' sh {} +
find . -type f -exec sh -c 'for f do mv -f "$f" "../$f" || exit 1; done' sh {} +
