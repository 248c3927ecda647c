# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Unpacks a tar stream into a folder of its own, counts, moves into place: all or nothing. What was there is kept until
# the last file is in place, and put back when one cannot be. Whatever ends it early takes its folder away; one that a
# killed shell has left is taken away a day later. $1 folder (empty: home), $2 files, $3 bytes. No name has a line break.
#
# Any POSIX shell, tar, GNU find, coreutils and awk. Nothing is substituted.

set -e
mkdir -p -- "${1:-$HOME}"; cd -- "${1:-$HOME}"
find . -maxdepth 1 -name '.rankwright-upload-*' -mtime +1 -exec rm -rf {} +
part=$PWD/.rankwright-upload-$$; mkdir -m 700 "$part"
placing=
undo() { # old: what was there; made, folders: what was not
    cd "$part/old" || return
    while IFS= read -r file; do rm -f -- "../../$file"; done < ../made
    find . ! -type d -exec sh -c 'for file do
        [ "$file" -ef "../../$file" ] || mv -fT -- "$file" "../../$file"
    done' sh {} +
    LC_ALL=C sort -r ../folders | while IFS= read -r folder; do rmdir -- "../../$folder"; done
}
trap '[ -z "$placing" ] || undo || :; cd /; rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
cd "$part"
mkdir new old; : > made; : > folders
cd new
tar -xof -
have=$(find . -type f -exec stat -c %s {} + | awk '{ count++; bytes += $1 } END { printf "%d %.0f", count, bytes }')
if [ "$have" != "$2 $3" ]; then
    echo "the upload is not complete: $have files and bytes instead of $2 $3" >&2; exit 1
fi
placing=1
find . -mindepth 1 -type d -exec sh -c 'for folder do
    mkdir -p "../old/$folder"
    [ ! -d "../../$folder" ] || continue
    printf "%s\n" "$folder" >> ../folders
    mkdir -m "$(stat -c %a "$folder")" "../../$folder" || {
        echo "${folder#./} cannot be made: nothing was copied" >&2
        exit 1
    }
done' sh {} +
find . -type f -exec sh -c 'for file do
    if [ -e "../../$file" ] || [ -L "../../$file" ]; then
        ln -- "../../$file" "../old/$file" 2>/dev/null || cp -pP -- "../../$file" "../old/$file" || exit 1
    else
        printf "%s\n" "$file" >> ../made
    fi
    mv -fT -- "$file" "../../$file" || { echo "${file#./} cannot be put into place: nothing was copied" >&2; exit 1; }
done' sh {} +
placing=
