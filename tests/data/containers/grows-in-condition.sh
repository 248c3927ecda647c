#!/bin/bash
#SBATCH --job-name=grows-in-condition
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

RUN="srun --label"
if [ -z "$NO_IMAGE" ]; then
    RUN+=" --container-image=/images/pytorch.sqsh"
fi
$RUN python3 train.py --lr 0.1
