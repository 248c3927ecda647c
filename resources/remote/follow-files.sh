# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC1007,SC2015,SC2086,SC2185
#
# The function `work` of lease.sh, which stands behind it: follows files. $1 bytes before the end, $2 most files, $3
# number of files; then PATH OFFSET for each, then globs. One stat for all files in each round; only of those that grew a
# piece is read, at most 1 MiB in turn. A piece has exactly as many bytes as its head says: a file that shrinks meanwhile
# is filled up with zero bytes, and reported anew in the next round.
#
# bash 4.0 and newer, GNU stat, head, tail, sleep of fractions. Nothing is substituted.

export LC_ALL=C
declare -A at
f=() o=() i=() n=0
known() { f[n]=$1 o[n]=$2 i[n]=; at[$1]=$n; n=$((n + 1)); }
find() {
  local g p
  for g in "${globs[@]}"; do
    while IFS= read -r p; do
      [ -n "${at[$p]}" ] && continue
      [ -f "$p" ] && [ $n -lt $most ] || continue
      known "$p" -1; printf '@rwn %s\n' "$p"
    done < <(compgen -G "$g")
  done
}
piece() {
  local k=$1 s=$2 c
  [ ${o[k]} -lt 0 ] && { o[k]=0; [ $s -gt $last ] && o[k]=$((s - last)); printf '@rwf %d %d 0 %d\n' $k ${o[k]} $s; }
  [ $s -lt ${o[k]} ] && { o[k]=0; printf '@rwf %d 0 0 %d\n' $k $s; }
  c=$((s - o[k]))
  [ $c -gt 0 ] || return 0
  [ $c -gt 33554432 ] && { o[k]=$((s - last)); c=$last; }
  [ $c -gt 1048576 ] && { c=1048576; more=1; }
  printf '@rwf %d %d %d %d\n' $k ${o[k]} $c $s || exit 0
  { tail -c +$((o[k] + 1)) -- "${f[k]}" 2>/dev/null | head -c $c; head -c $c /dev/zero; } | head -c $c || exit 0
  o[k]=$((o[k] + c)) busy=1
}
round() {
  local s j p k
  while IFS=' ' read -r s j p; do
    k=${at[$p]}
    [ -n "$k" ] || continue
    [ -n "${i[k]}" ] && [ "${i[k]}" != $j ] && o[k]=0 && printf '@rwf %d 0 0 %d\n' $k $s
    i[k]=$j seen=1
    if [ -r "$p" ]; then piece $k $s; else [ "${o[k]}" = -1 ] && { o[k]=-2; printf '@rwe %d\n' $k; }; fi
  done < <(stat -L -c '%s %i %n' -- "${f[@]}" 2>/dev/null)
}
work() {
  last=$1 most=$2; local count=$3 e= quiet=0 turn=0 seen= more busy; shift 3
  trap 'e=1' USR1
  while [ $count -gt 0 ]; do known "$1" "$2"; shift 2; count=$((count - 1)); done
  globs=("$@")
  echo @rwl
  while kill -0 $$ 2>/dev/null; do
    [ $((turn % 8)) = 0 ] && [ $# -gt 0 ] && find
    turn=$((turn + 1)) more= busy=
    [ $n -gt 0 ] && round
    [ "$more" ] && continue
    if [ "$e" ]; then
      [ "$e" = 2 ] && { [ "$seen" ] && exit 0; exit 4; }
      e=2; sleep 0.7; [ $# -gt 0 ] && find; continue
    fi
    if [ "$busy" ]; then quiet=0; else quiet=$((quiet + 1)); fi
    if [ $quiet -lt 30 ]; then sleep 0.25; else sleep 0.5; fi
  done
}
