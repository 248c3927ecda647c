#!/bin/bash
#SBATCH --job-name=sarus
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

module load sarus
sarus pull registry/pytorch:24.01
srun sarus run --mpi --mount=type=bind,source=/data,destination=/data registry/pytorch:24.01 python3 train.py --lr 0.1
