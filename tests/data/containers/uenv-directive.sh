#!/bin/bash
#SBATCH --job-name=uenv-directive
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00
#SBATCH --uenv=pytorch/v2.6.0:v1
#SBATCH --view=default

srun python3 train.py --lr 0.1
