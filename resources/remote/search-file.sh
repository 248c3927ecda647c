# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2086
#
# The function `work` of lease.sh, which stands behind it: searches a file from its end. $1 path, $2 F or E, $3 pattern,
# $4 the same with colours between its letters (of F), $5 i or nothing, $6 bytes, $7 hits. Prints "@rwb OFFSET" before the
# hits of a piece ("OFFSET:LINE", counted from there), "@rwp SEARCHED TOTAL" behind them, and at the end "@rwd all",
# "@rwd hits" or "@rwd bytes". Pieces are cut at line ends. Status 2: no regular expression, 5: the file cannot be read.
#
# bash 4.0 and newer, GNU grep, stat, head, tail, tr, cut, wc. Nothing is substituted.

export LC_ALL=C
work() {
  local f=$1 m=$2 p=$3 alt=$4 fold=$5 budget=$6 most=$7 size end begin skip out hits=0 searched=0
  : | grep -a -$m -e "$p" 2>&1 >&2 || [ $? -lt 2 ] || exit 2
  [ -r "$f" ] && size=$(stat -L -c %s -- "$f") || exit 5
  if [ "$m" = F ] && { head -c 65536 -- "$f"; tail -c 65536 -- "$f"; } | grep -q -F "$(printf '\033[')"; then m=E p=$alt; fi
  end=$size
  while [ $end -gt 0 ]; do
    [ $searched -lt $budget ] || { echo "@rwd bytes"; exit 0; }
    begin=$((end - 33554432)); [ $begin -lt 0 ] && begin=0
    if [ $begin -gt 0 ]; then
      skip=$(tail -c +$begin -- "$f" | head -c 65536 | tr '\r' '\n' | head -n 1 | wc -c)
      [ $((begin - 1 + skip)) -lt $end ] && begin=$((begin - 1 + skip))
    fi
    out=$(tail -c +$((begin + 1)) -- "$f" | head -c $((end - begin)) | tr '\r\0' '\n ' |
      grep -a -b -$m$fold -m $((most - hits)) -e "$p" | cut -b1-1000)
    if [ "$out" ]; then
      printf '@rwb %d\n%s\n' $begin "$out"
      hits=$((hits + $(printf '%s\n' "$out" | wc -l)))
    fi
    searched=$((searched + end - begin)) end=$begin
    printf '@rwp %d %d\n' $searched $size || exit 0
    [ $hits -lt $most ] || { echo "@rwd hits"; exit 0; }
  done
  echo "@rwd all"
}
