# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Condenses `rocm-smi ... --csv` (ROCm 3.9 to 7.0): every tick has its own header, whose order may change. Power is
# reported on one die of an MI250X package only; the other one has a cap of 0 or says so in words.
#
# Prints lines "D" and records, or "H" and why there are none. Variables: pc "INDEX=PROCESSES ...". Any awk (mawk,
# gawk, busybox). Nothing is substituted.

function cell(k) { return (k in c) ? $(c[k]) : "" }
function num(x) { return (x ~ /^[0-9]+([.][0-9]+)?$/) ? x : "" }
BEGIN { FS = ","; k = split(pc, a, " "); for (i = 1; i <= k; i++) { split(a[i], b, "="); np[b[1]] = b[2] } }
{ sub(/\r$/, "") }
/^device,/ {
  split("", c)
  for (i = 2; i <= NF; i++) {
    if ($i == "GPU use (%)") c["u"] = i
    else if ($i == "VRAM Total Used Memory (B)") c["m"] = i
    else if ($i == "VRAM Total Memory (B)") c["t"] = i
    else if ($i == "Max Graphics Package Power (W)") c["k"] = i
    else if ($i ~ /Graphics Package Power [(]W[)]$/) c["p"] = i
    else if ($i == "Temperature (Sensor edge) (C)") c["e"] = i
    else if ($i == "Temperature (Sensor junction) (C)") c["j"] = i
    else if ($i ~ /^sclk clock speed/) c["s"] = i
  }
  next
}
/^card[0-9]+,/ {
  w = cell("p"); s = (w ~ /econdary/); w = num(w); if (w + 0 == 0) w = ""
  k = num(cell("k")); if (k != "" && k + 0 == 0) { k = ""; s = 1 }
  e = num(cell("e")); if (e == "") e = num(cell("j"))
  f = cell("s"); gsub(/[(]|Mhz[)]$/, "", f)
  g = substr($1, 5)
  d = g ";" num(cell("u")) ";" num(cell("m")) ";" num(cell("t")) ";" w ";" k ";" e ";" ((s && w == "") ? "s" : "") ";" num(f) ";;" np[g] ";"
  l = l (l == "" ? "D" : "|") d
  if (++r % 12 == 0) { print l; l = "" }
  next
}
/[^ \t]/ { x = $0 }
END { if (l != "") print l; if (! r) print "H" (x == "" ? "the tool printed nothing" : x) }
