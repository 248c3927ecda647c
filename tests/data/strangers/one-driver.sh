#!/bin/bash
# for: frontier
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --partition=batch
#SBATCH --account=abc123

srun hostname > hosts-$SLURM_JOB_ID
export DRIVER_NODES=$SLURM_NNODES
python3 driver.py
