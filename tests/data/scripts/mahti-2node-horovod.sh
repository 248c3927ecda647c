#!/bin/bash -l
# mahti-2node-horovod: HOROVOD on 2 nodes x 4 GPUs of Mahti, started by horovod. Written by Rankwright.

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

set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 8 ]] || stop "expected 8 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} == 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"

# Environment of every task
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Launch: one task per GPU, started by Slurm
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     --mpi=pmix \
     python3 train.py
