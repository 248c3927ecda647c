#!/bin/bash
#SBATCH --job-name=ch-run
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

IMAGE=/var/tmp/pytorch
srun ch-run --write -b /data:/data "$IMAGE" -- python3 train.py --lr 0.1
