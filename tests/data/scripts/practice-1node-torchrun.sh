#!/bin/bash
# practice: DDP on 1 node x 4 GCDs of Practice cluster, started by torchrun. Written by Rankwright.

#SBATCH --job-name=practice
#SBATCH --account=project_465000001
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=28
#SBATCH --gpus-per-node=4
#SBATCH --mem=240G
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train_ddp.py ]] || stop "cannot read train_ddp.py in $PWD: upload it, or set the working directory"
command -v torchrun > /dev/null || stop "torchrun is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     torchrun --standalone \
              --nnodes=1 \
              --nproc_per_node=4 \
     train_ddp.py --steps 60
