#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=1
#SBATCH --partition=gpu

for seed in 1 2 3; do
    srun python3 train.py --seed $seed
done
