#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=2
#SBATCH --partition=gpu

srun uv run --extra gpu python3 train.py --lr 1
