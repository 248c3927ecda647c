# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Condenses `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`; its MiB are 2^20 bytes. The reasons are bits
# (NVML's nvmlClocksThrottleReasons): 0x4 power cap, 0x8 hardware slowdown, 0x20 and 0x40 heat, 0x80 power brake;
# idle, a clock that was asked for and sync boost slow nothing down against anybody's will.
#
# Prints lines "figures RECORD|RECORD...", ten records a line, "uuids INDEX=UUID ..." and "errors INDEX=ERRORS ...", or
# "trouble REASON" where there are not figures. Variables: process_counts "INDEX=PROCESSES ...", error_counts "INDEX=ERRORS
# ..." and activities "INDEX=MEMORY;COMPUTE;OCCUPANCY;TENSOR; ..." as last known, throttle 1 when the query's last field is
# the throttle reasons, errors 1 when the field before them is the errors that could not be corrected. Any awk (mawk, gawk,
# busybox). Nothing is substituted.

function number(text) { return (text ~ /^[0-9]+([.][0-9]+)?$/) ? text : "" }
function bytes(mib) { return number(mib) == "" ? "" : sprintf("%.0f", mib * 1048576) }
function hex_digit(text, from_end) {
  return index("0123456789abcdef", tolower(substr(text, length(text) - from_end, 1))) - 1
}
function bit(digit, value) { return int(digit / value) % 2 }
function throttle_reasons(text, low, high, reasons) {
  if (text !~ /^0x[0-9a-fA-F][0-9a-fA-F]+$/) return ""
  low = hex_digit(text, 0)
  high = hex_digit(text, 1)
  reasons = (bit(low, 4) ? "p" : "") (bit(high, 2) || bit(high, 4) ? "t" : "") (bit(low, 8) || bit(high, 8) ? "h" : "")
  return reasons == "" ? "-" : reasons
}
BEGIN {
  FS = ", "
  pairs = split(process_counts, pair, " ")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], part, "=")
    processes[part[1]] = part[2]
  }
  pairs = split(error_counts, pair, " ")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], part, "=")
    known_errors[part[1]] = part[2]
  }
  pairs = split(activities, pair, " ")
  for (i = 1; i <= pairs; i++) {
    split(pair[i], part, "=")
    activity[part[1]] = part[2]
  }
}
{ sub(/\r$/, "") }
NF >= 10 + throttle + errors && $1 ~ /^[0-9]+$/ { # a name may hold the separator: counted from the end
  clock = NF - throttle - errors
  if (errors) {
    known_errors[$1] = number($(clock + 1))
    counted = counted " " $1 "=" known_errors[$1]
  }
  power = number($(clock - 3))
  if (power + 0 == 0) power = ""
  cap = number($(clock - 2))
  if (cap + 0 == 0) cap = ""
  record = $1 ";" number($(clock - 6)) ";" bytes($(clock - 5)) ";" bytes($(clock - 4)) ";" power ";" cap ";" \
    number($(clock - 1)) ";;" number($clock) ";" (throttle ? throttle_reasons($NF) : "") ";" processes[$1] ";" \
    known_errors[$1] ";" activity[$1]
  uuids = uuids " " $1 "=" $2
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
  if (records) print "uuids" uuids
  if (counted != "") print "errors" counted
  if (! records) print "trouble " (last_words == "" ? "the tool printed nothing" : last_words)
}
