#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=4
#SBATCH --partition=gpu

srun -N 1 -n 1 python3 tokenise.py --out tokens
srun python3 train.py --in tokens
