#!/bin/bash
#SBATCH --account=project_465000002
#SBATCH --partition=standard-g
#SBATCH --nodes=4
#SBATCH --tasks-per-node=1
#SBATCH --gpus-per-node=mi250:8
#SBATCH --cpus-per-task=56
#SBATCH --mem=480G
#SBATCH --time=24:00:00
#SBATCH --array=1-10%1
#SBATCH --requeue
#SBATCH --signal=TERM@300
#SBATCH --mail-type=END
#SBATCH --mail-type=FAIL
set -euo pipefail
export MASTER_ADDR=$(hostname)
export MASTER_PORT=25900
srun --kill-on-bad-exit=1 python -u -m torch.distributed.run \
  --nnodes=$SLURM_NNODES --nproc-per-node 8 \
  --rdzv-backend=c10d --rdzv-id=$SLURM_JOB_ID --rdzv-endpoint=$MASTER_ADDR:$MASTER_PORT \
  -m mypkg.train --config configs/fsdp.yaml
