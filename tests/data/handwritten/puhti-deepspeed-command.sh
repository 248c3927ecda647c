#!/bin/bash
#SBATCH --account=project_2001234
#SBATCH --partition=gpu
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=40
#SBATCH --mem=320G
#SBATCH --time=1:00:00
#SBATCH --gres=gpu:v100:4

module load pytorch
srun apptainer_wrapper exec deepspeed myprog.py --deepspeed --deepspeed_config ds_zero3.json
