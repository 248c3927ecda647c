#!/bin/bash
# for: lumi
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --cpus-per-task=56
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --gpus-per-node=8

set -euo pipefail
SIF="${SIF:-image.sif}"
EXTRA=()
if [ -n "${MAX_STEPS:-}" ]; then
  EXTRA=(--max-steps "$MAX_STEPS")
fi
export CONFIG="${CONFIG:-configs/dress.yaml}"
srun singularity run "${SIF}" bash -c 'python3 -m training.train --config "$CONFIG" "$@"' bash "${EXTRA[@]}"
