# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Reads "SIZE PATH" lines; of those that exist below the folder $1 (empty: home) it prints kind, time, size, SHA-256 when
# the size is the one named, path. A path is all behind the first blank, blanks at its ends included; none has a line break.
#
# Any POSIX shell, GNU stat, sha256sum. Nothing is substituted.

cd -- "${1:-$HOME}" 2>/dev/null || exit 0
while IFS= read -r line; do
    want=${line%% *} path=${line#* }
    if [ -d "./$path" ]; then printf 'd 0 0 - %s\n' "$path"; continue; fi
    [ -e "./$path" ] || continue
    size=$(stat -Lc %s -- "./$path") || exit 1
    sum=-
    if [ "$size" = "$want" ]; then sum=$(sha256sum < "./$path") || exit 1; fi
    printf 'f %s %s %s %s\n' "$(stat -Lc %Y -- "./$path")" "$size" "${sum%% *}" "$path"
done
