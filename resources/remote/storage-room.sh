# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Where one may keep files, and how much room is left. Arguments in pairs: name, path (empty ones are left out, and what is
# no folder); then the places that the account's variables name. Prints five fields for each, ended by NUL: name, real
# path, free KiB of the file system, what knows of a quota, its line of figures.
#
# Any POSIX shell, GNU stat, df; lfs and quota where they are. Nothing is substituted.

LC_ALL=C; export LC_ALL
seen=:
room() {
    [ -n "$2" ] && [ -d "$2" ] || return 0
    real=$(cd -P -- "$2" 2>/dev/null && pwd -P) || return 0
    case $seen in *":$real:"*) return 0 ;; esac
    seen=$seen$real:
    free=$(df -Pk -- "$real" 2>/dev/null | awk 'END { if (NR > 1) print $(NF - 2) }')
    source=''; line=''
    case $(stat -f -c %T -- "$real" 2>/dev/null) in
    lustre)
        source='lfs quota'
        project=$(lfs project -d -- "$real" 2>/dev/null | awk '{ print $1; exit }')
        if [ "${project:-0}" -gt 0 ] 2>/dev/null; then line=$(timeout 10 lfs quota -q -p "$project" "$real" 2>/dev/null); fi
        [ -n "$line" ] || line=$(timeout 10 lfs quota -q -u "$(id -un)" "$real" 2>/dev/null) ;;
    *)
        if command -v quota > /dev/null 2>&1; then
            source=quota
            mount=$(df -P -- "$real" 2>/dev/null | awk 'END { print $1 }')
            line=$(timeout 10 quota -wp 2>/dev/null | awk -v mount="$mount" '$1 == mount { print; exit }')
        fi ;;
    esac
    printf '%s\0%s\0%s\0%s\0%s\0' "$1" "$real" "$free" "$source" "$line"
}
while [ $# -ge 2 ]; do room "$1" "$2"; shift 2; done
room home "$HOME"
room scratch "${SCRATCH-}"
room scratch "${SCRATCHDIR-}"
room work "${WORK-}"
room project "${PROJECT-}"
room project "${PROJECTDIR-}"
room flash "${FLASH-}"
