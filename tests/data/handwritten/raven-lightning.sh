#!/bin/bash -l
#SBATCH -o ./logs/%x.%j.out
#SBATCH -e ./logs/%x.%j.err
#SBATCH -D ./
#SBATCH -J mlp_multi
#SBATCH --constraint="gpu"
#SBATCH --gres=gpu:a100:4
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=18
#SBATCH --mem=500000
#SBATCH --time=24:00:00

module purge
module load gcc/11 cuda/11.6
source ~/venv/bin/activate

export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK}
srun python src/train.py trainer=ddp trainer.num_nodes=2 trainer.devices=4
