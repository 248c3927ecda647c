#!/bin/bash -l
# modules: DDP on 1 node x 4 GCDs of LUMI, started by srun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=modules
#SBATCH --account=project_462000265
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=7
#SBATCH --gpus-per-node=4
#SBATCH --mem=240G
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Software
module use /appl/local/csc/modulefiles
module load pytorch/2.7

set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 4 ]] || stop "expected 4 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} == 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

# Environment of every task
export HF_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/hf-cache"
export TORCH_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/torch-cache"
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Rendezvous of all ranks: the first node, a port that other jobs do not use
MASTER_ADDR="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)"
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))
export MASTER_ADDR MASTER_PORT
export WORLD_SIZE="$SLURM_NTASKS" LOCAL_WORLD_SIZE=4

# Launch: one task per GCD, started by Slurm
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID
              export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              export MIOPEN_CUSTOM_CACHE_DIR="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              mkdir -p "$MIOPEN_USER_DB_PATH" "$MIOPEN_CUSTOM_CACHE_DIR"
              exec "$@"' _ \
     python3 train.py
