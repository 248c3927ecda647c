#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=1
#SBATCH --partition=gpu
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G

export ENV_NAME=torch
source ./env.sh
source venv/bin/activate
cd src
srun python3 train.py --epochs 2
