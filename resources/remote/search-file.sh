# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# The function `work` of lease.sh, which stands behind it: searches a file from its end. $1 path, $2 F or E, $3 pattern,
# $4 the same with colours between its letters (of F), $5 i or nothing, $6 bytes, $7 hits. Prints "@rw-hits OFFSET" before
# the hits of a piece ("OFFSET:LINE", counted from there), "@rw-searched BYTES TOTAL" behind them, and at the end
# "@rw-end all", "@rw-end hits" or "@rw-end bytes". Pieces are cut at line ends. Status 2: no regular expression, 5: the
# file cannot be read.
#
# bash 4.0 and newer, GNU grep, stat, head, tail, tr, cut, wc. Nothing is substituted.

export LC_ALL=C
piece_bytes=33554432
work() {
  local file=$1 mode=$2 pattern=$3 coloured_pattern=$4 fold=$5 most_bytes=$6 most_hits=$7
  local size end begin skipped output hits=0 searched=0
  : | grep -a "-$mode" -e "$pattern" 2>&1 >&2 || [ $? -lt 2 ] || exit 2
  if [ ! -r "$file" ] || ! size=$(stat -L -c %s -- "$file"); then exit 5; fi
  if [ "$mode" = F ] && { head -c 65536 -- "$file"; tail -c 65536 -- "$file"; } | grep -q -F "$(printf '\033[')"; then
    mode=E pattern=$coloured_pattern
  fi
  end=$size
  while [ "$end" -gt 0 ]; do
    if [ $searched -ge "$most_bytes" ]; then
      echo "@rw-end bytes"
      exit 0
    fi
    begin=$((end - piece_bytes))
    if [ $begin -gt 0 ]; then
      skipped=$(tail -c +$begin -- "$file" | head -c 65536 | tr '\r' '\n' | head -n 1 | wc -c)
      if [ $((begin - 1 + skipped)) -lt "$end" ]; then begin=$((begin - 1 + skipped)); fi
    else
      begin=0
    fi
    output=$(tail -c +$((begin + 1)) -- "$file" | head -c $((end - begin)) | tr '\r\0' '\n ' |
      grep -a -b "-$mode$fold" -m $((most_hits - hits)) -e "$pattern" | cut -b1-1000)
    if [ "$output" ]; then
      printf '@rw-hits %d\n%s\n' $begin "$output"
      hits=$((hits + $(printf '%s\n' "$output" | wc -l)))
    fi
    searched=$((searched + end - begin)) end=$begin
    printf '@rw-searched %d %d\n' $searched "$size" || exit 0
    if [ $hits -ge "$most_hits" ]; then
      echo "@rw-end hits"
      exit 0
    fi
  done
  echo "@rw-end all"
}
