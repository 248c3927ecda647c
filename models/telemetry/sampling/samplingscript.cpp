// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/sampling/samplingscript.h"

#include "models/core/hostlist.h"
#include "models/core/shellquote.h"
#include "models/telemetry/sampling/telemetryfeed.h"

namespace rankwright::samplingscript {

using namespace Qt::StringLiterals;

/// Condenses `rocm-smi ... --csv` (ROCm 3.9 to 7.0): every tick has its own header, whose order may change. Power is
/// told on one die of an MI250X package only; the other one has a cap of 0 or says so in words.
const QString& amdFilter()
{
    static const QString text = uR"AWK(
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
)AWK"_s;
    return text;
}

/// Condenses `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`; its MiB are 2^20 bytes. The reasons are bits
/// (NVML's nvmlClocksThrottleReasons): 0x4 power cap, 0x8 hardware slowdown, 0x20 and 0x40 heat, 0x80 power brake;
/// idle, a clock that was asked for and sync boost slow nothing down against anybody's will.
const QString& nvidiaFilter()
{
    static const QString text = uR"AWK(
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
)AWK"_s;
    return text;
}

/// What tells the figures. amdgpu's files cost a thousandth of a rocm-smi (a Python program), but show all GPUs of the
/// node: those count whose render node this step may open, or which Slurm gave it where no control group hides any.
/// They are numbered as rocm-smi does, by their PCI addresses. Partitioned GPUs and unreadable files are left to the
/// tool.
const QString& toolPart()
{
    static const QString text = uR"SH(
export LC_ALL=C PYTHONIOENCODING=utf-8
v=$1 iv=$2 af=$3 nf=$4 job=${SLURM_JOB_ID:-$5} re=${6:-3000} R=$RANKWRIGHT_SYSROOT lf='
'
n=${SLURMD_NODENAME:-$HOSTNAME}
declare -A gid uid use held
now() { if [ "$EPOCHREALTIME" ]; then ms=${EPOCHREALTIME/[.,]/}; ms=${ms%???}; else ms=$(date +%s%3N); fi; }
rd() { X=; read -r X <"$1"; } 2>/dev/null
digits() { case $X in ''|*[!0-9]*) X=;; esac; }
may() { true <"$R/dev/dri/$1"; } 2>/dev/null
seek() {
  t=$(type -P "$1") && return 0
  local c; t=
  for c in "${@:2}"; do [ -x "$c" ] && t=$c; done
  [ "$t" ]
}
kfd() {
  local d x y m l b list= i=0
  for d in "$R"/sys/class/kfd/kfd/topology/nodes/*; do
    rd "$d/gpu_id"; digits; [ "${X:-0}" -gt 0 ] || continue
    m= l=0 b=0
    while read -r x y; do case $x in drm_render_minor) m=$y;; location_id) l=$y;; domain) b=$y;; esac; done <"$d/properties"
    may "renderD$m" && printf -v list '%s%010d %010d %s\n' "$list" "$b" "$l" "$X"
  done 2>/dev/null
  while read -r x y d; do [ "$d" ] && gid[$d]=$((i++)); done < <(printf '%s' "$list" | sort)
}
files() {
  local c r x y b list= all=0 at=() kept=0
  for c in "$R"/sys/class/drm/card*; do
    [[ $c =~ /card[0-9]+$ ]] || continue
    c+=/device; rd "$c/vendor"; [ "$X" = 0x1002 ] || continue
    r=; for x in "$c"/drm/renderD*; do [ -e "$x" ] && r=${x##*/renderD}; done
    [ "$r" ] || continue
    b=; while IFS='=' read -r x y; do [ "$x" = PCI_SLOT_NAME ] && b=$y; done <"$c/uevent"
    at[r]="$b $c"
  done 2>/dev/null
  for r in "${!at[@]}"; do
    all=$((all + 1))
    if may "renderD$r"; then list+=${at[r]}$lf; kept=$((kept + 1)); else unset "at[$r]"; fi
  done
  x=${SLURM_STEP_GPUS:-$SLURM_JOB_GPUS}
  if [ "$kept" = "$all" ] && [[ $x =~ ^[0-9]+(,[0-9]+)*$ ]]; then
    b=("${at[@]}") list= kept=0
    for r in ${x//,/ }; do [ "${b[r]}" ] && list+=${b[r]}$lf && kept=$((kept + 1)); done
    gid=()
  fi
  [ "$kept" -gt 0 ] && { [ ${#gid[@]} = 0 ] || [ ${#gid[@]} = "$kept" ]; } || return 1
  while read -r b c; do
    [ -r "$c/gpu_busy_percent" ] && [ -r "$c/mem_info_vram_used" ] || return 1
    rd "$c/mem_info_vram_total"; digits; total+=("$X")
    dir+=("$c"); for x in "$c"/hwmon/hwmon*; do r=$x; done
    hw+=("$r"); y=$r/power1_average; [ -e "$y" ] || y=$r/power1_input
    pw+=("$y"); y=$r/temp1_input; [ -e "$y" ] || y=$r/temp2_input
    te+=("$y"); rd "$r/power1_cap"; digits; cap+=("${X:+$((X / 1000000))}")
  done < <(printf '%s' "$list" | sort)
  t=files
}
amd() { files || { dir=(); seek rocm-smi /opt/rocm-*/bin/rocm-smi /opt/rocm-default/bin/rocm-smi /opt/rocm/bin/rocm-smi; }; }
nvidia() { seek nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi /opt/bin/nvidia-smi; }
choose() {
  kfd
  if [ "$v" = amd ]; then amd || { nvidia && v=nvidia; }; else nvidia && v=nvidia || { amd && v=amd; }; fi
}
readfiles() {
  local i u m w k e f s l=
  o=
  for i in "${!dir[@]}"; do
    rd "${dir[i]}/gpu_busy_percent"; digits; u=$X
    rd "${dir[i]}/mem_info_vram_used"; digits; m=$X
    rd "${pw[i]}"; digits; w=; [ "${X:-0}" -gt 0 ] && printf -v w '%d.%d' $((X / 1000000)) $((X / 100000 % 10)) && told=1
    k=${cap[i]} s=; [ "$k" = 0 ] && k=
    [ "$w$k" ] || [ -z "$told" ] || s=s
    rd "${te[i]}"; digits; e=${X:+$(((X + 500) / 1000))}
    rd "${hw[i]}/freq1_input"; digits; f=${X:+$((X / 1000000))}
    l+="${l:+|}$i;$u;$m;${total[i]};$w;$k;$e;$s;$f;;${use[$i]};"
    if [ $((i % 12)) = 11 ]; then o+=D$l$lf l=; fi
  done
  [ -z "$l" ] || o+=D$l
}
ask() {
  local pc= i
  for i in "${!use[@]}"; do pc+="$i=${use[$i]} "; done
  if [ -z "$t" ]; then
    echo 'Hneither amdgpu files nor rocm-smi nor nvidia-smi were found on this node (/sys/class/drm, PATH, /opt/rocm*/bin)'; return
  elif [ "$v" = nvidia ]; then
    set -- "$nf" $((${#why} > 0)) --query-gpu=index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,clocks.sm"${why:+,$why}" --format=csv,noheader,nounits
  else
    set -- "$af" 0 --showuse --showmeminfo vram --showpower --showmaxpower --showtemp $clocks --csv
  fi
  timeout --foreground -k 1 4 "$t" "${@:3}" 2>&1 | awk -v pc="$pc" -v th="$2" "$1"
  case ${PIPESTATUS[0]} in 124|137) echo "H$t did not answer within 4 s";; esac
}
)SH"_s;
    return text;
}

} // namespace rankwright::samplingscript

namespace rankwright {

using namespace Qt::StringLiterals;

QStringList nodeSampler(GpuVendor vendor, int intervalMs, int ranksEveryMs, const QString& job)
{
    using namespace samplingscript;
    return {toolPart() + rankPart() + loopPart(), vendor == GpuVendor::Nvidia ? u"nvidia"_s : u"amd"_s,
        QString::number(qMax(100, intervalMs)), amdFilter(), nvidiaFilter(), job,
        QString::number(qMax(1000, ranksEveryMs))};
}

QString samplingCommand(const TelemetryFeed::Target& target)
{
    const QStringList sampler = nodeSampler(target.vendor, target.intervalMs, target.ranksEveryMs, target.job);
    const QStringList alone
        = QStringList{u"bash"_s, u"-c"_s, sampler.first(), u"rankwright"_s} + sampler.mid(1); // on the node itself
    const qsizetype nodes = target.nodes.size();
    if (target.way == SamplingWay::Here)
        return shellQuote(alone);
    // One node is one step either way; without a node list the step takes the allocation's shape.
    if (target.way == SamplingWay::Step && (target.oneStepForAllNodes || nodes <= 1)) {
        QStringList words{u"srun"_s, u"--overlap"_s, u"--jobid="_s + target.job};
        if (nodes > 0)
            words += {u"--nodes=%1"_s.arg(nodes), u"--ntasks=%1"_s.arg(nodes)};
        if (target.part)
            words += u"--nodelist="_s + foldHostlist(target.nodes);
        words += {u"--ntasks-per-node=1"_s, u"--kill-on-bad-exit=0"_s};
        return shellQuote(words + alone);
    }
    QStringList words{u"bash"_s, u"-c"_s, samplingscript::fanScript(), u"rankwright"_s,
        target.way == SamplingWay::Ssh ? u"ssh"_s : u"step"_s, target.job};
    // ssh hands one text to the node's login shell: there the sampler's words are quoted once more
    words += target.way == SamplingWay::Ssh ? QStringList{shellQuote(alone), {}, {}, {}, {}, {}, {}} : sampler;
    return shellQuote(words + target.nodes);
}

} // namespace rankwright

namespace rankwright::samplingscript {

using namespace Qt::StringLiterals;

/// One step per node where an overlapping step over several nodes is not possible (LUMI user guide, issue 223), or one
/// ssh per node. All are fed from our one stdin, so that its end reaches each. Ends when none is left, at end of file,
/// or after 10 s without a heartbeat; one that hangs on (a node died) is ended after 3 s.
const QString& fanScript()
{
    static const QString text = uR"SH(
kind=$1 j=$2 s=$3; a=("${@:4:6}"); shift 9; fd=() pid=()
step() {
  local g; for g in "${fd[@]}"; do eval "exec $g>&-"; done
  if [ "$kind" = ssh ]; then
    exec ssh -xT -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=2 "$1" "env SLURMD_NODENAME=$1 $s"
  fi
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
    return text;
}

} // namespace rankwright::samplingscript
