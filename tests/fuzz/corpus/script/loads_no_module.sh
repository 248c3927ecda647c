#!/bin/bash
#SBATCH --account=prkject_2001234
#SBArtition=gpusmall
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --time=36:00:00
#SBATCH --¯res=gpu:a100:1

module load 
ytorch
srun python3 myprog.py "first option" --second
