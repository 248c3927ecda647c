#!/bin/bash
# Copyright somebody
#SBATCH --nodes=4
#SBATCH --job-name=llama-FSDP
#SBATCH --output=logs/%x_%j.out
#SBATCH --exclusive

set -ex;

GPUS_PER_NODE=8
export FI_PROVIDER=efa
export NCCL_DEBUG=INFO

AUTO_RESUME=""
if [ -d "/opt/sagemaker_cluster" ]; then
    AUTO_RESUME="--auto-resume=1"
fi

declare -a TORCHRUN_ARGS=(
    --nproc_per_node=$GPUS_PER_NODE
    --nnodes=$SLURM_JOB_NUM_NODES
    --rdzv_id=$SLURM_JOB_ID
    --rdzv_backend=c10d
    --rdzv_endpoint=$(hostname)
)
declare -a TRAINING_ARGS=(
    --max_steps=100 # 100 steps
    --model_type=llama_v3
)

srun ${AUTO_RESUME} -l "${ARGS[@]}" torchrun "${TORCHRUN_ARGS[@]}" src/train.py "${TRAINING_ARGS[@]}"
