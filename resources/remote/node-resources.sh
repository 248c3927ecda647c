# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# What a node has beside the use of its GPUs: network, file systems, memory, errors of the GPUs. Functions that stand between
# node-ranks.sh and node-sampler.sh in one program (nodeSampler()). Does nothing by itself, writes no file, starts no
# program: counters are read, and what they grew by since the look before is printed. `root` stands before /sys,
# /proc/pressure, the control groups and what a process waits for (tests). The line that they print: docs/telemetry.md.
#
# bash 4.1 and newer. Nothing is substituted. Functions that answer with a text leave it in `value`: a substitution
# would fork.

resources_line=@rw-node

# ---- The network ----------------------------------------------------------------------------------------------------

# The links that carry a job's traffic, of one kind: "ib" (InfiniBand, RoCE: words of 4 bytes), "cxi" (Slingshot's own
# counters: all that its cards carry), "hsn" (Slingshot's network interfaces: not what bypasses the kernel), "eth" (network cards
# of a node that has none of these). Capacity: of all of them in one direction, bytes a second; empty: one does not say.
network='' links_in=() links_out=() link_capacity='' link_word=1
received_before='' sent_before=''

add_link() { # RECEIVED_FILE SENT_FILE MBITS_PER_SECOND
  links_in+=("$1") links_out+=("$2")
  if [ ${#links_in[@]} = 1 ]; then link_capacity=0; fi
  case $3 in
    '' | 0 | *[!0-9]*) link_capacity='' ;;
    *) link_capacity=${link_capacity:+$((link_capacity + $3 * 125000))} ;;
  esac
}

# The network interfaces of that PATTERN that are cards and not switched off.
add_interfaces() { # KIND PATTERN
  local folder
  for folder in "$root"/sys/class/net/$2; do
    read_line "$folder/operstate"
    if ! [ -e "$folder/device" ] || [ "$value" = down ]; then continue; fi
    network=$1
    read_number "$folder/speed" # Mbit/s
    add_link "$folder/statistics/rx_bytes" "$folder/statistics/tx_bytes" "$value"
  done
}

find_links() {
  local folder
  for folder in "$root"/sys/class/infiniband/*/ports/*; do
    read_line "$folder/state"
    case $value in 4:*) ;; *) continue ;; esac # 4: ACTIVE
    if ! [ -r "$folder/counters/port_rcv_data" ] || ! [ -r "$folder/counters/port_xmit_data" ]; then continue; fi
    network=ib link_word=4
    read_line "$folder/rate" # 200 Gb/sec (4X HDR)
    value=${value%%[!0-9]*}
    add_link "$folder/counters/port_rcv_data" "$folder/counters/port_xmit_data" "${value:+${value}000}"
  done
  [ -z "$network" ] || return 0
  for folder in "$root"/sys/class/cxi/cxi*; do
    [ -r "$folder/device/telemetry/hni_sts_rx_ok_octets" ] || continue
    network=cxi
    read_number "$root/sys/class/net/hsn${folder##*/cxi}/speed"
    add_link "$folder/device/telemetry/hni_sts_rx_ok_octets" "$folder/device/telemetry/hni_sts_tx_ok_octets" "$value"
  done
  [ -z "$network" ] || return 0
  # where cards reach memory past the kernel and do not count it, their network interfaces show little of it
  for folder in "$root"/sys/class/infiniband/*; do [ ! -e "$folder" ] || return 0; done
  add_interfaces hsn 'hsn*'
  [ "$network" ] || add_interfaces eth '*'
} 2>/dev/null

# Sets `received` and `sent` to bytes a second since the look SPAN_MS before; empty: not known.
read_links() {
  local span_ms=$1 file total_received=0 total_sent=0
  received='' sent=''
  [ "$network" ] || return
  for file in "${links_in[@]}"; do
    read_line "$file"
    value=${value%%@*} # Slingshot: VALUE@TIME
    keep_number
    total_received=${value:+$((total_received + value))}
    [ "$value" ] || break
  done
  for file in "${links_out[@]}"; do
    read_line "$file"
    value=${value%%@*}
    keep_number
    total_sent=${value:+$((total_sent + value))}
    [ "$value" ] || break
  done
  if [ "$span_ms" -gt 0 ]; then
    # a counter that went back was reset
    if [ "$received_before" ] && [ "$total_received" ] && [ $((total_received - received_before)) -ge 0 ]; then
      received=$(((total_received - received_before) * link_word * 1000 / span_ms))
    fi
    if [ "$sent_before" ] && [ "$total_sent" ] && [ $((total_sent - sent_before)) -ge 0 ]; then
      sent=$(((total_sent - sent_before) * link_word * 1000 / span_ms))
    fi
  fi
  received_before=$total_received sent_before=$total_sent
}

# ---- Errors of the GPUs ---------------------------------------------------------------------------------------------

declare -A memory_errors=() # number of a GPU -> its errors that could not be corrected, since its driver was loaded
error_files=()              # by the number of the GPU: where amdgpu counts them
errors_every_ms=30000       # so often they are looked at

# Where the driver counts the errors of each part of a GPU; none: it does not.
note_error_files() {
  local file files=''
  for file in "$1"/ras/*_err_count "$1"/ras/aca_*; do
    if [ -r "$file" ]; then files+="$file "; fi
  done
  error_files+=("$files")
}

# rocm-smi takes its counts of errors from the same files, and would cost a call of its own: they are read for its GPUs too,
# which are numbered alike unless some are partitioned.
note_errors_beside_tool() {
  local address device
  error_files=()
  [ ${#index_of_kfd[@]} = 0 ] || [ ${#index_of_kfd[@]} = "$own_count" ] || return 0
  while read -r address device; do note_error_files "$device"; done < <(printf '%s' "$own_cards" | sort)
}

# What could not be corrected, of all parts of each GPU: "ue: 0".
read_error_files() {
  local index file errors IFS=' '
  for index in "${!error_files[@]}"; do
    errors=''
    for file in ${error_files[index]}; do
      read_line "$file"
      value=${value#ue: }
      keep_number
      errors=${value:+$((errors + value))}
      [ "$value" ] || break
    done
    memory_errors[$index]=$errors
  done
}

# ---- The job's control group ----------------------------------------------------------------------------------------

job_group='' job_memory_group='' group_looks=0 # folders; how often they were looked for
memory_limit='' memory_of=''

# By a process of the job: /proc/PID/cgroup names its groups, of which the job's is an upper one. In version 2 one group has
# all; in version 1 memory has a tree of its own.
find_job_group() {
  local group path
  while read -r group; do
    path=${group#*:*:}
    case $path in
      *"/job_$job" | *"/job_$job/"*) path=${path%%"/job_$job"*}/job_$job ;;
      *)
        [ "$sluid" ] || continue
        case $path in
          *"/$sluid" | *"/$sluid/"*) path=${path%%"/$sluid"*}/$sluid ;;
          *) continue ;;
        esac
        ;;
    esac
    case $group in
      0::*)
        if [ -r "$root/sys/fs/cgroup$path/memory.stat" ]; then job_group=$root/sys/fs/cgroup$path job_memory_group=$job_group; fi
        ;;
      *:memory:* | *:memory,*:* | *:*,memory:*)
        if [ -r "$root/sys/fs/cgroup/memory$path/memory.stat" ]; then job_memory_group=$root/sys/fs/cgroup/memory$path; fi
        ;;
    esac
  done <"$root/proc/$1/cgroup"
} 2>/dev/null

# ---- File systems ---------------------------------------------------------------------------------------------------

some_before='' full_before=''

# Sets `waiting` to the job's processes in an uninterruptible wait that may be one for a file (not for a GPU's driver, for the
# map of its memory or for a child that starts), and `waits_in` to the kernel's function of one of them, where it is told.
count_waiting() {
  local process line
  waiting=0 waits_in=''
  for process in "${!is_watched[@]}"; do
    [ "${state[$process]}" = D ] || continue
    read_line "$root/proc/$process/wchan"
    case $value in
      *amdgpu* | *kfd* | *nvidia* | nv_* | _nv[0-9]* | os_acquire_* | os_delay* | uvm_* | *drm_* | dma_fence*) continue ;;
      *vfork* | kernel_clone | _do_fork | vm_mmap_pgoff | __vm_munmap | do_madvise* | exit_mm*) continue ;;
      *poll* | *futex* | *nanosleep* | pipe_* | do_wait*) continue ;; # it has gone on since
      '' | 0) # not told, or it has gone on since: most waits for a driver are over before this line
        if read -r line <"$root/proc/$process/stat"; then
          case ${line##*) } in D*) ;; *) continue ;; esac
        fi
        ;;
      *[!A-Za-z0-9_.]*) ;;
      *) waits_in=${value:0:60} ;;
    esac
    waiting=$((waiting + 1))
  done
} 2>/dev/null

# Sets `some` and `full` to the thousandths of the SPAN_MS before in which some, or all, processes waited for input or
# output, and `pressure_of` to whose: the job's (j) or the node's (n). Empty: not known.
read_pressure() {
  local span_ms=$1 file=$root/proc/pressure/io lines=() some_total full_total
  some='' full='' pressure_of=n
  if [ "$job_group" ] && [ -r "$job_group/io.pressure" ]; then file=$job_group/io.pressure pressure_of=j; fi
  if ! mapfile -t -n 2 lines <"$file"; then
    some_before='' full_before='' # what they grow by until the next look is not of one span
    return
  fi
  value=${lines[0]##*total=}
  keep_number
  some_total=$value
  value=${lines[1]##*total=}
  keep_number
  full_total=$value
  if [ "$span_ms" -gt 0 ] && [ "$pressure_of" = "$pressure_was_of" ]; then # microseconds by milliseconds
    some=${some_before:+${some_total:+$(((some_total - some_before) / span_ms))}}
    full=${full_before:+${full_total:+$(((full_total - full_before) / span_ms))}}
    case $some in -*) some='' ;; ????*) some=1000 ;; esac
    case $full in -*) full='' ;; ????*) full=1000 ;; esac
  fi
  some_before=$some_total full_before=$full_total pressure_was_of=$pressure_of
} 2>/dev/null

# ---- Memory ---------------------------------------------------------------------------------------------------------

# Sets `total` and `available` of the node in bytes, and, where the job has no control group for it, what its memory holds.
read_node_memory() {
  local lines=() line name number most=64
  total='' available='' anonymous='' shared='' cached='' memory_of=n
  if [ "$job_memory_group" ]; then most=3; fi
  mapfile -t -n $most lines </proc/meminfo
  for line in "${lines[@]}"; do
    case $line in
      MemTotal:* | MemAvailable:* | Cached:* | AnonPages:* | Shmem:*)
        name=${line%%:*} number=${line#*:}
        number=${number% kB}
        value=${number##* }
        keep_number
        if [ "$value" ]; then value=$((value * 1024)); fi
        case $name in
          MemTotal) total=$value ;;
          MemAvailable) available=$value ;;
          Cached) cached=$value ;;
          AnonPages) anonymous=$value ;;
          Shmem)
            shared=$value
            break
            ;;
        esac
        ;;
    esac
  done
}

# Sets `memory_limit`, `anonymous`, `shared` and `cached` (page cache, shared memory included) of the job on this node, bytes.
read_job_memory() {
  local lines=() line most=16
  [ "$job_memory_group" ] || return
  memory_of=j memory_limit=''
  read_number "$job_memory_group/memory.max"
  if [ -z "$value" ]; then read_number "$job_memory_group/memory.limit_in_bytes"; fi
  if [ "$value" ] && [ ${#value} -lt 18 ] && [ "$value" -lt "${total:-0}" ]; then memory_limit=$value; fi
  if [ "$job_memory_group" != "$job_group" ]; then most=64; fi # version 1 counts what is below a group at the end
  mapfile -t -n $most lines <"$job_memory_group/memory.stat" || return
  for line in "${lines[@]}"; do
    value=${line#* }
    case $line in
      anon\ * | total_rss\ *) anonymous=$value ;;
      file\ * | total_cache\ *) cached=$value ;;
      shmem\ * | total_shmem\ *) shared=$value ;;
    esac
  done
} 2>/dev/null

# Where the memory of GPUs is memory of the system, its page cache and its processes fill them, too: NUMA nodes without
# processors (Grace Hopper; on x86 these are memory of another kind: HBM of the processors, CXL), all nodes where the GPU is
# one with the processors (MI300A: 0x74a0).
gpu_memory_nodes=() # their meminfo

find_gpu_memory_nodes() {
  local file all=''
  for file in "$root"/sys/class/drm/card*/device/device; do
    read_line "$file"
    if [ "$value" = 0x74a0 ]; then all=1; fi
  done
  case $all$HOSTTYPE in x86_64* | i?86*) return ;; esac
  for file in "$root"/sys/devices/system/node/node*/meminfo; do
    read_line "${file%meminfo}cpulist"
    if [ "$value" ] && [ -z "$all" ]; then continue; fi
    read_line "$file" # Node 4 MemTotal: 99614720 kB; 0: kept for a part of a GPU (MIG)
    case $value in *MemTotal:*[1-9]*) gpu_memory_nodes+=("$file") ;; esac
  done
} 2>/dev/null

# Sets `on_gpus` to the bytes of page cache and of processes there; empty: no memory is shared so, or it is not told.
read_gpu_memory_nodes() {
  local file lines=() line
  on_gpus=''
  for file in "${gpu_memory_nodes[@]}"; do
    mapfile -t -n 40 lines <"$file" || continue
    for line in "${lines[@]}"; do
      case $line in
        *' FilePages:'* | *' AnonPages:'*)
          line=${line% kB}
          value=${line##* }
          keep_number
          if [ "$value" ]; then on_gpus=$((on_gpus + value * 1024)); fi
          ;;
      esac
    done
  done
} 2>/dev/null

# ---- The line -------------------------------------------------------------------------------------------------------

resources_ms=0 pressure_was_of=''

# Prints it, behind scan_processes; sets `total` and `available`.
report_resources() {
  local span_ms=$((resources_ms > 0 ? now_ms - resources_ms : 0)) process
  local received sent waiting waits_in some full pressure_of anonymous shared cached on_gpus
  resources_ms=$now_ms
  if [ -z "$job_memory_group" ] && [ "$job" ] && [ $group_looks -lt 20 ]; then
    for process in "${!is_watched[@]}"; do
      group_looks=$((group_looks + 1))
      find_job_group "$process"
      break
    done
  fi
  read_links "$span_ms"
  count_waiting
  read_pressure "$span_ms"
  read_node_memory
  read_job_memory
  read_gpu_memory_nodes
  printf '%s %s %s %s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s;%s\n' $resources_line "$node" "$now_ms" "${span_ms#0}" \
    "$network" "${#links_in[@]}" "$link_capacity" "$received" "$sent" "${#is_watched[@]}" "$waiting" "$waits_in" \
    "$pressure_of" "$some" "$full" "$memory_of" "$memory_limit" "$anonymous" "$shared" "$cached" "${on_gpus:+$on_gpus;}" || exit
}
