#!/bin/bash -l
#SBATCH -J one
#SBATCH --ntasks=1
#SBATCH --constraint="gpu"
#SBATCH --gres=gpu:a100:1
#SBATCH --cpus-per-task=18
#SBATCH --mem=125000
#SBATCH --time=00:10:00

module load anaconda/3/2023.03 cuda/11.6
srun python train.py
