#!/bin/bash -l
# no-account: one process on 1 node x 1 GCD of LUMI, started by srun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=no-account
# NO ACCOUNT: this site bills every job to a project; fill in e.g. project_465000001
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=7
#SBATCH --gpus-per-node=1
#SBATCH --mem=60G
#SBATCH --time=00:30:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Modules that connect the container to this cluster
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings

set -euo pipefail

SIF=/appl/local/laifs/containers/lumi-multitorch-u24r70f21m50t210-20260415_130625/lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} == 1 ]] || stop "expected 1 GPU on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -n ${SLURM_JOB_ACCOUNT:-} ]] || stop "the design names no account, and this site bills every job to one"
[[ -r $SIF ]] || stop "cannot read the container image $SIF"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

# Environment of every task
export HF_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/hf-cache"
export TORCH_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/torch-cache"
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

# Launch: one process
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              export MIOPEN_CUSTOM_CACHE_DIR="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              mkdir -p "$MIOPEN_USER_DB_PATH" "$MIOPEN_CUSTOM_CACHE_DIR"
              exec "$@"' _ \
     singularity run "$SIF" \
     python3 train.py
