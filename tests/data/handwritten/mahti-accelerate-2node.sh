#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=128
#SBATCH --time=1:00:00
#SBATCH --gres=gpu:a100:4

module load pytorch

GPUS_PER_NODE=4
MASTER_IP=$(ip -4 -brief addr show | grep -E 'hsn0|ib0' | grep -oP '([\d]+.[\d.]+)')
MASTER_PORT=29400
LAUNCH_CMD="accelerate launch --config_file=accelerate_config.yaml --num_processes=$(($GPUS_PER_NODE*$SLURM_NNODES)) --num_machines=$SLURM_NNODES --machine_rank=\$SLURM_NODEID --main_process_ip=$MASTER_IP --main_process_port=$MASTER_PORT"
srun bash -c "$LAUNCH_CMD finetune.py --batch 8"
