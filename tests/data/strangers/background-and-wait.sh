#!/bin/bash
# for: lumi
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
#SBATCH --cpus-per-task=7
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --gpus-per-node=8

set -o errexit
set -o nounset
trap 'echo stopped; kill -15 "${PID}"; wait "${PID}"' SIGTERM
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=29511 WORLD_SIZE=$SLURM_NTASKS
srun python3 train.py --steps 100 "$@" &
PID="$!"
wait "${PID}"
