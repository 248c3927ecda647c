#!/bin/bash
# for: lumi
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --exclusive
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --gpus-per-node=8

wd=$(pwd)
SIF=$wd/image.sif
srun -N $((SLURM_NNODES)) -n $((SLURM_NNODES)) -c $((8*7)) singularity exec -B "$wd:/workdir" $SIF ./run.sh --stage 2
