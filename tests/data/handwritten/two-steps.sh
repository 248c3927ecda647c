#!/bin/bash
#SBATCH --account=project_465000001
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=56
#SBATCH --mem=480G
#SBATCH --time=02:00:00
srun --ntasks=1 python prepare.py
srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$(hostname):29400 --rdzv_id=$SLURM_JOB_ID train.py
rsync -a out/ /scratch/x/
