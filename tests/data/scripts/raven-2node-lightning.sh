#!/bin/bash -l
# raven-2node-lightning: DDP on 2 nodes x 4 GPUs of Raven, started by lightning. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=raven-2node-lightning
#SBATCH --constraint=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=18
#SBATCH --gres=gpu:a100:4
#SBATCH --mem=500000M
#SBATCH --time=12:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
#SBATCH --signal=USR1@90
#SBATCH --requeue

# Software
module load gcc/13
module load cuda/12.6

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 8 ]] || stop "expected 8 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"
! grep -qs torch train.py || python3 -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("torch"))' &> /dev/null || stop "python3 finds no PyTorch: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Each rank compares its cores and device with the plan: rank 0 says so, others only what differs
export CHECK_RANK='check_rank() {
  local rank=$SLURM_PROCID size=$SLURM_NTASKS at=$SLURM_LOCALID cores=() gpus=()
  local key has last seen want=${cores[at]:-} gpu=${gpus[at]:-} place differs=
  while read -r key has; do [[ $key == Cpus_allowed_list: ]] && break; done < /proc/self/status
  { read -r last < /sys/devices/system/cpu/present; } 2> /dev/null
  if [[ -z $want ]]; then place="cores $has"
  elif [[ $has == "$want" ]]; then place="cores $has as planned"
  elif [[ -n $last ]] && (( ${want##*[,-]} > ${last##*[,-]} )); then
    place="cores $has (planned $want, but this node has CPUs $last)"
  else place="cores $has instead of $want" differs=yes; fi
  seen=(${CUDA_VISIBLE_DEVICES//,/ })
  if (( ${#seen[@]} == 0 )); then place+=", device $at"
  elif (( at >= ${#seen[@]} )); then place+=", no device $at (visible: $CUDA_VISIBLE_DEVICES)" differs=yes
  elif [[ -z $gpu || ${seen[at]} == *[!0-9]* || ${seen[at]} == "$gpu" ]]; then place+=", device ${seen[at]}"
  else place+=", device ${seen[at]} instead of $gpu" differs=yes; fi
  place="rankwright: rank $rank of $size on node ${SLURMD_NODENAME:-$HOSTNAME}: $place"
  if [[ -n $differs ]]; then echo "$place" >&2
  elif (( rank == 0 )); then echo "$place; other ranks report only what differs" >&2; fi
}
check_rank'

# Launch: one task per GPU, started by Slurm
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'eval "$CHECK_RANK"; exec "$@"' _ \
     python3 train.py
