#!/bin/bash
# for: frontier
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
#SBATCH --partition=batch
#SBATCH --account=abc123
#SBATCH --gpus-per-task=1

export MASTER_ADDR=$(hostname) MASTER_PORT=3442
srun -N 2 --gpus-per-task=1 python3 -u train.py --data /lustre/x
