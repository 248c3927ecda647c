#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=1
#SBATCH --partition=gpu

rm logs/current.err
ln -s somewhere logs/current.err
srun python3 predict.py --load_weights "$2" --out output/$1.$SLURM_JOB_ID
seff $SLURM_JOBID
