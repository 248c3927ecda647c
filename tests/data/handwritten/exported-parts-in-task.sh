#!/bin/bash
#SBATCH --job-name=1B3-rotary
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=40
#SBATCH --gres=gpu:4
#SBATCH --time=20:00:00
#SBATCH --array=1-10%1
#SBATCH --account=six@v100

MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
MASTER_PORT=6000
GPUS_PER_NODE=4
NNODES=16
TP_SIZE=4
PP_SIZE=4
DATA_PATH=$SCRATCH/oscar/en_text_document

GPT_ARGS=" \
    --num-layers 24 \
    --micro-batch-size 8 \
    --global-batch-size 512 \
    --data-path $DATA_PATH \
    "

export LAUNCHER="python -u -m torch.distributed.launch \
    --nproc_per_node $GPUS_PER_NODE \
    --nnodes $NNODES \
    --master_addr $MASTER_ADDR \
    --master_port $MASTER_PORT \
    "

export CMD=" \
    pretrain_gpt.py \
    --tensor-model-parallel-size $TP_SIZE \
    --pipeline-model-parallel-size $PP_SIZE \
    $GPT_ARGS \
    "

srun --jobid $SLURM_JOBID bash -c '$LAUNCHER --node_rank $SLURM_PROCID $CMD'
