#!/bin/bash
# for: generic
#SBATCH --job-name=detection
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --time=8:00:00
#SBATCH --account=acc_1
#SBATCH --partition=batch

lr=1.0
momentum=0.95

TRAIN="\
        python3 train.py \
        --training_mode=${training_mode:=traineval} \
        --lr=$lr \
        --warmup_epochs=90 \
        --hparams="decay=0.9,momentum=$momentum" \
        2>&1 | tee /results/train.log"

srun --container-image=registry/detection:21.09 --container-mounts="/data:/workspace" bash -c "${TRAIN}"
