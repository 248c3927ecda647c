#!/bin/bash
#SBATCH --job-name=docker-exec
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

docker run -d --name work -v /data:/data registry/pytorch:24.01 sleep infinity
docker exec work python3 train.py --lr 0.1
docker rm -f work
