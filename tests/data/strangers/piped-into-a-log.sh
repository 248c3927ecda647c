#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=2
#SBATCH --partition=gpu

srun python3 train.py 2>&1 | tee -a log.txt
