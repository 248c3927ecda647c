#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=4
#SBATCH --partition=gpu

srun torchrun --standalone --nnodes=1 --nproc_per_node=4 train.py \
    --bf16 True \
    --tf32 True \ 
