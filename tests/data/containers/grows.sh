#!/bin/bash
#SBATCH --job-name=grows
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

IMAGE=/images/pytorch.sqsh
RUN="srun --label"
RUN+=" --container-image=$IMAGE"
RUN+=" --container-mounts=/data:/data"
ARGS="--lr 0.1"
ARGS+=" --epochs 3"
$RUN python3 train.py $ARGS
