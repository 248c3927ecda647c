# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Reads "SIZE PATH" lines; of those that exist below the folder $1 (empty: home) it prints kind, time, size, SHA-256 when
# the size is the one named, path.
#
# Any POSIX shell, GNU stat, sha256sum. Nothing is substituted.

cd -- "${1:-$HOME}" 2>/dev/null || exit 0
while read -r want path; do
    if [ -d "$path" ]; then echo "d 0 0 - $path"; continue; fi
    [ -e "$path" ] || continue
    size=$(stat -Lc %s -- "$path") || exit 1
    sum=-
    if [ "$size" = "$want" ]; then sum=$(sha256sum < "$path") || exit 1; fi
    echo "f $(stat -Lc %Y -- "$path") $size ${sum%% *} $path"
done
