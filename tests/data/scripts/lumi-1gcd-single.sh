#!/bin/bash -l
# first: one process on 1 node x 1 GCD of LUMI, started by srun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=first
#SBATCH --account=project_462000265
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=7
#SBATCH --gpus-per-node=1
#SBATCH --mem=60G
#SBATCH --time=00:15:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Modules that connect the container to this cluster
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

SIF=/appl/local/laifs/containers/lumi-multitorch-u24r70f21m50t210-20260415_130625/lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 1 ]] || stop "expected 1 GPU on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r $SIF ]] || stop "cannot read the container image $SIF"
printf 'Image: %s\n' "$(readlink -f -- "$SIF")"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

# Environment of every task
export HF_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/hf-cache"
export TORCH_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/torch-cache"
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

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
  seen=(${ROCR_VISIBLE_DEVICES//,/ })
  if (( ${#seen[@]} == 0 )); then place+=", device $at"
  elif (( at >= ${#seen[@]} )); then place+=", no device $at (visible: $ROCR_VISIBLE_DEVICES)" differs=yes
  elif [[ -z $gpu || ${seen[at]} == *[!0-9]* || ${seen[at]} == "$gpu" ]]; then place+=", device ${seen[at]}"
  else place+=", device ${seen[at]} instead of $gpu" differs=yes; fi
  place="rankwright: rank $rank of $size on node ${SLURMD_NODENAME:-$HOSTNAME}: $place"
  if [[ -n $differs ]]; then echo "$place" >&2
  elif (( rank == 0 )); then echo "$place; other ranks report only what differs" >&2; fi
}
check_rank'

# Launch: one process
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              export MIOPEN_CUSTOM_CACHE_DIR="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              mkdir -p "$MIOPEN_USER_DB_PATH" "$MIOPEN_CUSTOM_CACHE_DIR"
              eval "$CHECK_RANK"
              exec "$@"' _ \
     singularity run "$SIF" \
     python3 train.py --epochs 1
