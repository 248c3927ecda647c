#!/bin/bash
# for: lumi
#SBATCH --job-name=finetune
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --time=02:00:00

set -euo pipefail
IMAGES=$PWD
SIF=$IMAGES/image.sif

in_container() {
    srun singularity exec --bind "$PWD" "${SIF}" "$@"
}

in_container python3 train.py --config base.yaml --epochs 3
