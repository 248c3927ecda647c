#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=gpu:a100:4
#SBATCH --signal=B:USR1@120
#SBATCH --time=10:00:00
#SBATCH --dependency=afterok:1234

trap 'scancel --signal=USR1 "$SLURM_JOB_ID"' USR1
srun torchrun --nnodes=$SLURM_NNODES --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$(hostname):29500 train.py &
wait
