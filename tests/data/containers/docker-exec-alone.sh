#!/bin/bash
#SBATCH --job-name=docker-exec-alone
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

docker exec work python3 train.py --lr 0.1
