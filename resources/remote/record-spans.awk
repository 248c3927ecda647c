# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads spans ("NODE FROM TO" or "* FROM TO", milliseconds) from standard input, then every record file (.rws) once. Prints
# the lines of a record around wanted moments: whatever lies between two full readings ("=TIME") is kept until it is known
# whether a wanted moment is among it. At the end "@rwl NODE TIME", how far each record reaches, and "@rwz done" or
# "@rwz limit". Variable: limit, most bytes. Any awk (mawk, gawk, busybox). Nothing is substituted.

function flush(  i) {
  if (lines && hit) {
    if (sent + size > limit) { over = 1; exit }
    if (shown != head) { print head; shown = head }
    for (i = 1; i <= lines; i++) print line[i]
    sent += size
  }
  lines = size = hit = 0
}
function reach() { if (t) printf "@rwl %s %.0f\n", node, t; t = 0 }
function wanted(t,  i) {
  for (i = 1; i <= n["*"]; i++) if (t >= from["*", i] && t < to["*", i]) return 1
  for (i = 1; i <= n[node]; i++) if (t >= from[node, i] && t < to[node, i]) return 1
  return 0
}
FNR == NR { n[$1]++; from[$1, n[$1]] = $2; to[$1, n[$1]] = $3; next }
/^@rws / { flush(); if (node != $3) reach(); head = $0; node = $3; synced = 0; next }
/^@rwe / || NF < 2 || head == "" { next }
{
  if (substr($2, 1, 1) == "=") { flush(); t = substr($2, 2) + 0; synced = 1 }
  else if (!synced) next
  else t += $2
  line[++lines] = $0; size += length($0) + 1
  if (!hit && wanted(t)) hit = 1
}
END { if (!over) flush(); reach(); print "@rwz", over ? "limit" : "done" }
