#!/bin/bash -l
# gpt-imdb: DDP on 1 node x 2 GCDs of LUMI, started by torchrun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=gpt-imdb
#SBATCH --account=project_462000265
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=14
#SBATCH --gpus-per-node=2
#SBATCH --mem=120G
#SBATCH --time=01:00:00
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
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 2 ]] || stop "expected 2 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r $SIF ]] || stop "cannot read the container image $SIF"
printf 'Image: %s\n' "$(readlink -f -- "$SIF")"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

# Environment of every task
export HF_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/hf-cache"
export TORCH_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/torch-cache"
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              export MIOPEN_CUSTOM_CACHE_DIR="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              mkdir -p "$MIOPEN_USER_DB_PATH" "$MIOPEN_CUSTOM_CACHE_DIR"
              exec "$@"' _ \
     singularity run "$SIF" \
     torchrun --standalone \
              --nnodes=1 \
              --nproc_per_node=2 \
     train.py --epochs 50
