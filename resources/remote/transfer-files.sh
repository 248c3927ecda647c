# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Files both ways, one step a call: $1 the step, $2 the folder (empty or relative: from home), then what the step takes.
# Paths among the arguments are written for printf %b; those on standard input end with NUL, as answers do.
#   list LEVELS MOST    real path of the folder or "missing"; facts, path, link's target of each entry; "end"
#   ask                 reads paths; mode in hexadecimal, size, time and path of those that exist; "end"
#   sum                 reads paths; SHA-256 of each that can be read, as sha256sum -z writes it
#   take-tar NAME       unpacks a stream into the hidden folder NAME; SHA-256 of each file; nothing is put into place
#   place-tree NAME     moves what is there into place, each file by one rename, a new folder as a whole; all or nothing
#   part FILE BYTES     size of a hidden file and the SHA-256 of its first BYTES; "0 -": it is not there
#   take-file PART FROM SIZE   writes what it reads behind the first FROM bytes; SHA-256 of the whole; keeps what arrived
#   place-file PART FILE MODE TIME   by one rename
#   drop NAME           throws a hidden file or folder away
#   give-tar            reads paths; these files and links as one tar stream
#   give-file FILE FROM        the file from a byte on
#
# Any POSIX shell, tar, GNU coreutils and find; openssl where it is. Nothing is substituted.

LC_ALL=C; export LC_ALL
path() { # $1 into $path
    path=$(printf '%bx' "$1"); path=${path%x}
}
hidden() { # only what we made may be thrown away or written to
    path "$1"
    case ${path##*/} in .rankwright-part-*) ;; *) echo "$path: not a file of a transfer" >&2; exit 2 ;; esac
    if [ -L "$path" ]; then echo "$path is a link" >&2; exit 2; fi
}
sum() { # SHA-256 of what is read: OpenSSL's is several times as fast where it works
    case $(printf '' | openssl dgst -sha256 -r 2>/dev/null) in
    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855*) openssl dgst -sha256 -r ;;
    *) sha256sum ;;
    esac
}
undo() { # of place-tree: new folders and files go, what was there comes back
    cd -- "$part" || return
    # shellcheck disable=SC2016
    xargs -0 -r sh -c 'root=$1; shift
        for folder do mv -T -- "$root/$folder" "$folder"; done' sh "$root" < "$old/folders"
    # shellcheck disable=SC2016
    xargs -0 -r sh -c 'root=$1 old=$2; shift 2; for file do
        if [ -e "$file" ] || [ -L "$file" ]; then continue; fi # it never went
        if [ -e "$old/$file" ] || [ -L "$old/$file" ]
        then mv -fT -- "$old/$file" "$root/$file"; else rm -f -- "$root/$file"; fi
    done' sh "$root" "$old/tree" < "$old/all"
    cd -- "$root" && rm -rf -- "$part" "$old"
}
step=$1
path "$2"; root=$path
# shellcheck disable=SC2088
case $root in '~') root=$HOME ;; '~/'*) root=$HOME/${root#'~/'} ;; /*) ;; *) root=$HOME/$root ;; esac
case $step in take-*) mkdir -p -- "$root" || exit 5 ;; esac
if ! cd -P -- "$root" 2>/dev/null; then
    if [ -e "$root" ]; then echo "$root: not a folder that may be entered" >&2; exit 1; fi
    case $step in
    list) printf 'missing\0'; exit 0 ;;
    ask) printf 'end\0'; exit 0 ;;
    part) echo '0 -'; exit 0 ;;
    esac
    echo "$root: there is no such folder" >&2; exit 1
fi
root=$(pwd -P)
case $step in
list)
    printf '%s\0' "$root"
    if [ "$3" -gt 0 ]; then set -- -maxdepth "$3" "$4"; else set -- -maxdepth 1000 "$4"; fi
    find . -mindepth 1 "$1" "$2" -printf '%y %s %T@ %m\0%P\0%l\0' 2>/dev/null | head -z -n "$((($3 + 1) * 3))"
    printf 'end\0' ;;
ask)
    xargs -0 -r stat --printf '%f %s %Y\0%n\0' -- 2>/dev/null
    printf 'end\0' ;;
sum)
    xargs -0 -r sha256sum -z -- 2>/dev/null
    exit 0 ;;
take-tar)
    find . -maxdepth 1 -name '.rankwright-part-*' -mtime +7 -exec rm -rf {} +
    hidden "$3"
    rm -rf -- "$path"; mkdir -m 700 -- "$path" && cd -- "$path" || exit 5
    if ! tar -xpof -; then cd ..; rm -rf -- "$path"; exit 5; fi
    find . -type f -printf '%P\0' | xargs -0 -r sha256sum -z -- ;;
place-tree)
    hidden "$3"; part=$root/$path old=$root/$path-old
    rm -rf -- "$old"; mkdir -m 700 -- "$old" "$old/tree" && cd -- "$part" || exit 1
    find . ! -type d -print0 > "$old/all" && : > "$old/folders" || exit 5
    trap 'undo; exit 1' HUP INT TERM
    # What is there, as links where the file system has them; shellcheck does not see into the small shells.
    # shellcheck disable=SC2016
    if ! (cd -- "$root" && xargs -0 -r sh -c 'find "$@" -maxdepth 0 ! -type d -print0 2>/dev/null; :' sh < "$old/all" \
        | xargs -0 -r sh -c 'old=$1; shift
            cp -Pl --parents -t "$old" -- "$@" 2>/dev/null || cp -Ppf --parents -t "$old" -- "$@"' sh "$old/tree"); then
        rm -rf -- "$old"; echo "what is there could not be set aside: nothing was changed" >&2; exit 1
    fi
    # shellcheck disable=SC2016
    find . -mindepth 1 -type d -exec sh -c 'root=$1 old=$2; shift 2; for folder do
        [ -d "$folder" ] || continue
        [ -e "$root/$folder" ] || [ -L "$root/$folder" ] \
            || { mv -T -- "$folder" "$root/$folder" && printf "%s\0" "$folder" >> "$old/folders"; }
    done' sh "$root" "$old" {} + 2>/dev/null
    # shellcheck disable=SC2016
    find . -type d -exec sh -c 'root=$1; shift; for folder do
        find "$folder" -mindepth 1 -maxdepth 1 ! -type d -print0 | xargs -0 -r mv -f -t "$root/$folder" --
    done' sh "$root" {} +
    left=$(find . ! -type d | head -c 2000)
    if [ -n "$left" ]; then
        undo; echo "could not be put into place, so nothing was changed: $left" >&2; exit 1
    fi
    cd -- "$root" && rm -rf -- "$part" "$old" ;;
part)
    path "$3"
    if [ ! -f "$path" ] || [ -L "$path" ]; then echo '0 -'; exit 0; fi
    sum=$(dd if="$path" bs=131072 count="$4" iflag=count_bytes status=none | sum) || exit 1
    echo "$(stat -c %s -- "$path") ${sum%% *}" ;;
take-file)
    umask 077
    hidden "$3"
    case $path in */*) mkdir -p -- "${path%/*}" || exit 5 ;; esac
    : >> "$path" && truncate -s "$4" -- "$path" || exit 5
    sum=$({ head -c "$4" -- "$path"; tee -a --output-error=exit -- "$path"; } | sum)
    have=$(stat -c %s -- "$path")
    if [ "$have" != "$5" ]; then echo "$have of $5 bytes are there" >&2; exit 5; fi
    echo "${sum%% *}" ;;
place-file)
    hidden "$3"; part=$path
    path "$4"
    chmod "$5" -- "$part" && touch -d "@$6" -- "$part" && mv -f -T -- "$part" "$path" ;;
drop)
    hidden "$3"; rm -rf -- "$path" ;;
give-tar)
    tar --null --verbatim-files-from --no-recursion --format=gnu --hard-dereference -cf - -T - ;;
give-file)
    path "$3"
    if [ ! -f "$path" ]; then echo "$path: there is no such file" >&2; exit 1; fi
    exec dd if="$path" bs=131072 skip="$4" iflag=skip_bytes status=none ;; # tail reads 8 KiB at a time
*) echo "unknown step $step" >&2; exit 2 ;;
esac
