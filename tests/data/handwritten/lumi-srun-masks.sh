#!/bin/bash
#SBATCH -A project_465000002
#SBATCH -p standard-g
#SBATCH -N 4
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH -c 7
#SBATCH --mem-per-gpu=60G
#SBATCH -t 1-12:00:00
#SBATCH -o logs/%x-%j.out

export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))
export WORLD_SIZE=$SLURM_NPROCS
export NCCL_SOCKET_IFNAME=hsn0,hsn1,hsn2,hsn3
export NCCL_NET_GDR_LEVEL=PHB

c=fe
CPU_BIND_MASKS="0x00fe000000000000,0xfe00000000000000,0x0000000000fe0000,0x00000000fe000000,0x00000000000000fe,0x000000000000fe00,0x000000fe00000000,0x0000fe0000000000"

srun --cpu-bind=mask_cpu=$CPU_BIND_MASKS \
    bash -c "export RANK=\$SLURM_PROCID LOCAL_RANK=\$SLURM_LOCALID; singularity run $SIF python ddp.py --data /flash/x"
