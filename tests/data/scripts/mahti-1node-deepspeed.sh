#!/bin/bash -l
# mahti-1node-deepspeed: ZERO3 on 1 node x 4 GPUs of Mahti, started by deepspeed. Written by Rankwright.

#SBATCH --job-name=mahti-1node-deepspeed
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=128
#SBATCH --gres=gpu:a100:4,nvme:900
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Software
module load pytorch

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
command -v deepspeed > /dev/null || stop "deepspeed is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1

# Configuration of DeepSpeed, written by the job, so that this one file is the whole job
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
mkdir -p "$JOB_FILES"
cat > "$JOB_FILES/ds_config.json" <<'END_OF_FILE'
{
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 1,
  "fp16": { "enabled": true },
  "zero_optimization": {
    "stage": 3,
    "overlap_comm": true,
    "contiguous_gradients": true,
    "stage3_gather_16bit_weights_on_model_save": true
  }
}
END_OF_FILE

# Rendezvous of all ranks: a port that other jobs do not use
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     deepspeed --master_port="$MASTER_PORT" \
     --module lab.train \
         --deepspeed --deepspeed_config="$JOB_FILES/ds_config.json"
