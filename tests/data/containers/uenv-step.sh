#!/bin/bash
#SBATCH --job-name=uenv-step
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

srun --uenv=pytorch/v2.6.0:v1 --view=default python3 train.py --lr 0.1
