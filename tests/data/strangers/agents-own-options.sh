#!/bin/bash
# for: lumi
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --cpus-per-task=56
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --gpus-per-node=8

export NCCL_DEBUG=INFO
MASTER=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend c10d --rdzv_endpoint $MASTER:6777 \
    --max_restarts 2 --tee 3 --log_dir ./logs train.py
