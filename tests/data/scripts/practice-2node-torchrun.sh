#!/bin/bash
# practice: DDP on 2 nodes x 8 GCDs of Practice cluster, started by torchrun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=practice
#SBATCH --account=project_465000001
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=56
#SBATCH --gpus-per-node=8
#SBATCH --mem=480G
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 2 ]] || stop "expected 2 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} == 8 ]] || stop "expected 8 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train_ddp.py ]] || stop "cannot read train_ddp.py in $PWD: upload it, or set the working directory"

# Environment of every task
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

# Rendezvous of all ranks: the first node, a port that other jobs do not use
MASTER_ADDR="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)"
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     torchrun --nnodes="$SLURM_NNODES" \
              --nproc_per_node=8 \
              --rdzv_backend=c10d \
              --rdzv_endpoint="$MASTER_ADDR:$MASTER_PORT" \
              --rdzv_id="$SLURM_JOB_ID" \
              --max_restarts=0 \
              --no_python bash -c 'cores=(49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47); taskset -cp "${cores[LOCAL_RANK]}" $$ > /dev/null; exec "$@"' _ \
     python3 train_ddp.py --steps 60
