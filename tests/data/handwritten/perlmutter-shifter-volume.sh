#!/bin/bash
#SBATCH -C gpu
#SBATCH -q regular
#SBATCH -A m1234_g
#SBATCH -N 2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH -c 32
#SBATCH -t 2:00:00
#SBATCH -J sr-ddp

IMAGE=nersc/pytorch:24.08.01
srun shifter --module=gpu,nccl-plugin --volume="/pscratch/sd/a/ada/data:/data;/pscratch/sd/a/ada/out:/out" --image=$IMAGE \
    python train.py --config base
