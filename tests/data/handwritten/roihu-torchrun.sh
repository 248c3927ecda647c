#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=288
#SBATCH --time=01:00:00
#SBATCH --gres=gpu:gh200:4

module load python-pytorch
srun torchrun --standalone --nnodes=1 --nproc_per_node=$SLURM_GPUS_ON_NODE myprog.py
