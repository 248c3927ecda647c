#!/bin/bash
# for: generic
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=8
#SBATCH --partition=gpu

export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
srun --gpus-per-node=$SLURM_GPUS_PER_NODE --ntasks-per-node=$SLURM_NTASKS_PER_NODE bash -c "
    torchrun --rdzv_backend=c10d --rdzv_endpoint=${MASTER_ADDR}:8001 \
             --nproc_per_node=\$SLURM_GPUS_PER_NODE --nnodes=\$SLURM_NNODES --no_python fast train gpt"
