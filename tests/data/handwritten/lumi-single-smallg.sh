#!/bin/bash -l
#SBATCH --partition=small-g
#SBATCH --account=project_465000001
#SBATCH --ntasks=1
#SBATCH --gpus-per-node=1
#SBATCH --cpus-per-task=7
#SBATCH --mem=60G
#SBATCH --time=15
#SBATCH --reservation=AI_workshop

module load LUMI partition/G
srun python3 finetune.py --resume
