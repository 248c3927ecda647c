#!/bin/bash -l
# mahti-2node-horovod: HOROVOD on 2 nodes x 4 GPUs of Mahti, started by horovod. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=mahti-2node-horovod
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --gres=gpu:a100:4
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Software
module load pytorch

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 8 ]] || stop "expected 8 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

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
     --mpi=pmix \
     bash -c 'eval "$CHECK_RANK"; exec "$@"' _ \
     python3 train.py
