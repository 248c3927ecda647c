#!/bin/bash
# for: lumi
#SBATCH --job-name=newest
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --time=02:00:00

SIF=$(realpath image.sif)
echo "image: $SIF"
srun singularity exec "$SIF" python3 train.py --size large --steps 1000
