#!/bin/bash
# for: leonardo
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --time=01:00:00
#SBATCH --gres=gpu:4
#SBATCH --partition=boost_usr_prod
#SBATCH --account=acc
#SBATCH --cpus-per-task=32

module load profile/deeplrn
head=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
export LAUNCHER="accelerate launch --num_processes=8 --num_machines=2 --main_process_ip=$head --main_process_port=29500 --machine_rank=0"
export CMD="$LAUNCHER train.py $ARGS"
srun $CMD
