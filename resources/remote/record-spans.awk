# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads spans ("NODE FROM TO" or "* FROM TO", milliseconds) from standard input, then every record file (.rws) once. Prints
# the lines of a record around wanted moments: whatever lies between two full readings ("=TIME") is kept until it is known
# whether a wanted moment is among it. At the end "@rw-reach NODE TIME", how far each record reaches, and "@rw-end done"
# or "@rw-end limit". Records of earlier releases begin with "@rws" in place of "@rw-start" and end
# with "@rwe" in place of "@rw-full". Variable: limit, most bytes. Any awk (mawk, gawk, busybox). Nothing is substituted.

function flush(  i) {
  if (lines && is_wanted) {
    if (sent + size > limit) {
      is_over = 1
      exit
    }
    if (shown_head != head) {
      print head
      shown_head = head
    }
    for (i = 1; i <= lines; i++) print line[i]
    sent += size
  }
  lines = size = is_wanted = 0
}
function print_reach() {
  if (time) printf "@rw-reach %s %.0f\n", node, time
  time = 0
}
function is_in_span(of, moment,  i) {
  for (i = 1; i <= spans[of]; i++) if (moment >= from[of, i] && moment < to[of, i]) return 1
  return 0
}
FNR == NR {
  spans[$1]++
  from[$1, spans[$1]] = $2
  to[$1, spans[$1]] = $3
  next
}
/^(@rw-start|@rws) / {
  flush()
  if (node != $3) print_reach()
  head = $0
  node = $3
  is_synced = 0
  next
}
/^(@rw-full|@rwe) / || NF < 2 || head == "" { next }
{
  if (substr($2, 1, 1) == "=") {
    flush()
    time = substr($2, 2) + 0
    is_synced = 1
  } else if (! is_synced) next
  else time += $2
  line[++lines] = $0
  size += length($0) + 1
  if (! is_wanted && (is_in_span("*", time) || is_in_span(node, time))) is_wanted = 1
}
END {
  if (! is_over) flush()
  print_reach()
  print "@rw-end", is_over ? "limit" : "done"
}
