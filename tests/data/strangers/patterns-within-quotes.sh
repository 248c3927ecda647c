#!/bin/bash
# for: generic
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --time=01:00:00
#SBATCH --gres=gpu:8
#SBATCH --partition=gpu

train='/data/train_*.bin'
srun -l -u bash -c "
    python3 ./prog.py -i '$train' -pn \$SLURM_NTASKS \
    -pi "tcp" \
"
echo done
