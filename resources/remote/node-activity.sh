# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
#
# How much of an NVIDIA GPU works while it is in use: share of its multiprocessors and tensor cores, of its warps and of
# its memory's bandwidth. Functions that stand between node-resources.sh and node-sampler.sh in one program
# (nodeSampler()). One tool prints for as long as the sampler runs, and its lines are read as they come: no program is
# started for a sample. Writes no file. docs/telemetry.md says which tool, and why only there.
#
# bash 4.1 and newer; nvidia-smi, dcgmi and stdbuf where they are. Nothing is substituted. `root` stands before /proc/driver
# (tests). Functions that answer with a text leave it in `value`: a substitution would fork.

declare -A activity=()     # number of a GPU -> "MEMORY;COMPUTE;OCCUPANCY;TENSOR;", per cent, as last printed
declare -A uuid_in_dcgm=() # DCGM's number of a GPU, which counts all of the node -> its UUID
activity_pipe='' activity_source=gpm # that is asked, or is to be asked: "gpm", "dcgm", "none"
activity_begun_ms=0 activity_ms=0    # when it was asked; when a figure came last, 0: none has yet
next_activity_ms=0 dcgm_number='' activity_process=''
activity_seconds=1 # between its lines
declare -A activity_column=() # "compute", "occupancy", "tensor", "memory" -> place in a row
activity_cells=0 activity_rest=''   # words of a whole row; the begin of a line whose end has not come

# GPUs before Hopper have one set of counters for DCGM and for the profilers of a job: DCGM is asked only where the
# driver keeps these counters from users anyway, so that no profiler of the job can miss them.
are_counters_for_admins() {
  local name number
  while IFS=': ' read -r name number; do
    if [ "$name" = RmProfilingAdminOnly ]; then
      [ "$number" = 1 ]
      return
    fi
  done <"$root/proc/driver/nvidia/params"
  return 1
} 2>/dev/null

# Starts the tool of `activity_source`; where that cannot be, the next source's turn comes.
ask_activity() {
  local program at_once=() # prints a line when it is whole, into a pipe as well
  activity_begun_ms=$now_ms activity_ms=0 activity_column=() activity_cells=0 activity_rest=''
  activity_seconds=$((interval_ms < 1000 ? 1 : interval_ms > 10000 ? 10 : interval_ms / 1000))
  program=$(type -P stdbuf)
  if [ "$program" ]; then at_once=("$program" -oL); fi
  case $activity_source in
    gpm) # since driver 525 on Hopper and newer, with counters of their own
      exec {activity_pipe}< <(
        echo "pid $BASHPID"
        exec "${at_once[@]}" "$tool" dmon -s u --gpm-metrics 2,3,5,10 -d $activity_seconds </dev/null
      )
      ;;
    dcgm)
      program=$(type -P dcgmi)
      if [ -z "$program" ] || ! are_counters_for_admins; then
        activity_source=none
        return
      fi
      exec {activity_pipe}< <(
        echo "pid $BASHPID"
        timeout --foreground -k 1 4 "$program" discovery -l </dev/null
        exec "${at_once[@]}" "$program" dmon -e 1002,1003,1004,1005 -d ${activity_seconds}000 </dev/null
      )
      ;;
  esac
}

# A source that had figures is asked again in a minute; of another one nothing is to be expected.
end_activity() {
  exec {activity_pipe}<&-
  activity_pipe='' activity_process='' activity=()
  if [ "$activity_ms" -gt 0 ]; then
    next_activity_ms=$((now_ms + 60000))
  else
    case $activity_source in gpm) activity_source=dcgm ;; *) activity_source=none ;; esac
  fi
}

# Sets `value` to the per cent of a CELL that is one, or (PARTS 1000) a fraction: a decimal below 10; empty: not reported.
read_percent() { # CELL PARTS
  local whole=${1%%.*} rest=''
  value=''
  case $1 in '' | *[!0-9.]* | *.*.* | .* | ???????????*) return ;; esac
  case $1 in *.*) rest=${1#*.} ;; esac
  rest+=000
  if [ "$2" = 1000 ]; then rest=${rest:0:3}; else rest=${rest:0:1}; fi
  value=$((10#$whole * $2 + 10#$rest)) # tenths
  if [ $value -gt 1000 ]; then
    value=''
  elif [ $value -ge 100 ] || [ $((value % 10)) = 0 ]; then
    value=$(((value + 5) / 10))
  else
    value=$((value / 10)).$((value % 10))
  fi
}

# The figures of the GPU INDEX, in `fields`. What is not a whole row says nothing of any GPU.
take_activity() { # INDEX PARTS
  local name cells='' known=''
  if [ ${#fields[@]} != $activity_cells ]; then return; fi
  for name in memory compute occupancy tensor; do
    value=''
    if [ "${activity_column[$name]}" ]; then read_percent "${fields[${activity_column[$name]}]}" "$2"; fi
    cells+="$value;"
    known+=$value
  done
  if [ "$known" ]; then
    activity[$1]=$cells
    activity_ms=$now_ms
  else
    unset "activity[$1]"
  fi
}

# Columns are found by their names: nvidia-smi's "# gpu sm mem ... smutil smocc mmaact dram", DCGM's "#Entity SMACT ...",
# whose rows have two words in front.
note_activity_columns() { # LINE
  local at=0 shift=0 name
  split_fields "${1#\#}"
  case ${fields[0]} in
    gpu) ;;
    Entity) shift=1 ;;
    *) return ;;
  esac
  activity_column=() activity_cells=$((${#fields[@]} + shift))
  for name in "${fields[@]}"; do
    case $name in
      smutil | SMACT) activity_column[compute]=$((at + shift)) ;;
      smocc | SMOCC) activity_column[occupancy]=$((at + shift)) ;;
      mmaact | TENSO) activity_column[tensor]=$((at + shift)) ;;
      dram* | DRAMA) activity_column[memory]=$((at + shift)) ;;
      gi | ci | mig) # rows of instances
        activity_column=()
        return
        ;;
    esac
    at=$((at + 1))
  done
}

read_activity_line() { # LINE
  local fields=() index
  case $1 in
    '#'*)
      note_activity_columns "$1"
      return
      ;;
  esac
  split_fields "$1"
  case ${fields[0]} in
    pid) if [ -z "$activity_process" ]; then activity_process=${fields[1]}; fi ;; # the first line
    GPU) # DCGM
      index=${index_of_uuid[${uuid_in_dcgm[${fields[1]:-none}]:-none}]}
      if [ "$index" ]; then take_activity "$index" 1000; fi
      ;;
    '|') # what DCGM discovered: "| 0 | Name: ...", then "| | Device UUID: GPU-... |"
      case ${fields[1]}.${fields[3]} in
        [0-9]*.Name:) dcgm_number=${fields[1]} ;;
        '|.UUID:')
          if [ "$dcgm_number" ]; then uuid_in_dcgm[$dcgm_number]=${fields[4]}; fi
          dcgm_number=''
          ;;
      esac
      ;;
    *[!0-9]* | '') ;;
    *) take_activity "${fields[0]}" 10 ;;
  esac
}

# Takes what was printed since the sample before. Figures that are not renewed are not kept.
read_activity() {
  local line status lines=0
  [ "$now_ms" ] || read_clock
  if [ -z "$activity_pipe" ]; then
    if [ $activity_source != none ] && [ "$now_ms" -ge $next_activity_ms ]; then ask_activity; fi
    return
  fi
  while [ $lines -lt 1000 ] && read -r -t 0 -u "$activity_pipe"; do
    lines=$((lines + 1))
    IFS= read -r -t 0.1 -u "$activity_pipe" line
    status=$?
    line=$activity_rest$line activity_rest=''
    if [ $status -gt 128 ]; then # a buffer of the tool ended within a line
      if [ ${#line} -lt 1000 ]; then activity_rest=$line; fi
      break
    fi
    if [ $status -gt 0 ]; then
      end_activity
      return
    fi
    read_activity_line "$line"
  done
  if [ "$activity_ms" -gt 0 ]; then
    if [ $((now_ms - activity_ms)) -gt $((interval_ms + activity_seconds * 3000)) ]; then activity=(); fi
  elif [ $((now_ms - activity_begun_ms)) -gt $((interval_ms * 3 + activity_seconds * 10000)) ]; then
    if [ "$activity_process" ]; then kill "$activity_process"; fi
    end_activity # GPUs without these counters: only dashes
  fi
}
