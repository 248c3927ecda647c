# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC1007,SC2086,SC2094,SC2206,SC2317
#
# The file that a job runs beside its training (.rankwright/sampler-1.sh), the same for all jobs; what it writes:
# docs/telemetry.md. Its words:
#
#     start VENDOR SECONDS one-step|node-steps    on the job's first node; ends at end of file on its stdin
#     node VENDOR SECONDS [BYTES]                 on each node, by a step of `start`; BYTES is where a record stops
#     compact SECONDS BYTES [BYTES-SO-FAR]        lines of the sampling command in, lines of a record out
#
# Substituted: @NODE_SAMPLER@ node-sampler.sh, @AMD_FILTER@ and @NVIDIA_FILTER@ its awk programs, @JOB@ empty (the job's
# own environment names it), @RANKS_EVERY_MS@. bash 4.1 and newer, srun, scontrol, awk, date, wc. A line that says to
# people what the file is stands in front when it is sent.

job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID} # as people call a task of an array
job=${job:-${SLURM_JOB_ID:-0}}
# The steps. The training's comes first: in Slurm 20.11 an overlapping step still holds the GPUs, and a training
# behind it would wait. What the batch script asks for its own tasks is not for ours. At most 64 steps, evenly spread.
start() {
  local file=$0 n=${SLURM_JOB_NUM_NODES:-1} k node
  read -r -t 5
  [ $? -gt 128 ] || return 0
  unset "${!SLURM_CPU_BIND@}" "${!SLURM_GPU_BIND@}" SRUN_CPUS_PER_TASK SLURM_CPUS_PER_TASK SLURM_NTASKS_PER_NODE \
    SLURM_TRES_PER_TASK SLURM_GPUS_PER_TASK SLURM_DISTRIBUTION SLURM_EXCLUSIVE SLURM_EXACT SLURM_HINT SLURM_MPI_TYPE
  set -- "$1" "$2" "$3" --job-name=gpu-record --overlap --mem=0 --ntasks-per-node=1 --cpu-bind=none --kill-on-bad-exit=0
  if [ "$3" = one-step ]; then
    exec srun "${@:4}" --nodes="$n" --ntasks="$n" bash "$file" node "$1" "$2"
  fi
  k=$(((n + 63) / 64))
  for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST" | awk -v k="$k" '(NR - 1) % k == 0'); do
    srun "${@:4}" --nodes=1 --ntasks=1 --nodelist="$node" bash "$file" node "$1" "$2" <&0 &
  done
  wait
}

# One node. Signals are for the job's ranks (--signal reaches every step), so none ends this one: only its input's
# end does, or Slurm's KILL. `beats` makes the heartbeats that the sampling command waits for.
beats() {
  local r
  while :; do
    read -r -t 3; r=$?
    [ $r = 0 ] || [ $r -gt 128 ] || return 0
    echo || return 0
  done
}
node() {
  local file=${0%/*}/$job/${SLURMD_NODENAME:-$(hostname)}.rws r
  trap '' HUP INT QUIT ABRT ALRM TERM USR1 USR2 XCPU TSTP TTIN TTOU
  export LC_ALL=C
  exec 2>/dev/null
  umask 077 # whose job it is may read it
  mkdir -p "${file%/*}" || return 0
  while :; do
    beats | sampler "$1" "$(($2 * 1000))" | compact "$2" "${3:-64000000}" "$(wc -c <"$file")" >>"$file"
    [ "${PIPESTATUS[2]}" = 1 ] || return 0
    read -r -t 60; r=$? # no room: later, perhaps
    [ $r = 0 ] || [ $r -gt 128 ] || return 0
  done
}

# The compact form: what changed since the reading before, in the same words. Status 0 end of input, 1 it could not
# be written, 3 the record is as long as it may become.
number='^(0|[1-9][0-9]*)([.][0-9]+)?$'
change() { # OLD NEW -> d: empty, +N or -N in units of the last digit, or =NEW
  local p= q= a=${1/.} b=${2/.}
  [[ $1 == "$2" ]] && { d=; return; }
  d="=$2"
  [[ ${#a} -lt 16 && ${#b} -lt 16 && $1 =~ $number && $2 =~ $number ]] || return
  [[ $1 == *.* ]] && p=${1#*.}
  [[ $2 == *.* ]] && q=${2#*.}
  [ ${#p} = ${#q} ] || return
  p=$((10#$b - 10#$a))
  [[ $p == -* ]] || p=+$p
  [ ${#p} -gt ${#d} ] || d=$p
}
record() { # KIND RECORD -> s
  local key=${2%%;*} i d same was now IFS=';'
  same=${old[$1$key]-}
  old[$1$key]=$2
  if [[ $same == "$2" && $2 ]]; then s=$key; return; fi
  was="$same;." now="$2;." # the point keeps an empty last one
  was=($was) now=($now)
  if [[ -z $same || ${#was[@]} != "${#now[@]}" ]]; then s="$key!${2#"$key"}"; return; fi
  s=$key pend=
  for ((i = 1; i < ${#now[@]} - 1; i++)); do
    change "${was[i]}" "${now[i]}"
    pend="$pend;"
    [ -z "$d" ] || { s=$s$pend$d; pend=; }
  done
}
compact() { # SECONDS BYTES [BYTES-SO-FAR]
  local bytes=${3:-0} seq=0 ticks=0 last= tick= sent=0 tag node ms rest kind out line s pend IFS='|'
  local -A old
  set -f
  node=${SLURMD_NODENAME:-$(hostname)}
  printf '\n@rws 1 %s %s %s %s\n' "$node" "$(date +%s%3N)" "$job" "$(($1 * 1000))" || return 1
  while IFS=' ' read -r tag node ms rest; do
    kind=${tag#@rw}
    [[ $tag == @rw[1a-z] && $ms =~ ^[1-9][0-9]*$ ]] || continue
    if [ "$kind" = p ] && [ "$ms" != "$sent" ]; then
      [ $((ms - sent)) -ge 14500 ] || continue
      sent=$ms
    fi
    if [ "$kind" = 1 ] && [ "$ms" != "$tick" ]; then
      tick=$ms
      [ $((ticks++ % 60)) != 0 ] || { old=(); last=; }
    fi
    out=
    if [[ $kind == [1p] && $rest != *[!0-9A-Za-z._:\;\|+,=/-]* ]]; then
      rest="$rest|."
      for rest in $rest; do
        [ "$rest" = . ] || { record "$kind" "$rest"; out="$out|$s"; }
      done
      out=${out#|}
    else
      [[ $kind != [1p] ]] || old=()
      out=\"$rest
    fi
    if [ "$last" ]; then line="$kind$seq $((ms - last)) $out"; else line="$kind$seq =$ms $out"; fi
    last=$ms seq=$(((seq + 1) % 10)) bytes=$((bytes + ${#line} + 1))
    printf '%s\n' "$line" || return 1
    [ "$bytes" -lt "$2" ] || { printf '@rwe %s %s %s\n' "$node" "$ms" "$bytes"; return 3; }
  done
  return 0
}

# What it samples with is the same as for watching.
sampler() {
  bash -c @NODE_SAMPLER@ rankwright "$1" "$2" @AMD_FILTER@ @NVIDIA_FILTER@ @JOB@ @RANKS_EVERY_MS@
}
case $1 in start | node | compact) "$@"; exit;; esac; exit 2
