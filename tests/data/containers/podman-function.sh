#!/bin/bash
#SBATCH --job-name=podman-function
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

IMAGE=registry/pytorch:24.01
inside() {
    podman run --rm --userns=keep-id -v /data:/data "$IMAGE" "$@"
}
inside python3 train.py --lr 0.1
