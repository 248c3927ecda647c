# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2094,SC2317
#
# The file that a job runs beside its training (.rankwright/sampler-1.sh), the same for all jobs; what it writes:
# docs/telemetry.md. Its words:
#
#     start VENDOR SECONDS one-step|node-steps    on the job's first node; ends at end of file on its stdin
#     node VENDOR SECONDS [BYTES]                 on each node, by a step of `start`; BYTES is where a record stops
#     compact SECONDS BYTES [BYTES-SO-FAR]        lines of the sampling command in, lines of a record out
#
# Substituted: @NODE_SAMPLER@ node-sampler.sh with what stands before it, @AMD_FILTER@ and @NVIDIA_FILTER@ its awk programs,
# @JOB@ empty (the job's own environment names it), @RANKS_EVERY_MS@. bash 4.1 and newer, srun, scontrol, awk, date, wc. A
# line that says to people what the file is stands in front when it is sent.

job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID} # as people call a task of an array
job=${job:-${SLURM_JOB_ID:-0}}
# The steps. The training's comes first: in Slurm 20.11 an overlapping step still holds the GPUs, and a training
# behind it would wait. What the batch script asks for its own tasks is not for ours. At most 64 steps, evenly spread.
start() {
  local file=$0 nodes=${SLURM_JOB_NUM_NODES:-1} every node
  read -r -t 5
  [ $? -gt 128 ] || return 0
  unset "${!SLURM_CPU_BIND@}" "${!SLURM_GPU_BIND@}" SRUN_CPUS_PER_TASK SLURM_CPUS_PER_TASK SLURM_NTASKS_PER_NODE \
    SLURM_TRES_PER_TASK SLURM_GPUS_PER_TASK SLURM_DISTRIBUTION SLURM_EXCLUSIVE SLURM_EXACT SLURM_HINT SLURM_MPI_TYPE
  set -- "$1" "$2" "$3" --job-name=gpu-record --overlap --mem=0 --ntasks-per-node=1 --cpu-bind=none --kill-on-bad-exit=0
  if [ "$3" = one-step ]; then
    exec srun "${@:4}" --nodes="$nodes" --ntasks="$nodes" bash "$file" node "$1" "$2"
  fi
  every=$(((nodes + 63) / 64))
  for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST" | awk -v every="$every" '(NR - 1) % every == 0'); do
    srun "${@:4}" --nodes=1 --ntasks=1 --nodelist="$node" bash "$file" node "$1" "$2" <&0 &
  done
  wait
}

# One node. Signals are for the job's ranks (--signal reaches every step), so none ends this one: only its input's
# end does, or Slurm's KILL.
node() {
  local file=${0%/*}/$job/${SLURMD_NODENAME:-$(hostname)}.rws status
  trap '' HUP INT QUIT ABRT ALRM TERM USR1 USR2 XCPU TSTP TTIN TTOU
  export LC_ALL=C
  exec 2>/dev/null
  umask 077 # whose job it is may read it
  mkdir -p "${file%/*}" || return 0
  while :; do
    send_heartbeats | sample "$1" "$(($2 * 1000))" | compact "$2" "${3:-64000000}" "$(wc -c <"$file")" >>"$file"
    [ "${PIPESTATUS[2]}" = 1 ] || return 0
    read -r -t 60 # no room: later, perhaps
    status=$?
    [ "$status" = 0 ] || [ "$status" -gt 128 ] || return 0
  done
}

# The heartbeats that the sampling command waits for.
send_heartbeats() {
  local status
  while :; do
    read -r -t 3
    status=$?
    [ "$status" = 0 ] || [ "$status" -gt 128 ] || return 0
    echo || return 0
  done
}

# What it samples with is the same as for watching.
sample() {
  bash -c @NODE_SAMPLER@ rankwright "$1" "$2" @AMD_FILTER@ @NVIDIA_FILTER@ @JOB@ @RANKS_EVERY_MS@
}

# The compact form: what changed since the reading before, in the same words.

number_pattern='^(0|[1-9][0-9]*)([.][0-9]+)?$'

# Sets `difference` to what makes NEW of OLD: empty, +N or -N in units of the last digit, or =NEW.
find_difference() {
  local old_places='' new_places='' old_digits=${1/./} new_digits=${2/./} step
  if [[ $1 == "$2" ]]; then
    difference=''
    return
  fi
  difference="=$2"
  [[ ${#old_digits} -lt 16 && ${#new_digits} -lt 16 && $1 =~ $number_pattern && $2 =~ $number_pattern ]] || return
  if [[ $1 == *.* ]]; then old_places=${1#*.}; fi
  if [[ $2 == *.* ]]; then new_places=${2#*.}; fi
  [ ${#old_places} = ${#new_places} ] || return
  step=$((10#$new_digits - 10#$old_digits))
  if [[ $step != -* ]]; then step=+$step; fi
  if [ ${#step} -le ${#difference} ]; then difference=$step; fi
}

# Sets `coded` to a record as it is written. KIND RECORD.
code_record() {
  local key=${2%%;*} index difference before old_cells new_cells unchanged='' IFS=';'
  before=${last_record[$1$key]-}
  last_record[$1$key]=$2
  if [[ $before == "$2" && $2 ]]; then
    coded=$key
    return
  fi
  # the point keeps an empty last cell
  old_cells="$before;." new_cells="$2;."
  # shellcheck disable=SC2206 # splitting is what is wanted
  old_cells=($old_cells) new_cells=($new_cells)
  if [[ -z $before || ${#old_cells[@]} != "${#new_cells[@]}" ]]; then
    coded="$key!${2#"$key"}"
    return
  fi
  coded=$key
  for ((index = 1; index < ${#new_cells[@]} - 1; index++)); do
    find_difference "${old_cells[index]}" "${new_cells[index]}"
    unchanged+=';'
    if [ "$difference" ]; then coded+=$unchanged$difference unchanged=''; fi
  done
}

# SECONDS BYTES [BYTES-SO-FAR]. Status 0 end of input, 1 it could not be written, 3 the record is as long as it may become.
compact() {
  local bytes=${3:-0} number=0 readings=0 last_ms='' reading_ms='' ranks_ms=0 tag kind node ms rest records line coded IFS='|'
  local -A last_record
  set -f
  node=${SLURMD_NODENAME:-$(hostname)}
  printf '\n@rw-start 1 %s %s %s %s\n' "$node" "$(date +%s%3N)" "$job" "$(($1 * 1000))" || return 1
  while IFS=' ' read -r tag node ms rest; do
    case $tag in
      @rw-gpus) kind=1 ;;
      @rw-ranks) kind=p ;;
      @rw-node) kind=n ;;
      @rw-silence) kind=h ;;
      @rw-cost) kind=c ;;
      *) continue ;;
    esac
    [[ $ms =~ ^[1-9][0-9]*$ ]] || continue
    if [[ $kind == [pn] ]] && [ "$ms" != "$ranks_ms" ]; then
      [ $((ms - ranks_ms)) -ge 14500 ] || continue
      ranks_ms=$ms
    fi
    if [ "$kind" = 1 ] && [ "$ms" != "$reading_ms" ]; then
      reading_ms=$ms
      if [ $((readings++ % 60)) = 0 ]; then last_record=() last_ms=''; fi
    fi
    records=''
    if [[ $kind == [1p] && $rest != *[!0-9A-Za-z._:\;\|+,=/-]* ]]; then
      rest="$rest|."
      for rest in $rest; do
        [ "$rest" != . ] || continue
        code_record "$kind" "$rest"
        records+="|$coded"
      done
      records=${records#|}
    else
      if [[ $kind == [1p] ]]; then last_record=(); fi
      records=\"$rest
    fi
    if [ "$last_ms" ]; then line="$kind$number $((ms - last_ms)) $records"; else line="$kind$number =$ms $records"; fi
    last_ms=$ms number=$(((number + 1) % 10)) bytes=$((bytes + ${#line} + 1))
    printf '%s\n' "$line" || return 1
    if [ "$bytes" -ge "$2" ]; then
      printf '@rw-full %s %s %s\n' "$node" "$ms" "$bytes"
      return 3
    fi
  done
  return 0
}

case $1 in start | node | compact) "$@"; exit;; esac; exit 2
