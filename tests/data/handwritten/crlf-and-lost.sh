#!/bin/bash
#SBATCH --nodes=2
# SBATCH --mem=10G
##SBATCH --time=10
#SBATCH --ntasks-per-node=4 --gres=gpu:4
echo hello
#SBATCH --account=late
srun python train.py
