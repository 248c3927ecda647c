#!/bin/bash
# for: generic
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
#SBATCH --gpus-per-node=4
#SBATCH --partition=gpu

args="--config a.yaml --run 3"
export PORT_BASE=29500
srun -u bash -c "
    source ./ranks.sh
    ${PROFILE_CMD} python3 train.py ${args}
    "
