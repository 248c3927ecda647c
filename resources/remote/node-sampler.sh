# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2004,SC2034,SC2154
#
# The sampler of one node, behind node-ranks.sh, node-resources.sh and node-activity.sh run as `bash -c PROGRAM rankwright
# VENDOR INTERVAL_MS AMD_FILTER NVIDIA_FILTER [JOB [RANKS_EVERY_MS]]`: a line of figures for each interval; ranks, processes
# and what the node has beside its GPUs now and then (docs/telemetry.md). Writes no file. The filters are amd-figures.awk and
# nvidia-figures.awk. RANKWRIGHT_SYSROOT stands before /sys, /dev, /proc/pressure, /proc/driver and the control groups of
# /proc (tests).
#
# bash 4.1 and newer, awk, grep, sort, timeout, getconf, nproc, sleep; rocm-smi or nvidia-smi only where there are no files
# of amdgpu. Nothing is substituted. Functions that answer with a text leave it in `value`: a substitution would fork.

export LC_ALL=C PYTHONIOENCODING=utf-8
vendor=$1 interval_ms=$2 amd_filter=$3 nvidia_filter=$4
job=${SLURM_JOB_ID:-$5} ranks_every_ms=${6:-3000}
root=$RANKWRIGHT_SYSROOT
node=${SLURMD_NODENAME:-$HOSTNAME}
newline='
'

# The lines that are printed; docs/telemetry.md names their members.
figures_line=@rw-gpus silence_line=@rw-silence ranks_line=@rw-ranks cost_line=@rw-cost
longest_line=990 # bytes: shorter than what a pipe takes in one piece, and srun's labels included

lease_seconds=10 # without a heartbeat for this long the sampler ends

# ---- Small things ---------------------------------------------------------------------------------------------------

may_open() { true <"$root/dev/dri/$1"; } 2>/dev/null

# Sets `tool` to a program of PATH, or to the last of the other places that has it.
find_tool() {
  local candidate
  tool=$(type -P "$1") && return 0
  tool=''
  for candidate in "${@:2}"; do
    if [ -x "$candidate" ]; then tool=$candidate; fi
  done
  [ "$tool" ]
}

# ---- Where the figures come from ------------------------------------------------------------------------------------

# amdgpu's files cost a thousandth of a rocm-smi (a Python program), but show all GPUs of the node: those count whose
# render node this step may open, or which Slurm gave it where no control group hides any. They are numbered as rocm-smi
# does, by their PCI addresses. Partitioned GPUs and unreadable files are left to the tool.

declare -A index_of_kfd=()   # kfd's id of a GPU -> its number here
declare -A index_of_uuid=()  # NVIDIA's UUID -> its number
declare -A reported_gpus=()  # numbers that the tool has reported
declare -A processes_on=()   # number of a GPU -> processes of the job that hold memory there
declare -A held_by=()        # process -> "GPU;bytes" of the GPU on which it holds most
device_of=() hwmon_of=() power_file=() temperature_file=() power_cap=() memory_total=() # by the number of the GPU
heat_limits=()               # by the number of the GPU: "FILE=MILLIDEGREES ..." of its sensors
warm=70                      # degrees: a GPU below is at no limit

number_kfd_gpus() {
  local topology name number minor location domain list='' index=0
  for topology in "$root"/sys/class/kfd/kfd/topology/nodes/*; do
    read_number "$topology/gpu_id"
    [ "${value:-0}" -gt 0 ] || continue # a processor
    minor='' location=0 domain=0
    while read -r name number; do
      case $name in
        drm_render_minor) minor=$number ;;
        location_id) location=$number ;;
        domain) domain=$number ;;
      esac
    done <"$topology/properties"
    if may_open "renderD$minor"; then
      printf -v list '%s%010d %010d %s\n' "$list" "$domain" "$location" "$value"
    fi
  done 2>/dev/null
  while read -r domain location number; do
    if [ "$number" ]; then index_of_kfd[$number]=$((index++)); fi
  done < <(printf '%s' "$list" | sort)
}

# The cards of amdgpu, by the minor number of their render nodes: "PCI_ADDRESS FOLDER".
find_amdgpu_cards() {
  local card minor node_file name address
  cards=()
  for card in "$root"/sys/class/drm/card*; do
    [[ $card =~ /card[0-9]+$ ]] || continue
    card+=/device
    read_line "$card/vendor"
    [ "$value" = 0x1002 ] || continue
    minor=''
    for node_file in "$card"/drm/renderD*; do
      if [ -e "$node_file" ]; then minor=${node_file##*/renderD}; fi
    done
    [ "$minor" ] || continue
    address=''
    while IFS='=' read -r name value; do
      if [ "$name" = PCI_SLOT_NAME ]; then address=$value; fi
    done <"$card/uevent"
    cards[minor]="$address $card"
  done 2>/dev/null
}

# Of the cards those of this step: what it may open, and where it may open all, what Slurm says. Sets `own_cards`
# (one a line) and `own_count`.
choose_own_cards() {
  local minor all=0 given=${SLURM_STEP_GPUS:-$SLURM_JOB_GPUS} by_place=()
  own_cards='' own_count=0
  for minor in "${!cards[@]}"; do
    all=$((all + 1))
    if may_open "renderD$minor"; then
      own_cards+=${cards[minor]}$newline
      own_count=$((own_count + 1))
    else
      unset "cards[$minor]"
    fi
  done
  if [ "$own_count" = "$all" ] && [[ $given =~ ^[0-9]+(,[0-9]+)*$ ]]; then
    by_place=("${cards[@]}")
    own_cards='' own_count=0
    for minor in ${given//,/ }; do
      if [ "${by_place[minor]}" ]; then
        own_cards+=${by_place[minor]}$newline
        own_count=$((own_count + 1))
      fi
    done
    index_of_kfd=()
  fi
}

# The sensors of a GPU (edge, junction, memory) for which its driver names the temperature at which it slows the GPU down.
note_heat_limits() {
  local hwmon=$1 limits='' sensor
  for sensor in "$hwmon/temp1" "$hwmon/temp2" "$hwmon/temp3"; do
    read_number "${sensor}_crit"
    if [ "${value:-0}" -gt 0 ]; then limits+="${sensor}_input=$value "; fi
  done
  heat_limits+=("$limits")
}

# One of the sensors of the GPU INDEX is at its limit.
is_at_heat_limit() {
  local pair IFS=' '
  for pair in ${heat_limits[$1]}; do
    read_number "${pair%=*}"
    [ "${value:-0}" -lt "${pair##*=}" ] || return 0
  done
  return 1
}

use_amdgpu_files() {
  local address device hwmon file
  find_amdgpu_cards
  choose_own_cards
  [ "$own_count" -gt 0 ] || return 1
  # another number of GPUs in kfd: partitioned
  [ ${#index_of_kfd[@]} = 0 ] || [ ${#index_of_kfd[@]} = "$own_count" ] || return 1
  while read -r address device; do
    if [ ! -r "$device/gpu_busy_percent" ] || [ ! -r "$device/mem_info_vram_used" ]; then return 1; fi
    read_number "$device/mem_info_vram_total"
    memory_total+=("$value")
    device_of+=("$device")
    for file in "$device"/hwmon/hwmon*; do hwmon=$file; done
    hwmon_of+=("$hwmon")
    file=$hwmon/power1_average
    [ -e "$file" ] || file=$hwmon/power1_input
    power_file+=("$file")
    file=$hwmon/temp1_input
    [ -e "$file" ] || file=$hwmon/temp2_input
    temperature_file+=("$file")
    note_heat_limits "$hwmon"
    note_error_files "$device"
    read_number "$hwmon/power1_cap"
    power_cap+=("${value:+$((value / 1000000))}")
  done < <(printf '%s' "$own_cards" | sort)
  tool=files
}

use_amd() {
  use_amdgpu_files && return 0
  device_of=()
  note_errors_beside_tool
  find_tool rocm-smi /opt/rocm-*/bin/rocm-smi /opt/rocm-default/bin/rocm-smi /opt/rocm/bin/rocm-smi
}

use_nvidia() { find_tool nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi /opt/bin/nvidia-smi; }

# The vendor that was named, else the other one: a job may run on a node of another kind than its partition's.
choose_source() {
  number_kfd_gpus
  if [ "$vendor" = amd ]; then
    use_amd && return
    if use_nvidia; then vendor=nvidia; fi
  else
    use_nvidia && vendor=nvidia && return
    if use_amd; then vendor=amd; fi
  fi
}

# ---- One sample -----------------------------------------------------------------------------------------------------

# Sets `output`: lines "figures" of ten records each, as the filters print them.
read_amdgpu_files() {
  local index use memory power cap temperature clock second_die throttle records=''
  output=''
  if [ "$are_errors_due" ]; then read_error_files; fi
  for index in "${!device_of[@]}"; do
    read_number "${device_of[index]}/gpu_busy_percent"
    use=$value
    read_number "${device_of[index]}/mem_info_vram_used"
    memory=$value
    read_number "${power_file[index]}"
    power=''
    if [ "${value:-0}" -gt 0 ]; then
      printf -v power '%d.%d' $((value / 1000000)) $((value / 100000 % 10))
      power_is_known=1
    fi
    cap=${power_cap[index]} second_die=''
    if [ "$cap" = 0 ]; then cap=''; fi
    # an MI250X reports the power of a package on one of its dies
    if [ -z "$power$cap" ] && [ "$power_is_known" ]; then second_die=s; fi
    read_number "${temperature_file[index]}"
    temperature=${value:+$(((value + 500) / 1000))}
    read_number "${hwmon_of[index]}/freq1_input"
    clock=${value:+$((value / 1000000))}
    throttle=''
    if [ "${temperature:-0}" -ge $warm ] && is_at_heat_limit "$index"; then throttle=t; fi
    records+="${records:+|}$index;$use;$memory;${memory_total[index]};$power;$cap;$temperature;$second_die;$clock;$throttle;${processes_on[$index]};${memory_errors[$index]};"
    read_number "${device_of[index]}/mem_busy_percent"
    if [ "$value" ]; then records+="$value;"; fi
    if [ $((index % 10)) = 9 ]; then
      output+="figures $records$newline"
      records=''
    fi
  done
  if [ "$records" ]; then output+="figures $records"; fi
}

# Prints what the filter makes of the tool's answer: lines "figures", "uuids" or, where there are none, "trouble".
ask_tool() {
  local process_counts='' error_counts='' activities='' errors='' index
  for index in "${!processes_on[@]}"; do process_counts+="$index=${processes_on[$index]} "; done
  for index in "${!memory_errors[@]}"; do error_counts+="$index=${memory_errors[$index]} "; done
  for index in "${!activity[@]}"; do activities+="$index=${activity[$index]} "; done
  if [ -z "$tool" ]; then
    echo 'trouble neither amdgpu files nor rocm-smi nor nvidia-smi were found on this node (/sys/class/drm, PATH, /opt/rocm*/bin)'
    return
  elif [ "$vendor" = nvidia ]; then
    if [ "$are_errors_due" ]; then errors=$errors_field; fi
    set -- "$nvidia_filter" $((${#throttle_field} > 0)) \
      --query-gpu=index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,clocks.sm"${errors:+,$errors}${throttle_field:+,$throttle_field}" \
      --format=csv,noheader,nounits
  else
    set -- "$amd_filter" 0 --showuse --showmemuse --showmeminfo vram --showpower --showmaxpower --showtemp \
      ${clock_option:+"$clock_option"} --csv
  fi
  timeout --foreground -k 1 4 "$tool" "${@:3}" 2>&1 | awk -v process_counts="$process_counts" \
    -v error_counts="$error_counts" -v activities="$activities" -v errors=$((${#errors} > 0)) -v throttle="$2" "$1"
  case ${PIPESTATUS[0]} in 124 | 137) echo "trouble $tool did not answer within 4 s" ;; esac
}

# ---- Processes on GPUs ----------------------------------------------------------------------------------------------

# A process counts on a GPU when it is the job's and holds memory there: by kfd's files, else by the tool, which is
# asked beside the samples, so that none is late.
find_memory_holders() {
  if [ ${#index_of_kfd[@]} -gt 0 ] && [ -d "$root/sys/class/kfd/kfd/proc" ]; then
    read_kfd_processes
  elif [ "$answer_pipe" ]; then
    read_compute_processes
  elif [ "$tool" ] && [ "$tool" != files ]; then
    looks_since_asked=$((looks_since_asked + 1))
    if [ "$looks_since_asked" -ge 3 ]; then
      looks_since_asked=0
      ask_compute_processes
    fi
  fi
}

read_kfd_processes() {
  local process file index most most_on
  local -A bytes_on=()
  held_by=() processes_on=()
  for index in "${index_of_kfd[@]}"; do processes_on[$index]=0; done
  set +f
  for process in "${!is_watched[@]}"; do
    bytes_on=() most=0
    for file in "$root/sys/class/kfd/kfd/proc/$process"/vram_*; do
      index=${index_of_kfd[${file##*_}]}
      [ "$index" ] || continue
      read_number "$file"
      bytes_on[$index]=${value:-0}
      if [ "${value:-0}" -gt "$most" ]; then most=$value most_on=$index; fi
    done
    [ "$most" -gt 0 ] || continue
    held_by[$process]="$most_on;$most"
    # what a library keeps on each GPU that it sees does not count as use of that GPU
    for index in "${!bytes_on[@]}"; do
      if [ $((bytes_on[$index] * 50)) -ge "$most" ] && [ "${bytes_on[$index]}" -gt 1048576 ]; then
        processes_on[$index]=$((processes_on[$index] + 1))
      fi
    done
  done
  set -f
}

# Starts the tool; its lines, and behind them "end EXIT_STATUS", come through `answer_pipe`.
ask_compute_processes() {
  answer_is_complete=''
  answered_counts=() answered_holders=() answered_most=() gpu_is_unknown='' answered_process=''
  if [ "$vendor" = nvidia ]; then
    answer_is_complete=1
    exec {answer_pipe}< <(
      timeout --foreground -k 1 4 "$tool" --query-compute-apps=gpu_uuid,pid,used_gpu_memory --format=csv,noheader,nounits </dev/null
      echo end $?
    )
  else
    exec {answer_pipe}< <(
      timeout --foreground -k 1 4 "$tool" --showpidgpus </dev/null
      echo end $?
    )
  fi
}

read_compute_processes() {
  local first second third index
  while read -r -t 0 -u "$answer_pipe" && IFS=', ' read -r -t 1 -u "$answer_pipe" first second third; do
    case $first in
      end)
        take_compute_processes "$second"
        return
        ;;
      =*) case $second$third in *Indexed*) answer_is_complete=1 ;; esac ;; # rocm-smi's heading
      PID) # rocm-smi: "PID 123 is using 2 DRM device(s):", and their numbers in the next line
        answered_process=''
        if [ "${is_watched[$second]}" ]; then answered_process=$second; fi
        ;;
      GPU-* | MIG-*)
        [ "${is_watched[$second]}" ] || continue
        index=${index_of_uuid[$first]}
        if [ -z "$index" ]; then
          gpu_is_unknown=1
          continue
        fi
        answered_counts[$index]=$((${answered_counts[$index]:-0} + 1))
        value=$third
        keep_number # MiB
        if [ "${value:-0}" -ge "${answered_most[$second]:-0}" ]; then
          answered_most[$second]=${value:-0}
          answered_holders[$second]="$index;${value:+$((value * 1048576))}"
        fi
        ;;
      [0-9]*)
        [ "$answered_process" ] || continue
        for index in $first ${second//,/ } ${third//,/ }; do
          answered_counts[$index]=$((${answered_counts[$index]:-0} + 1))
          answered_holders[$answered_process]="$index;"
        done
        ;;
    esac
  done
}

# The answer is whole: EXIT_STATUS of the tool.
take_compute_processes() {
  local index process
  exec {answer_pipe}<&-
  answer_pipe='' processes_on=() held_by=()
  if [ "$1" = 0 ] && [ "$answer_is_complete" ] && [ -z "$gpu_is_unknown" ]; then
    for index in "${!reported_gpus[@]}"; do processes_on[$index]=0; done
    for index in "${!answered_counts[@]}"; do processes_on[$index]=${answered_counts[$index]}; done
  fi
  for process in "${!answered_holders[@]}"; do held_by[$process]=${answered_holders[$process]}; done
}

# ---- The report of ranks --------------------------------------------------------------------------------------------

# The record of the rank `found` in the group under TOP, into `value`. SINCE_MS: since the last look.
describe_rank() {
  local top=$1 since_ms=$2 name rest process mask='' cpus_allowed='' cpu_percent='' held=''
  while IFS=$'\t' read -r name rest; do
    case $name in
      Cpus_allowed:) mask=x$rest ;;
      Cpus_allowed_list:)
        cpus_allowed=$rest
        break
        ;;
    esac
  done <"/proc/$found/status"
  if [ ${#cpus_allowed} -gt 100 ]; then cpus_allowed=$mask; fi
  if [ "$last_look_ms" -gt 0 ] && [ "$since_ms" -gt 0 ]; then
    if [ "$group_ticks" -lt 0 ]; then group_ticks=0; fi
    cpu_percent=$((group_ticks * 1000000 / (ticks_per_second * since_ms))) # in tenths
    printf -v cpu_percent '%d.%d' $((cpu_percent / 10)) $((cpu_percent % 10))
  fi
  for process in ${group_of[$top]}; do
    if [ "${held_by[$process]}" ]; then held=${held_by[$process]}; fi
  done
  if [ "${held_by[$found]}" ]; then held=${held_by[$found]}; fi
  value="$found;${rank_of[$found]};${local_rank[$found]};${world_size[$found]};$cpus_allowed;$cpu_percent;${resident[$found]};${state[$found]};${held:-;};${visible_gpus[$found]:0:300};"
}

# Prints the node's processors and memory and its ranks, in as many lines as it takes.
report_ranks() {
  local top process record line='' header total='' available='' records=()
  local since_ms=$((now_ms - last_look_ms))
  local found group_ticks tasks_may_be_ranks
  local -A group_of=() starters=()
  scan_processes
  report_resources
  find_memory_holders
  group_ranks
  for top in "${!group_of[@]}"; do
    find_rank_process "$top"
    [ "$found" ] || continue
    describe_rank "$top" "$since_ms"
    records+=("$value")
  done
  cpu_ticks_before=()
  for process in "${!is_watched[@]}"; do cpu_ticks_before[$process]=${cpu_ticks[$process]}; done
  last_look_ms=$now_ms
  header="$ranks_line $node $now_ms $cpus;$total;$available;${#records[@]};${#starters[@]};"
  for record in "${records[@]}"; do
    if [ $((${#header} + ${#line} + ${#record})) -gt $longest_line ]; then
      printf '%s%s\n' "$header" "$line" || exit
      line=''
    fi
    line+="|$record"
  done
  printf '%s%s\n' "$header" "$line" || exit
}

# ---- The loop -------------------------------------------------------------------------------------------------------

# Prints the processor time that sampling took so far.
report_cost() {
  local line hundredths fields=()
  read -r line <"/proc/$BASHPID/stat" || return
  split_fields "${line##*) }"
  hundredths=$(((fields[11] + fields[12] + fields[13] + fields[14]) * 100 / ticks_per_second)) # with ended children
  printf '%s %s %s %d.%02d;\n' $cost_line "$node" "$now_ms" $((hundredths / 100)) $((hundredths % 100)) || exit
}

# Prints the figures of `output`. Sets `has_figures`, and `trouble` to why there are none.
print_figures() {
  local line pair
  has_figures='' trouble=''
  for line in $output; do
    case $line in
      figures\ *)
        has_figures=1
        printf '%s %s %s %s\n' $figures_line "$node" "$now_ms" "${line#figures }" || exit
        ;;
      uuids\ *)
        split_fields "${line#uuids }"
        for pair in "${fields[@]}"; do
          index_of_uuid[${pair#*=}]=${pair%%=*} reported_gpus[${pair%%=*}]=1
        done
        ;;
      errors\ *)
        split_fields "${line#errors }"
        for pair in "${fields[@]}"; do memory_errors[${pair%%=*}]=${pair#*=}; done
        ;;
      trouble\ *) trouble=${line#trouble } ;;
    esac
  done
}

# Older tools do not know each field: true where one was given up and the tool is to be asked again.
gave_up_a_field() {
  case $trouble in
    *ecc.errors*'not a valid field'*)
      [ "$errors_field" ] || return 1
      errors_field=''
      ;;
    *'not a valid field'*)
      [ "$throttle_field" ] || return 1
      throttle_field=${older_throttle_fields[0]}
      older_throttle_fields=("${older_throttle_fields[@]:1}")
      ;;
    *'unrecognized argument'*)
      [ "$clock_option" ] || return 1
      clock_option=''
      ;;
    *) return 1 ;;
  esac
}

# The numbers of AMD's GPUs, from the first answer.
note_reported_gpus() {
  local record IFS="|$newline"
  for record in $output; do
    record=${record#figures }
    reported_gpus[${record%%;*}]=1
  done
  if [ "$tool" != files ]; then
    if [ ${#error_files[@]} != ${#reported_gpus[@]} ]; then error_files=(); fi
    read_error_files
  fi
}

sample() {
  local output has_figures trouble fields=() wait_ms wait_seconds next_look_ms=0 next_cost_ms=0 trouble_told_ms=0
  local are_errors_due=1 next_errors_ms=0
  exec 2>/dev/null
  trap 'kill -KILL -- "-$BASHPID"' EXIT # nobody reads it any more, and the shell in front may be gone: no tool stays behind
  set -f
  IFS=$newline
  while :; do
    if [ "$tool" = files ]; then
      read_amdgpu_files
    else
      if [ "$vendor" = nvidia ]; then
        read_activity
      elif [ "$are_errors_due" ] && [ ${#reported_gpus[@]} -gt 0 ]; then
        read_error_files
      fi
      output=$(ask_tool)
    fi
    read_clock
    print_figures
    if [ -z "$has_figures" ]; then
      if gave_up_a_field; then continue; fi
      if [ $((now_ms - trouble_told_ms)) -ge 4500 ]; then
        trouble_told_ms=$now_ms
        printf '%s %s %s %s\n' $silence_line "$node" "$now_ms" "${trouble:0:300}" || exit
      fi
    elif [ "$vendor" = amd ] && [ ${#reported_gpus[@]} = 0 ]; then
      note_reported_gpus
    fi
    are_errors_due=''
    if [ "$now_ms" -ge $next_errors_ms ]; then
      if [ $next_errors_ms -gt 0 ]; then are_errors_due=1; fi
      next_errors_ms=$((now_ms + errors_every_ms - 100))
    fi
    if [ "$now_ms" -ge $next_look_ms ]; then
      next_look_ms=$((now_ms + ranks_every_ms - 100))
      IFS=' '
      report_ranks
      IFS=$newline
    fi
    if [ "$now_ms" -ge $next_cost_ms ]; then
      if [ $next_cost_ms -gt 0 ]; then
        report_cost
        next_cost_ms=$((now_ms + 29900))
      else
        next_cost_ms=$((now_ms + 4900))
      fi
    fi
    read_clock
    wait_ms=$(((now_ms - interval_ms / 4) / interval_ms * interval_ms + interval_ms / 4 + interval_ms - now_ms))
    if [ "$wait_ms" -lt 100 ]; then wait_ms=100; fi
    printf -v wait_seconds '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000))
    if [ "$silent_pipe" ]; then read -r -t "$wait_seconds" -u "$silent_pipe" _; else sleep "$wait_seconds"; fi
  done
}

# The processors of the job on this node: Slurm's number, but no more than there are.
count_cpus() {
  cpus=${SLURM_JOB_CPUS_PER_NODE%(*}
  case $cpus in '' | *[!0-9]*) cpus=$(nproc) ;; esac
  value=$(nproc --all 2>/dev/null)
  keep_number
  if [ "$value" ] && [ "$value" -lt "$cpus" ]; then cpus=$value; fi
}

case $BASH_VERSION in [123].* | 4.0*)
  read_clock
  echo "$silence_line $node 0 bash $BASH_VERSION on this node is too old for sampling"
  exit 1
  ;;
esac
power_is_known='' answer_pipe='' silent_pipe='' last_look_ms=0 sluid=$SLURM_JOB_SLUID
looks_since_asked=2 # the first look asks
clock_option=--showgpuclocks throttle_field=clocks_throttle_reasons.active older_throttle_fields=(clocks_event_reasons.active '')
errors_field=ecc.errors.uncorrected.volatile.total
declare -A answered_counts=() answered_holders=() answered_most=()
ticks_per_second=$(getconf CLK_TCK) page_bytes=$(getconf PAGESIZE)
ticks_per_second=${ticks_per_second:-100} page_bytes=${page_bytes:-4096}
count_cpus
choose_source
find_links
find_gpu_memory_nodes

# The loop is a process group of its own; in front of it the shell only waits for heartbeats. End of file or 10 s
# without one end both, even when the loop is stuck in a hung tool or in a full pipe. Ticks start a quarter second
# after whole seconds of the node's clock, on all nodes alike: a disturbance that is the same everywhere delays a
# synchronous training least, and no second is missed.
exec {silent_pipe}<> <(:)
set -m
sample </dev/null &
loop=$!
while read -r -t $lease_seconds _ && kill -0 $loop; do :; done 2>/dev/null
exec 2>/dev/null
kill -KILL -- -$loop
exit 0
