// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/shellquote.h"
#include "models/telemetry/telemetryfeed.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// What runs on the cluster, piece by piece; docs/telemetry.md explains it. No piece writes a file.

/// Condenses `rocm-smi ... --csv` (ROCm 3.9 to 7.0): every tick has its own header, whose order may change. Power is
/// told on one die of an MI250X package only; the other one has a cap of 0 or says so in words.
const QString amdFilter = uR"AWK(
function cell(k) { return (k in c) ? $(c[k]) : "" }
function num(x) { return (x ~ /^[0-9]+([.][0-9]+)?$/) ? x : "" }
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
  }
  next
}
/^card[0-9]+,/ {
  w = cell("p"); s = (w ~ /econdary/); w = num(w); if (w + 0 == 0) w = ""
  k = num(cell("k")); if (k != "" && k + 0 == 0) { k = ""; s = 1 }
  e = num(cell("e")); if (e == "") e = num(cell("j"))
  d = substr($1, 5) ";" num(cell("u")) ";" num(cell("m")) ";" num(cell("t")) ";" w ";" k ";" e ";" ((s && w == "") ? "s" : "")
  l = l (l == "" ? "D" : "|") d
  if (++r % 12 == 0) { print l; l = "" }
  next
}
/[^ \t]/ { x = $0 }
END { if (l != "") print l; if (! r) print "H" (x == "" ? "the tool printed nothing" : x) }
)AWK"_s;

/// Condenses `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`; its MiB are 2^20 bytes.
const QString nvidiaFilter = uR"AWK(
function num(x) { return (x ~ /^[0-9]+([.][0-9]+)?$/) ? x : "" }
function mib(x) { return num(x) == "" ? "" : sprintf("%.0f", x * 1048576) }
{ sub(/\r$/, "") }
NF >= 8 && $1 ~ /^[0-9]+$/ {
  w = num($(NF - 2)); if (w + 0 == 0) w = ""
  k = num($(NF - 1)); if (k + 0 == 0) k = ""
  d = $1 ";" num($(NF - 5)) ";" mib($(NF - 4)) ";" mib($(NF - 3)) ";" w ";" k ";" num($NF) ";"
  l = l (l == "" ? "D" : "|") d
  if (++r % 12 == 0) { print l; l = "" }
  next
}
/[^ \t]/ { x = $0 }
END { if (l != "") print l; if (! r) print "H" (x == "" ? "the tool printed nothing" : x) }
)AWK"_s;

/// On every node: $1 vendor, $2 interval in ms, $3 and $4 the filters. The sampler is a process group of its own; in
/// front of it the shell only waits for heartbeats. End of file or 10 s without one end both, even when the sampler is
/// stuck in a hung tool or in a full pipe. Ticks start a quarter second after whole seconds of the node's clock, on all
/// nodes alike: a disturbance that is the same everywhere delays a synchronous training least, and no second is missed.
const QString nodeScript = uR"SH(
export LC_ALL=C PYTHONIOENCODING=utf-8
v=$1 iv=$2 af=$3 nf=$4 lf='
'
n=${SLURMD_NODENAME:-$(hostname)}
now() { if [ "$EPOCHREALTIME" ]; then ms=${EPOCHREALTIME/[.,]/}; ms=${ms%???}; else ms=$(date +%s%3N); fi; }
seek() {
  t=$(type -P "$1") && return 0
  local c; t=
  for c in "${@:2}"; do [ -x "$c" ] && t=$c; done
  [ "$t" ]
}
amd() { seek rocm-smi /opt/rocm-*/bin/rocm-smi /opt/rocm-default/bin/rocm-smi /opt/rocm/bin/rocm-smi; }
nvidia() { seek nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi /opt/bin/nvidia-smi; }
choose() {
  if [ "$v" = nvidia ]; then nvidia || { amd && v=amd; }; else amd || { nvidia && v=nvidia; }; fi
}
ask() {
  if [ -z "$t" ]; then
    echo 'Hneither rocm-smi nor nvidia-smi was found on this node (PATH, /opt/rocm*/bin)'; return
  elif [ "$v" = nvidia ]; then
    set -- ', ' "$nf" --query-gpu=index,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu --format=csv,noheader,nounits
  else
    set -- , "$af" --showuse --showmeminfo vram --showpower --showmaxpower --showtemp --csv
  fi
  timeout --foreground -k 1 4 "$t" "${@:3}" 2>&1 | awk -F"$1" "$2"
  case ${PIPESTATUS[0]} in 124|137) echo "H$t did not answer within 4 s";; esac
}
sample() {
  local o l r d h=0 w
  set -f; IFS=$lf
  while :; do
    o=$(ask); now; d=
    for l in $o; do
      case $l in
        D*) d=1; printf '@rw1 %s %s %s\n' "$n" "$ms" "${l#D}" || exit;;
        H*) r=${l#H};;
      esac
    done
    if [ -z "$d" ] && [ $((ms - h)) -ge 4500 ]; then
      h=$ms; printf '@rwh %s %s %s\n' "$n" "$ms" "${r:0:300}" || exit
    fi
    now
    w=$(((ms - iv / 4) / iv * iv + iv / 4 + iv - ms)); [ "$w" -lt 100 ] && w=100
    printf -v w '%d.%03d' $((w / 1000)) $((w % 1000)); sleep "$w"
  done
}
case $BASH_VERSION in [123].*) now; echo "@rwh $n 0 bash $BASH_VERSION on this node is too old for sampling"; exit 1;; esac
choose
set -m
sample </dev/null & p=$!
while read -r -t 10 x && kill -0 $p; do :; done 2>/dev/null
exec 2>/dev/null
kill -KILL -- -$p
exit 0
)SH"_s;

/// On the login node, where an overlapping step over several nodes is not possible (LUMI user guide, issue 223): one
/// step per node, all fed from our one stdin, so that its end reaches each. $1 job, $2 to $6 the node script and its
/// words, then the nodes. Ends when no step is left, at end of file, or after 10 s without a heartbeat; a srun that
/// hangs on (a node died) is ended after 3 s.
const QString fanScript = uR"SH(
j=$1 s=$2; a=("${@:3:4}"); shift 6; fd=() pid=()
step() {
  local g; for g in "${fd[@]}"; do eval "exec $g>&-"; done
  exec srun --overlap --jobid="$j" --nodes=1 --ntasks=1 --nodelist="$1" --kill-on-bad-exit=0 bash -c "$s" rankwright "${a[@]}"
}
alive() { local p; for p in "${pid[@]}"; do kill -0 "$p" 2>/dev/null && return 0; done; return 1; }
for w in "$@"; do exec {f}> >(step "$w"); pid+=($!); fd+=($f); done
trap '' PIPE
left=10
while alive; do
  read -r -t 1 x; r=$?
  if [ $r = 0 ]; then left=10; for f in "${fd[@]}"; do echo >&"$f"; done
  elif [ $r -gt 128 ]; then left=$((left - 1)); [ $left -gt 0 ] || break
  else break; fi
done 2>/dev/null
for f in "${fd[@]}"; do eval "exec $f>&-"; done
for w in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do alive || break; sleep 0.2; done
exit=0
for p in "${pid[@]}"; do
  if kill -0 "$p" 2>/dev/null; then kill "$p" 2>/dev/null; else wait "$p" 2>/dev/null || exit=$?; fi
done
exit $exit
)SH"_s;

} // namespace

QStringList nodeSampler(GpuVendor vendor, int intervalMs)
{
    return {nodeScript, vendor == GpuVendor::Nvidia ? u"nvidia"_s : u"amd"_s, QString::number(qMax(100, intervalMs)),
        amdFilter, nvidiaFilter};
}

QString samplingCommand(const TelemetryFeed::Target& target)
{
    const QStringList sampler = nodeSampler(target.vendor, target.intervalMs);
    const qsizetype nodes = target.nodes.size();
    // One node is one step either way; without a node list the step takes the allocation's shape.
    if (target.oneStepForAllNodes || nodes <= 1) {
        QStringList words{u"srun"_s, u"--overlap"_s, u"--jobid="_s + target.job};
        if (nodes > 0)
            words += {u"--nodes=%1"_s.arg(nodes), u"--ntasks=%1"_s.arg(nodes)};
        words += {
            u"--ntasks-per-node=1"_s, u"--kill-on-bad-exit=0"_s, u"bash"_s, u"-c"_s, sampler.first(), u"rankwright"_s};
        return shellQuote(words + sampler.mid(1));
    }
    return shellQuote(QStringList{u"bash"_s, u"-c"_s, fanScript, u"rankwright"_s, target.job} + sampler + target.nodes);
}

} // namespace rankwright
