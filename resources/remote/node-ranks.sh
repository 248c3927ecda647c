# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# Which processes of a node are the job's ranks: functions that stand before node-sampler.sh and node-hang.sh in one
# program (nodeSampler(), collectCommand()). Does nothing by itself, writes no file. `job` is the job's number, empty: every
# process of the user counts; `sluid` its other name, empty at first; `root` stands before /proc's control groups (tests);
# `page_bytes` is a page of memory. RANK and the like: docs/telemetry.md.
#
# bash 4.1 and newer, date, grep, tr. Nothing is substituted. Functions that answer with a text leave it in `value`: a
# substitution would fork.

# ---- Small things ---------------------------------------------------------------------------------------------------

read_clock() { # sets now_ms
  if [ "$EPOCHREALTIME" ]; then
    now_ms=${EPOCHREALTIME/[.,]/}
    now_ms=${now_ms%???}
  else
    now_ms=$(date +%s%3N)
  fi
}

# The first line of a file; empty: it cannot be read.
read_line() {
  value=''
  read -r value <"$1"
} 2>/dev/null

# Leaves `value` only where it is a whole number.
keep_number() { case $value in '' | *[!0-9]*) value='' ;; esac; }

read_number() {
  read_line "$1"
  keep_number
}

# Splits a text at its blanks into `fields`.
split_fields() {
  local IFS=' '
  # shellcheck disable=SC2206 # splitting is what is wanted
  fields=($1)
}

# ---- Ranks ----------------------------------------------------------------------------------------------------------

# Ranks from /proc, without a fork but where processes are new: their environments are read by one grep. A rank is
# a process of the job with RANK in its environment. Where none has it, a task of a user's step (SLURM_PROCID) of some
# size may be one, and is reported as such (s before its number): no agent, container or profiler, by its words, and none
# whose WORLD_SIZE is not the step's number of tasks, since that one starts the ranks. Such tasks are counted. Launchers
# that hand RANK on are passed over: with torchrun only what its agent started counts, and of processes of one rank that
# descend from each other (wrapper, rank, data-loading workers) the outermost that holds at least a quarter of the
# largest one's memory. Their processor times are added up.

# By process. What /proc/PID/stat says, read at each look:
declare -A identity=()  # start time and name: another one is another process of the same number
declare -A state=() parent=() cpu_ticks=() cpu_ticks_before=() resident=()
# What its environment says, read once:
declare -A rank_of=()   # RANK; "s3": the number of a task that may be a rank
declare -A local_rank=() world_size=() step_of=() visible_gpus=()
declare -A is_elastic=() # started by torchrun's agent
declare -A in_job=()
declare -A starts_with=() # of what starts ranks: "agent.STEP.TASK", "parent.STEP.TASK"
declare -A is_watched=() # of the job, and not of the sampler's own step
declare -A group_of=() starters=() # group_ranks() sets them

environment_names='RANK|LOCAL_RANK|WORLD_SIZE|TORCHELASTIC_RUN_ID|SLURM_JOB_ID|SLURM_STEP_ID|SLURM_PROCID|SLURM_LOCALID|SLURM_STEP_NUM_TASKS|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES|CUDA_VISIBLE_DEVICES'
least_rank_bytes=33554432 # a task that holds less is a shell

forget_environment() {
  unset "rank_of[$1]" "local_rank[$1]" "world_size[$1]" "step_of[$1]" "visible_gpus[$1]" "is_elastic[$1]" "in_job[$1]" \
    "starts_with[$1]"
}

forget_process() {
  forget_environment "$1"
  unset "identity[$1]" "parent[$1]" "cpu_ticks[$1]" "cpu_ticks_before[$1]" "resident[$1]"
}

# What a task is by its words: "agent" starts ranks, "wrapper" is a container's or profiler's own process; else empty.
# Agents, and what they are started by, have a task's number; their workers, later, have RANK.
classify_task() {
  local word words=''
  while IFS= read -r -d '' word && [ ${#words} -lt 4000 ]; do words+=" $word"; done <"$root/proc/$1/cmdline"
  value=''
  if [[ "$words " =~ [\ /](torchrun|torch\.distributed\.(run|launch)|accelerate\ launch|accelerate\.commands\.launch|deepspeed|deepspeed\.launcher\.launch)\  ]]; then
    value=agent
  elif [[ $words =~ ^\ ([^\ ]*/)?(srun|starter|[Ss]ingularity|[Aa]pptainer|podman|conmon|enroot|nsys|ncu)(\ |$) ]]; then
    value=wrapper
  fi
} 2>/dev/null

# Below /job_NUMBER are a job's control groups, from Slurm 26.05 on below its SLUID, which any process names that says its
# job.
learn_sluid() {
  local group
  while read -r group; do
    if [[ $group =~ /(s[0-9A-Z]{13})/step_ ]]; then sluid=${BASH_REMATCH[1]}; fi
  done <"$root/proc/$1/cgroup"
}

is_in_control_group_of_job() {
  local group
  while read -r group; do
    case $group in *"/job_$job" | *"/job_$job/"*) return 0 ;; esac
    if [ "$sluid" ]; then
      case $group in *"/$sluid" | *"/$sluid/"*) return 0 ;; esac
    fi
  done <"$root/proc/$1/cgroup"
  return 1
}

# The environments of new processes: their files, as /proc/PID/environ.
read_environments() {
  local line process name text file tries=4
  local job_of=() task_of=() local_task=() tasks_of=()
  while IFS= read -r line; do
    process=${line%%/environ:*} line=${line#*/environ:}
    process=${process#/proc/} name=${line%%=*} text=${line#*=}
    case $name in
      RANK) rank_of[$process]=$text ;;
      LOCAL_RANK) local_rank[$process]=$text ;;
      WORLD_SIZE) world_size[$process]=$text ;;
      TORCHELASTIC_RUN_ID) is_elastic[$process]=1 ;;
      SLURM_JOB_ID) job_of[process]=$text ;;
      SLURM_STEP_ID) step_of[$process]=$text ;;
      SLURM_PROCID) task_of[process]=$text ;;
      SLURM_LOCALID) local_task[process]=$text ;;
      SLURM_STEP_NUM_TASKS) tasks_of[process]=$text ;;
      *) if [ "$text" ]; then visible_gpus[$process]=${text//[;|]/,}; fi ;;
    esac
  done < <(grep -azHE "^($environment_names)=" "$@" | tr '\n\0' ' \n')
  if [ -z "$sluid" ] && [ "$job" ]; then
    for process in "${!job_of[@]}"; do
      [ "${job_of[process]}" = "$job" ] || continue
      learn_sluid "$process" # one that was started by other means than a step tells nothing
      tries=$((tries - 1))
      if [ "$sluid" ] || [ $tries = 0 ]; then break; fi
    done
  fi
  for file in "$@"; do
    process=${file#/proc/} process=${process%/environ}
    if [ -z "$job" ] || [ "${job_of[process]}" = "$job" ]; then
      in_job[$process]=1
    elif [ -z "${job_of[process]}" ] && is_in_control_group_of_job "$process"; then
      in_job[$process]=1
    fi
    if [ -z "${rank_of[$process]}" ] && [ "${step_of[$process]}" ]; then
      take_for_task "$process" "${task_of[process]}" "${local_task[process]}" "${tasks_of[process]}"
    fi
    case ${rank_of[$process]#s} in '' | *[!0-9]*) unset "rank_of[$process]" ;; esac
  done
}

# A task without RANK: PROCESS TASK LOCAL_TASK TASKS_OF_STEP.
take_for_task() {
  classify_task "$1"
  if [ -z "$value" ] && [ "${world_size[$1]:-$4}" != "${4:-${world_size[$1]}}" ]; then value=parent; fi
  case $value in
    '')
      rank_of[$1]=s$2
      if [ -z "${local_rank[$1]}" ]; then local_rank[$1]=$3; fi
      if [ -z "${world_size[$1]}" ]; then world_size[$1]=$4; fi
      ;;
    agent | parent) starts_with[$1]=$value.${step_of[$1]}.$2 ;;
  esac
}

# All processes of this user. Fields of /proc/PID/stat behind the name, so $1 is the third of proc_pid_stat(5); this loop
# is most of what a look costs, so it calls no function.
scan_processes() {
  local folder process line new=() IFS=' '
  state=() is_watched=()
  set +f
  for folder in /proc/[0-9]*; do
    if ! [ -O "$folder" ] || ! read -r line <"$folder/stat"; then continue; fi
    process=${folder#/proc/}
    # shellcheck disable=SC2086 # splitting is what is wanted
    set -- ${line##*) }
    line="${20} ${line%") "*}" # start time and name
    state[$process]=$1
    if [ "${identity[$process]}" != "$line" ]; then
      identity[$process]=$line
      forget_environment "$process"
      new+=("$folder/environ")
    elif [ -z "${in_job[$process]}" ]; then
      continue
    fi
    parent[$process]=$2
    cpu_ticks[$process]=$((${12} + ${13})) # utime, stime
    resident[$process]=$((${22} * page_bytes))
  done
  set -f
  if [ ${#new[@]} -gt 0 ]; then read_environments "${new[@]}"; fi
  for process in "${!identity[@]}"; do
    if [ -z "${state[$process]}" ]; then
      forget_process "$process"
    elif [ "${in_job[$process]}" ] && { [ -z "$SLURM_STEP_ID" ] || [ "${step_of[$process]}" != "$SLURM_STEP_ID" ]; }; then
      is_watched[$process]=1
    fi
  done
}

# Processes of one rank under the outermost of them: sets `group_of` (outermost -> processes), `tasks_may_be_ranks` and
# `starters`.
group_ranks() {
  local process above rank top has_elastic=0
  tasks_may_be_ranks=1 starters=()
  for process in "${!is_watched[@]}"; do
    case ${rank_of[$process]} in '' | s*) ;; *) tasks_may_be_ranks=0 ;; esac
    if [ "${is_elastic[$process]}" ]; then has_elastic=1; fi
    case ${starts_with[$process]} in
      agent.*) starters[${starts_with[$process]#*.}]=1 ;;
      parent.*) if [ "${resident[$process]}" -ge $least_rank_bytes ]; then starters[${starts_with[$process]#*.}]=1; fi ;;
    esac
  done
  group_of=()
  for process in "${!is_watched[@]}"; do
    rank=${rank_of[$process]}
    [ "$rank" ] || continue
    case $rank in s*)
      if [ $tasks_may_be_ranks = 0 ] || [ "${starters[${step_of[$process]}.${rank#s}]}" ]; then continue; fi
      ;;
    esac
    if [ $has_elastic = 1 ] && [ -z "${is_elastic[$process]}" ]; then continue; fi
    top=$process above=${parent[$process]}
    while [ "${is_watched[$above]}" ] && [ "${rank_of[$above]}" = "$rank" ] \
      && { [ $has_elastic = 0 ] || [ "${is_elastic[$above]}" ]; }; do
      top=$above above=${parent[$above]}
    done
    group_of[$top]+=" $process"
  done
}

# The process that is the rank, of the group under TOP: sets `found`; empty: it is none. And the group's processor time,
# since the last look, as `group_ticks`.
find_rank_process() {
  local top=$1 process above depth found_depth largest=0
  found='' group_ticks=0
  for process in ${group_of[$top]}; do
    if [ "${resident[$process]}" -gt "$largest" ]; then largest=${resident[$process]}; fi
    group_ticks=$((group_ticks + cpu_ticks[$process] - ${cpu_ticks_before[$process]:-0}))
  done
  if [ "$tasks_may_be_ranks" = 1 ] && [ "$largest" -lt $least_rank_bytes ]; then return; fi
  for process in ${group_of[$top]}; do
    [ $((resident[$process] * 4)) -ge "$largest" ] || continue
    depth=-1
    if [ "$process" != "$top" ]; then
      above=${parent[$process]} depth=0
      while [ "$above" != "$top" ] && [ "${is_watched[$above]}" ] && [ $depth -lt 99 ]; do
        above=${parent[$above]} depth=$((depth + 1))
      done
    fi
    if [ -z "$found" ] || [ $depth -lt "$found_depth" ] \
      || { [ $depth = "$found_depth" ] && [ "${resident[$process]}" -gt "${resident[$found]}" ]; }; then
      found=$process found_depth=$depth
    fi
  done
}
