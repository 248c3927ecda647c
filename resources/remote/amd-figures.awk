# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Condenses `rocm-smi ... --csv` (ROCm 3.9 to 7.0): every tick has its own header, whose order may change. Power is
# reported on one die of an MI250X package only; the other one has a cap of 0 or says so in words.
#
# Prints lines "figures RECORD|RECORD...", ten records a line, or "trouble REASON" where there are none.
# Variables: process_counts "INDEX=PROCESSES ...", error_counts "INDEX=ERRORS ...". Any awk (mawk, gawk,
# busybox). Nothing is substituted.

function cell(name) { return (name in column) ? $(column[name]) : "" }
function number(text) { return (text ~ /^[0-9]+([.][0-9]+)?$/) ? text : "" }
BEGIN {
  FS = ","
  pairs = split(process_counts, pair, " ")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], part, "=")
    processes[part[1]] = part[2]
  }
  pairs = split(error_counts, pair, " ")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], part, "=")
    errors_of[part[1]] = part[2]
  }
}
{ sub(/\r$/, "") }
/^device,/ {
  split("", column) # empties it
  for (i = 2; i <= NF; i++) {
    if ($i == "GPU use (%)") column["use"] = i
    else if ($i == "GPU memory use (%)" || $i == "GPU Memory Read/Write Activity (%)") column["traffic"] = i
    else if ($i == "VRAM Total Used Memory (B)") column["memory"] = i
    else if ($i == "VRAM Total Memory (B)") column["total"] = i
    else if ($i == "Max Graphics Package Power (W)") column["cap"] = i
    else if ($i ~ /Graphics Package Power [(]W[)]$/) column["power"] = i
    else if ($i == "Temperature (Sensor edge) (C)") column["edge"] = i
    else if ($i == "Temperature (Sensor junction) (C)") column["junction"] = i
    else if ($i ~ /^sclk clock speed/) column["clock"] = i
  }
  next
}
/^card[0-9]+,/ {
  power = cell("power")
  second_die = (power ~ /econdary/)
  power = number(power)
  if (power + 0 == 0) power = ""
  cap = number(cell("cap"))
  if (cap != "" && cap + 0 == 0) {
    cap = ""
    second_die = 1
  }
  temperature = number(cell("edge"))
  if (temperature == "") temperature = number(cell("junction"))
  clock = cell("clock")
  gsub(/[(]|Mhz[)]$/, "", clock)
  gpu = substr($1, 5)
  record = gpu ";" number(cell("use")) ";" number(cell("memory")) ";" number(cell("total")) ";" power ";" cap ";" \
    temperature ";" ((second_die && power == "") ? "s" : "") ";" number(clock) ";;" processes[gpu] ";"
  traffic = number(cell("traffic"))
  if (errors_of[gpu] != "" || traffic != "") record = record errors_of[gpu] ";"
  if (traffic != "") record = record traffic ";"
  line = line (line == "" ? "figures " : "|") record
  if (++records % 10 == 0) {
    print line
    line = ""
  }
  next
}
/[^ \t]/ { last_words = $0 }
END {
  if (line != "") print line
  if (! records) print "trouble " (last_words == "" ? "the tool printed nothing" : last_words)
}
