#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --gres=gpu:a100:4
#SBATCH --time=12:00:00

MASKS="0xff,0xff00,0xff0000,0xff000000"
srun --cpu-bind=verbose,mask_cpu:$MASKS python3 train.py
