#!/bin/bash
#SBATCH --ntasks=1
#SBATCH --ntasks-per-node=2
#SBATCH --nodes=1
#SBATCH --gpus-per-task=l40s:1
#SBATCH --cpus-per-task=4
#SBATCH --mem=16G
#SBATCH --time=00:15:00

set -e
module purge
module load miniconda/3
conda activate pytorch

export MASTER_ADDR="127.0.0.1"
unset CUDA_VISIBLE_DEVICES
srun --gres-flags=allow-task-sharing python main.py
