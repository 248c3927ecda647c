# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# The function `work` of lease.sh, which stands behind it: follows files. $1 bytes before the end, $2 most files, $3
# number of files; then PATH OFFSET for each, then globs. One stat for all files in each round; only of those that grew a
# piece is read, at most 1 MiB in turn. A piece has exactly as many bytes as its head says: a file that shrinks meanwhile
# is filled up with zero bytes, and reported again in the next round. Prints (docs/telemetry.md):
#
#     @rw-following                                it has begun
#     @rw-file PATH                                a glob has found a file; its number is the next one
#     @rw-bytes NUMBER OFFSET COUNT SIZE           COUNT bytes of that file follow
#     @rw-unreadable NUMBER                        it may not be read
#
# bash 4.0 and newer, GNU stat, head, tail, sleep of fractions. Nothing is substituted.

export LC_ALL=C
largest_piece=1048576
farthest_behind=33554432 # a file that grows faster than it is sent is read near its end again
declare -A number_of=() # path -> number
paths=() offsets=() inodes=() file_count=0 # by number; an offset of -1: not begun, -2: may not be read

add_file() { # PATH OFFSET
  paths[file_count]=$1 offsets[file_count]=$2 inodes[file_count]=''
  number_of[$1]=$file_count
  file_count=$((file_count + 1))
}

find_files() {
  local glob path
  for glob in "${globs[@]}"; do
    while IFS= read -r path; do
      if [ -n "${number_of[$path]}" ] || [ ! -f "$path" ] || [ "$file_count" -ge "$most_files" ]; then continue; fi
      add_file "$path" -1
      printf '@rw-file %s\n' "$path"
    done < <(compgen -G "$glob")
  done
}

send_piece() { # NUMBER SIZE
  local number=$1 size=$2 length
  if [ "${offsets[number]}" -lt 0 ]; then
    offsets[number]=0
    if [ "$size" -gt "$tail_bytes" ]; then offsets[number]=$((size - tail_bytes)); fi
    printf '@rw-bytes %d %d 0 %d\n' "$number" "${offsets[number]}" "$size"
  fi
  if [ "$size" -lt "${offsets[number]}" ]; then
    offsets[number]=0
    printf '@rw-bytes %d 0 0 %d\n' "$number" "$size"
  fi
  length=$((size - offsets[number]))
  [ $length -gt 0 ] || return 0
  if [ $length -gt $farthest_behind ]; then
    offsets[number]=$((size - tail_bytes)) length=$tail_bytes
  fi
  if [ "$length" -gt $largest_piece ]; then length=$largest_piece has_more=1; fi
  printf '@rw-bytes %d %d %d %d\n' "$number" "${offsets[number]}" "$length" "$size" || exit 0
  {
    tail -c +$((offsets[number] + 1)) -- "${paths[number]}" 2>/dev/null | head -c "$length"
    head -c "$length" /dev/zero
  } | head -c "$length" || exit 0
  offsets[number]=$((offsets[number] + length)) was_busy=1
}

send_new_bytes() { # one piece of each file that grew
  local size inode path number
  while IFS=' ' read -r size inode path; do
    number=${number_of[$path]}
    [ -n "$number" ] || continue
    if [ -n "${inodes[number]}" ] && [ "${inodes[number]}" != "$inode" ]; then
      offsets[number]=0
      printf '@rw-bytes %d 0 0 %d\n' "$number" "$size"
    fi
    inodes[number]=$inode was_seen=1
    if [ -r "$path" ]; then
      send_piece "$number" "$size"
    elif [ "${offsets[number]}" = -1 ]; then
      offsets[number]=-2
      printf '@rw-unreadable %d\n' "$number"
    fi
  done < <(stat -L -c '%s %i %n' -- "${paths[@]}" 2>/dev/null)
}

work() {
  local given=$3 ending='' quiet_rounds=0 rounds=0 was_seen='' has_more was_busy
  tail_bytes=$1 most_files=$2
  shift 3
  trap 'ending=asked' USR1
  while [ "$given" -gt 0 ]; do
    add_file "$1" "$2"
    shift 2
    given=$((given - 1))
  done
  globs=("$@")
  echo @rw-following
  while kill -0 $$ 2>/dev/null; do
    if [ $((rounds % 8)) = 0 ] && [ $# -gt 0 ]; then find_files; fi
    rounds=$((rounds + 1)) has_more='' was_busy=''
    if [ "$file_count" -gt 0 ]; then send_new_bytes; fi
    if [ "$has_more" ]; then continue; fi
    if [ "$ending" = waited ]; then
      if [ "$was_seen" ]; then exit 0; fi
      exit 4
    elif [ "$ending" ]; then
      ending=waited # a network file system shows the rest a little later
      sleep 0.7
      if [ $# -gt 0 ]; then find_files; fi
      continue
    fi
    if [ "$was_busy" ]; then quiet_rounds=0; else quiet_rounds=$((quiet_rounds + 1)); fi
    if [ $quiet_rounds -lt 30 ]; then sleep 0.25; else sleep 0.5; fi
  done
}
