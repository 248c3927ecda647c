#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=4
#SBATCH --partition=gpu
#SBATCH --cpus-per-task=32

export ROOT=/projects/x
IMAGE=$ROOT/images/torch.sif
srun apptainer exec --nv -B $ROOT $IMAGE torchrun --standalone --nnodes=1 --nproc_per_node=4 train.py --data $ROOT/set
