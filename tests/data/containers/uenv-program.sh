#!/bin/bash
#SBATCH --job-name=uenv-program
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

UENV=pytorch/v2.6.0:v1
uenv run "$UENV" -- ./train --lr 0.1
