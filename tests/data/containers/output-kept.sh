#!/bin/bash
#SBATCH --job-name=output-kept
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

out=$(srun --container-image=/images/pytorch.sqsh python3 train.py --lr 0.1)
echo "$out"
