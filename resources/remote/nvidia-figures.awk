# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Condenses `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`; its MiB are 2^20 bytes. The reasons are bits
# (NVML's nvmlClocksThrottleReasons): 0x4 power cap, 0x8 hardware slowdown, 0x20 and 0x40 heat, 0x80 power brake;
# idle, a clock that was asked for and sync boost slow nothing down against anybody's will.
#
# Prints lines "D" and records, "U" and UUIDs, or "H" and why there are none. Variables: pc "INDEX=PROCESSES ...", th 1
# when the query's last field is the throttle reasons. Any awk (mawk, gawk, busybox). Nothing is substituted.

function num(x) { return (x ~ /^[0-9]+([.][0-9]+)?$/) ? x : "" }
function mib(x) { return num(x) == "" ? "" : sprintf("%.0f", x * 1048576) }
function hex(x, at) { return index("0123456789abcdef", tolower(substr(x, length(x) - at, 1))) - 1 }
function why(x, low, high, t) {
  if (x !~ /^0x[0-9a-fA-F][0-9a-fA-F]+$/) return ""
  low = hex(x, 0); high = hex(x, 1)
  t = (int(low / 4) % 2 ? "p" : "") (int(high / 2) % 2 || int(high / 4) % 2 ? "t" : "") (int(low / 8) % 2 || int(high / 8) % 2 ? "h" : "")
  return t == "" ? "-" : t
}
BEGIN { FS = ", "; k = split(pc, a, " "); for (i = 1; i <= k; i++) { split(a[i], b, "="); np[b[1]] = b[2] } }
{ sub(/\r$/, "") }
NF >= 10 + th && $1 ~ /^[0-9]+$/ {
  z = NF - th
  w = num($(z - 3)); if (w + 0 == 0) w = ""
  k = num($(z - 2)); if (k + 0 == 0) k = ""
  d = $1 ";" num($(z - 6)) ";" mib($(z - 5)) ";" mib($(z - 4)) ";" w ";" k ";" num($(z - 1)) ";;" num($z) ";" (th ? why($NF) : "") ";" np[$1] ";"
  u = u " " $1 "=" $2
  l = l (l == "" ? "D" : "|") d
  if (++r % 12 == 0) { print l; l = "" }
  next
}
/[^ \t]/ { x = $0 }
END { if (l != "") print l; if (r) print "U" u; else print "H" (x == "" ? "the tool printed nothing" : x) }
