#!/bin/bash
#SBATCH -C gpu
#SBATCH -q regular
#SBATCH -A m1234
#SBATCH --nodes 4
#SBATCH --ntasks-per-node 4
#SBATCH --gpus-per-node 4
#SBATCH --cpus-per-task=32
#SBATCH --time 30
#SBATCH --image=nersc/pytorch:ngc-23.07-v1
#SBATCH --module=gpu,nccl-plugin
#SBATCH -J train-pm
#SBATCH -o %x-%j.out

export MASTER_ADDR=$(hostname)
set -x
srun -u -l shifter bash -c "
    source export_DDP_vars.sh
    python train.py -d nccl --rank-gpu
"
