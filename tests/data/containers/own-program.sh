#!/bin/bash
#SBATCH --job-name=own-program
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

srun singularity run --nv /images/pytorch.sif
