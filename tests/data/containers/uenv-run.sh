#!/bin/bash
#SBATCH --job-name=uenv-run
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

srun uenv run --view=default pytorch/v2.6.0:v1 -- python3 train.py --lr 0.1
