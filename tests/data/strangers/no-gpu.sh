#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --partition=gpu
#SBATCH --cpus-per-task=4
#SBATCH --mem=0

srun python3 prepare.py --shards 8
