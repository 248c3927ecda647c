#!/bin/bash -l
# raven-array-accelerate: FSDP on 1 node x 4 GPUs of Raven, started by accelerate. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=raven-array-accelerate
#SBATCH --constraint=gpu
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=72
#SBATCH --gres=gpu:a100:4
#SBATCH --mem=500000M
#SBATCH --time=12:00:00
#SBATCH --output=%x-%A_%a.log
#SBATCH --error=%x-%A_%a.err
#SBATCH --open-mode=append
#SBATCH --array=1-10%1
#SBATCH --dependency=afterok:123
#SBATCH --kill-on-invalid-dep=yes

# Software
module load gcc/13
module load cuda/12.6

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"
command -v accelerate > /dev/null || stop "accelerate is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1

# Configuration of accelerate, written by the job, so that this one file is the whole job
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
mkdir -p "$JOB_FILES"
cat > "$JOB_FILES/accelerate.yaml" <<'END_OF_FILE'
compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
fsdp_config:
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_state_dict_type: SHARDED_STATE_DICT
use_cpu: false
END_OF_FILE

# Rendezvous of all ranks: a port that other jobs do not use
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c '(( ${SLURM_ARRAY_TASK_ID:-0} > ${SLURM_ARRAY_TASK_MIN:-0} )) && set -- "$@" --resume; exec "$@"' _ \
     accelerate launch --config_file="$JOB_FILES/accelerate.yaml" \
                       --num_machines="$SLURM_NNODES" \
                       --num_processes=4 \
                       --main_process_port="$MASTER_PORT" \
                       --num_cpu_threads_per_process=18 \
     train.py
