# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# On the login node: one step per node where an overlapping step over several nodes is not possible (LUMI user guide,
# issue 223), or one ssh per node. All are fed from our one stdin, so that its end reaches each. Ends when none is left,
# at end of file, or after 10 s without a heartbeat; one that hangs on (a node died) is ended after 3 s.
#
# $1 "step" or "ssh", $2 job, $3 to $9 node-sampler.sh and its words (of "ssh" $3 is the whole line, quoted), then the
# nodes. bash 4.1 and newer, srun or ssh. Nothing is substituted.

kind=$1 job=$2 program=$3
program_words=("${@:4:6}")
shift 9
inputs=() processes=() # of each step
start_step() { # NODE
  local input
  for input in "${inputs[@]}"; do exec {input}>&-; done
  if [ "$kind" = ssh ]; then
    exec ssh -xT -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=2 "$1" "env SLURMD_NODENAME=$1 $program"
  fi
  exec srun --overlap --jobid="$job" --nodes=1 --ntasks=1 --nodelist="$1" --kill-on-bad-exit=0 bash -c "$program" rankwright "${program_words[@]}"
}
is_any_alive() {
  local process
  for process in "${processes[@]}"; do
    if kill -0 "$process" 2>/dev/null; then return 0; fi
  done
  return 1
}
for node in "$@"; do
  exec {input}> >(start_step "$node")
  processes+=($!) inputs+=("$input")
done
trap '' PIPE
left=10
while is_any_alive; do
  read -r -t 1 _
  status=$?
  if [ $status = 0 ]; then
    left=10
    for input in "${inputs[@]}"; do echo >&"$input"; done
  elif [ $status -gt 128 ]; then
    left=$((left - 1))
    [ $left -gt 0 ] || break
  else
    break
  fi
done 2>/dev/null
for input in "${inputs[@]}"; do exec {input}>&-; done
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  is_any_alive || break
  sleep 0.2
done
status=0
for process in "${processes[@]}"; do
  if kill -0 "$process" 2>/dev/null; then kill "$process" 2>/dev/null; else wait "$process" 2>/dev/null || status=$?; fi
done
exit $status
