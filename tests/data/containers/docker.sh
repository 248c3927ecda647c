#!/bin/bash
#SBATCH --job-name=docker
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

srun docker run --rm --gpus all --ipc=host -e HOME -v /data:/data registry/pytorch:24.01 python3 train.py --lr 0.1
