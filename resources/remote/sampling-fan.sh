# SPDX-FileCopyrightText: 2026 The Rankwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034,SC2206
#
# On the login node: one step per node where an overlapping step over several nodes is not possible (LUMI user guide,
# issue 223), or one ssh per node. All are fed from our one stdin, so that its end reaches each. Ends when none is left,
# at end of file, or after 10 s without a heartbeat; one that hangs on (a node died) is ended after 3 s.
#
# $1 "step" or "ssh", $2 job, $3 to $9 node-sampler.sh and its words (of "ssh" $3 is the whole line, quoted), then the
# nodes. bash 4.1 and newer, srun or ssh. Nothing is substituted.

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
