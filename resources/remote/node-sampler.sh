# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC1007,SC2015,SC2086
#
# The sampler of one node, run as `bash -c PROGRAM rankwright VENDOR INTERVAL_MS AMD_FILTER NVIDIA_FILTER [JOB
# [RANKS_EVERY_MS]]`: a line of figures for each interval, ranks and processes now and then (docs/telemetry.md). Writes no
# file. The filters are amd-figures.awk and nvidia-figures.awk. RANKWRIGHT_SYSROOT stands before /sys, /dev and the control
# groups of /proc (tests).
#
# bash 4.1 and newer, awk, grep, sort, timeout, getconf, nproc, sleep; rocm-smi or nvidia-smi only where there are no files
# of amdgpu. Nothing is substituted.

# Where the figures come from. amdgpu's files cost a thousandth of a rocm-smi (a Python program), but show all GPUs of the
# node: those count whose render node this step may open, or which Slurm gave it where no control group hides any.
# They are numbered as rocm-smi does, by their PCI addresses. Partitioned GPUs and unreadable files are left to the
# tool.
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
    rd "${pw[i]}"; digits; w=; [ "${X:-0}" -gt 0 ] && printf -v w '%d.%d' $((X / 1000000)) $((X / 100000 % 10)) && known=1
    k=${cap[i]} s=; [ "$k" = 0 ] && k=
    [ "$w$k" ] || [ -z "$known" ] || s=s
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

# Ranks from /proc, without a fork but where processes are new: their environments are read by one grep. A rank is
# a process of the job with RANK in its environment. Where none has it, a task of a user's step (SLURM_PROCID) of some
# size may be one, and is reported as such (s before its number): no agent, container or profiler, by its words, and none
# whose WORLD_SIZE is not the step's number of tasks, since that one starts the ranks. Such tasks are counted. Launchers
# that hand RANK on are passed over: with torchrun only what its agent started counts, and of processes of one rank that
# descend from each other (wrapper, rank, data-loading workers) the outermost that holds at least a quarter of the
# largest one's memory. Their processor times are added up.
#
# A process counts on a GPU when it is the job's and holds memory there: by kfd's files, else by the tool, which is
# asked beside the samples, so that none is late.
declare -A key st pp ti was rs rk lr ws sp vi el in mine ag
names='RANK|LOCAL_RANK|WORLD_SIZE|TORCHELASTIC_RUN_ID|SLURM_JOB_ID|SLURM_STEP_ID|SLURM_PROCID|SLURM_LOCALID|SLURM_STEP_NUM_TASKS|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES|CUDA_VISIBLE_DEVICES'
# Agents, and what they are started by, have a task's number; their workers, later, have RANK. X is 1: an agent, 2: a
# container's or profiler's own process, empty: neither.
starts_ranks() {
  local word words=
  while IFS= read -r -d '' word && [ ${#words} -lt 4000 ]; do words+=" $word"; done <"$R/proc/$1/cmdline"
  X=
  if [[ "$words " =~ [\ /](torchrun|torch\.distributed\.(run|launch)|accelerate\ launch|accelerate\.commands\.launch|deepspeed|deepspeed\.launcher\.launch)\  ]]; then X=1
  elif [[ $words =~ ^\ ([^\ ]*/)?(srun|starter|[Ss]ingularity|[Aa]pptainer|podman|conmon|enroot|nsys|ncu)(\ |$) ]]; then X=2
  fi
} 2>/dev/null
environs() {
  local x p k jb=() pi=() li=() nt=()
  while IFS= read -r x; do
    p=${x%%/environ:*} p=${p#/proc/} x=${x#*/environ:} k=${x%%=*} x=${x#*=}
    case $k in
      RANK) rk[$p]=$x;; LOCAL_RANK) lr[$p]=$x;; WORLD_SIZE) ws[$p]=$x;; TORCHELASTIC_RUN_ID) el[$p]=1;;
      SLURM_JOB_ID) jb[p]=$x;; SLURM_STEP_ID) sp[$p]=$x;; SLURM_PROCID) pi[p]=$x;; SLURM_LOCALID) li[p]=$x;;
      SLURM_STEP_NUM_TASKS) nt[p]=$x;;
      *) [ "$x" ] && vi[$p]=${x//[;|]/,};;
    esac
  done < <(grep -azHE "^($names)=" "$@" | tr '\n\0' ' \n')
  # Below /job_NUMBER are a job's control groups, from Slurm 26.05 on below its SLUID, which any process names that says
  # its job.
  if [ -z "$own" ] && [ "$job" ]; then
    for p in "${!jb[@]}"; do
      [ "${jb[p]}" = "$job" ] || continue
      while read -r k; do [[ $k =~ /(s[0-9A-Z]{13})/step_ ]] && own=${BASH_REMATCH[1]}; done <"$R/proc/$p/cgroup"
      break
    done
  fi
  for p in "$@"; do
    p=${p#/proc/} p=${p%/environ} x=${jb[p]}
    if [ -z "$x" ] && [ "$job" ]; then
      while read -r k; do
        case $k in *"/job_$job"|*"/job_$job/"*) x=$job;; esac
        [ -z "$own" ] || case $k in *"/$own"|*"/$own/"*) x=$job;; esac
      done <"$R/proc/$p/cgroup"
    fi
    [ "$x" != "$job" ] && [ "$job" ] || in[$p]=1
    if [ -z "${rk[$p]}" ] && [ "${sp[$p]}" ]; then
      starts_ranks "$p"
      [ "$X" ] || [ "${ws[$p]:-${nt[p]}}" = "${nt[p]:-${ws[$p]}}" ] || X=3
      case $X in
        '') rk[$p]=s${pi[p]}; [ "${lr[$p]}" ] || lr[$p]=${li[p]}; [ "${ws[$p]}" ] || ws[$p]=${nt[p]};;
        1|3) ag[$p]=$X.${sp[$p]}.${pi[p]};;
      esac
    fi
    case ${rk[$p]#s} in ''|*[!0-9]*) unset "rk[$p]";; esac
  done
}
processes() {
  local d p s x new=() IFS=' '
  st=() mine=()
  set +f
  for d in /proc/[0-9]*; do
    [ -O "$d" ] && read -r s <"$d/stat" || continue
    p=${d#/proc/} x=${s##*) }
    set -- $x
    st[$p]=$1 pp[$p]=$2 ti[$p]=$((${12} + ${13})) rs[$p]=$((${22} * page))
    if [ "${key[$p]}" != "${20} ${s%") $x"}" ]; then
      key[$p]="${20} ${s%") $x"}"
      unset "rk[$p]" "lr[$p]" "ws[$p]" "sp[$p]" "vi[$p]" "el[$p]" "in[$p]" "ag[$p]"
      new+=("$d/environ")
    fi
  done
  set -f
  [ ${#new[@]} = 0 ] || environs "${new[@]}"
  for p in "${!key[@]}"; do
    if [ -z "${st[$p]}" ]; then
      unset "key[$p]" "pp[$p]" "ti[$p]" "was[$p]" "rs[$p]" "rk[$p]" "lr[$p]" "ws[$p]" "sp[$p]" "vi[$p]" "el[$p]" "in[$p]" "ag[$p]"
    elif [ "${in[$p]}" ] && { [ -z "$SLURM_STEP_ID" ] || [ "${sp[$p]}" != "$SLURM_STEP_ID" ]; }; then
      mine[$p]=1
    fi
  done
}
holding() {
  local p f b i most; declare -A on
  if [ ${#gid[@]} -gt 0 ] && [ -d "$R/sys/class/kfd/kfd/proc" ]; then
    held=() use=(); for i in "${gid[@]}"; do use[$i]=0; done
    set +f
    for p in "${!mine[@]}"; do
      on=() most=0
      for f in "$R/sys/class/kfd/kfd/proc/$p"/vram_*; do
        i=${gid[${f##*_}]}; [ "$i" ] || continue
        rd "$f"; digits; on[$i]=${X:-0}; [ "${X:-0}" -gt "$most" ] && most=$X b=$i
      done
      [ "$most" -gt 0 ] || continue
      held[$p]="$b;$most"
      for i in "${!on[@]}"; do [ $((on[$i] * 50)) -ge "$most" ] && [ "${on[$i]}" -gt 1048576 ] && use[$i]=$((use[$i] + 1)); done
    done
    set -f
  elif [ "$g" ]; then
    apps
  elif [ "$t" ] && [ "$t" != files ] && [ "$((asked += 1))" -ge 3 ]; then
    asked=0 fine=''
    if [ "$v" = nvidia ]; then fine=1; exec {g}< <(timeout --foreground -k 1 4 "$t" --query-compute-apps=gpu_uuid,pid,used_gpu_memory --format=csv,noheader,nounits </dev/null; echo end $?)
    else exec {g}< <(timeout --foreground -k 1 4 "$t" --showpidgpus </dev/null; echo end $?); fi
  fi
}
apps() {
  local x y z i p=
  while read -r -t 0 -u "$g" && IFS=', ' read -r -t 1 -u "$g" x y z; do
    case $x in
      end) eval "exec $g<&-"; g=
        use=()
        if [ "$y" = 0 ] && [ "$fine" ] && [ -z "$lost" ]; then
          for i in "${!seen[@]}"; do use[$i]=0; done
          for i in "${!count[@]}"; do use[$i]=${count[$i]}; done
        fi
        held=(); for p in "${!got[@]}"; do held[$p]=${got[$p]}; done
        count=() got=() peak=() lost='' holder=''; return;;
      =*) case $y$z in *Indexed*) fine=1;; esac;;
      PID) holder=; [ "${mine[$y]}" ] && holder=$y;;
      GPU-*|MIG-*)
        [ "${mine[$y]}" ] || continue
        i=${uid[$x]}; [ "$i" ] || { lost=1; continue; }
        count[$i]=$((${count[$i]:-0} + 1)); X=$z; digits
        [ "${X:-0}" -lt "${peak[$y]:-0}" ] || { peak[$y]=${X:-0}; got[$y]="$i;${X:+$((X * 1048576))}"; };;
      [0-9]*)
        [ "$holder" ] || continue
        for i in $x ${y//,/ } ${z//,/ }; do count[$i]=$((${count[$i]:-0} + 1)); got[$holder]="$i;"; done;;
    esac
  done
}
ranks() {
  local p q r c s h x rec line top size deep found elastic=0 steps=1 out=() dt=$((ms - scanned))
  declare -A group starter
  processes; holding
  for p in "${!mine[@]}"; do
    case ${rk[$p]} in '') ;; s*) ;; *) steps=0;; esac
    [ "${el[$p]}" ] && elastic=1
    case ${ag[$p]} in 1.*) starter[${ag[$p]#?}]=1;; 3.*) [ "${rs[$p]}" -lt 33554432 ] || starter[${ag[$p]#?}]=1;; esac
  done
  for p in "${!mine[@]}"; do
    r=${rk[$p]}; [ "$r" ] || continue
    case $r in s*) [ $steps = 1 ] && [ -z "${starter[.${sp[$p]}.${r#s}]}" ] || continue;; esac
    [ $elastic = 1 ] && [ -z "${el[$p]}" ] && continue
    top=$p q=${pp[$p]}
    while [ "${mine[$q]}" ] && [ "${rk[$q]}" = "$r" ] && { [ $elastic = 0 ] || [ "${el[$q]}" ]; }; do top=$q q=${pp[$q]}; done
    group[$top]+=" $p"
  done
  for top in "${!group[@]}"; do
    size=0 c=0 found= s=
    for p in ${group[$top]}; do
      [ "${rs[$p]}" -gt $size ] && size=${rs[$p]}
      c=$((c + ti[$p] - ${was[$p]:-0}))
    done
    [ $steps = 0 ] || [ $size -ge 33554432 ] || continue
    for p in ${group[$top]}; do
      [ $((rs[$p] * 4)) -ge $size ] || continue
      q=${pp[$p]} h=0; while [ "$q" != "$top" ] && [ "${mine[$q]}" ] && [ $h -lt 99 ]; do q=${pp[$q]} h=$((h + 1)); done
      [ "$p" = "$top" ] && h=-1
      if [ -z "$found" ] || [ $h -lt "$deep" ] || { [ $h = "$deep" ] && [ "${rs[$p]}" -gt "${rs[$found]}" ]; }; then found=$p deep=$h; fi
    done
    [ "$found" ] || continue
    r= q= h=; while IFS=$'\t' read -r x line; do case $x in Cpus_allowed:) q=x$line;; Cpus_allowed_list:) r=$line; break;; esac; done <"/proc/$found/status"
    [ ${#r} -le 100 ] || r=$q
    if [ "$scanned" -gt 0 ] && [ $dt -gt 0 ]; then c=$((c < 0 ? 0 : c * 1000000 / (hz * dt))); printf -v h '%d.%d' $((c / 10)) $((c % 10)); fi
    for p in ${group[$top]}; do [ "${held[$p]}" ] && s=${held[$p]}; done
    [ "${held[$found]}" ] && s=${held[$found]}
    rec="$found;${rk[$found]};${lr[$found]};${ws[$found]};$r;$h;${rs[$found]};${st[$found]};${s:-;};${vi[$found]:0:300};"
    out+=("$rec")
  done
  was=(); for p in "${!mine[@]}"; do was[$p]=${ti[$p]}; done
  scanned=$ms
  x= q=; while read -r r p s; do case $r in MemTotal:) x=$((p * 1024));; MemAvailable:) q=$((p * 1024)); break;; esac; done </proc/meminfo
  h="@rwp $n $ms $cpus;$x;$q;${#out[@]};${#starter[@]};" line=
  for rec in "${out[@]}"; do
    if [ $((${#h} + ${#line} + ${#rec})) -gt 990 ]; then printf '%s%s\n' "$h" "$line" || exit; line=; fi
    line+="|$rec"
  done
  printf '%s%s\n' "$h" "$line" || exit
}

# The loop is a process group of its own; in front of it the shell only waits for heartbeats. End of file or 10 s
# without one end both, even when the loop is stuck in a hung tool or in a full pipe. Ticks start a quarter second
# after whole seconds of the node's clock, on all nodes alike: a disturbance that is the same everywhere delays a
# synchronous training least, and no second is missed.
spent() {
  local s IFS=' '
  read -r s <"/proc/$BASHPID/stat" || return
  set -- ${s##*) }
  s=$(((${12} + ${13} + ${14} + ${15}) * 100 / hz))
  printf '@rwc %s %s %d.%02d;\n' "$n" "$ms" $((s / 100)) $((s % 100)) || exit
}
sample() {
  local o l r d h=0 w x next=0 bill=0
  exec 2>/dev/null
  set -f; IFS=$lf
  while :; do
    if [ "$t" = files ]; then readfiles; else o=$(ask); fi
    now; d= r=
    for l in $o; do
      case $l in
        D*) d=1; printf '@rw1 %s %s %s\n' "$n" "$ms" "${l#D}" || exit;;
        U*) IFS=' '; for x in ${l#U}; do uid[${x#*=}]=${x%%=*} seen[${x%%=*}]=1; done; IFS=$lf;;
        H*) r=${l#H};;
      esac
    done
    if [ -z "$d" ]; then
      case $r in
        *'not a valid field'*) if [ "$why" ]; then why=${other[0]} other=("${other[@]:1}"); continue; fi;;
        *'unrecognized argument'*) if [ "$clocks" ]; then clocks=; continue; fi;;
      esac
      if [ $((ms - h)) -ge 4500 ]; then h=$ms; printf '@rwh %s %s %s\n' "$n" "$ms" "${r:0:300}" || exit; fi
    elif [ "$v" = amd ] && [ ${#seen[@]} = 0 ]; then
      IFS=\|$lf; for l in $o; do l=${l#D}; seen[${l%%;*}]=1; done; IFS=$lf
    fi
    if [ "$ms" -ge $next ]; then next=$((ms + re - 100)); IFS=' '; ranks; IFS=$lf; fi
    if [ "$ms" -ge $bill ]; then [ $bill = 0 ] || spent; bill=$((ms + (bill ? 29900 : 4900))); fi
    now
    w=$(((ms - iv / 4) / iv * iv + iv / 4 + iv - ms)); [ "$w" -lt 100 ] && w=100
    printf -v w '%d.%03d' $((w / 1000)) $((w % 1000))
    if [ "$z" ]; then read -r -t "$w" -u "$z" x; else sleep "$w"; fi
  done
}
case $BASH_VERSION in [123].*|4.0*) now; echo "@rwh $n 0 bash $BASH_VERSION on this node is too old for sampling"; exit 1;; esac
dir=() hw=() pw=() te=() cap=() total=() known= g= z= clocks=--showgpuclocks why=clocks_throttle_reasons.active
other=(clocks_event_reasons.active '') scanned=0 asked=2 lost= holder=
declare -A seen count got peak
own=$SLURM_JOB_SLUID
hz=$(getconf CLK_TCK) page=$(getconf PAGESIZE); hz=${hz:-100} page=${page:-4096}
cpus=${SLURM_JOB_CPUS_PER_NODE%(*}; case $cpus in ''|*[!0-9]*) cpus=$(nproc);; esac
x=$(nproc --all 2>/dev/null); case $x in ''|*[!0-9]*) ;; *) [ "$x" -lt "$cpus" ] && cpus=$x;; esac
choose
exec {z}<> <(:)
set -m
sample </dev/null & p=$!
while read -r -t 10 x && kill -0 $p; do :; done 2>/dev/null
exec 2>/dev/null
kill -KILL -- -$p
exit 0
