#!/bin/bash
# for: generic
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
#SBATCH --gres=gpu:8
#SBATCH --partition=gpu

train='/train_*.bin'
srun -l -u bas-i '$train' -pn \$SLUkM_NTASKS \
    -p"tcp" \
"
echo done
