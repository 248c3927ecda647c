#!/bin/bash
# for: mahti
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
#SBATCH --gres=gpu:a100:4
#SBATCH --partition=gpumedium
#SBATCH --account=project_2001

module load tensorflow
set -v
srun python3 $*
