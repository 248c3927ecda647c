#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=A100:4
#SBATCH --partition=gpu

srun python3 train.py
