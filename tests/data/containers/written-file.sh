#!/bin/bash
#SBATCH --job-name=written-file
#SBATCH --account=project_1
#SBATCH --partition=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --time=02:00:00

cat > run.sh <<'EOF'
singularity exec /images/pytorch.sif python3 train.py --lr 0.1
EOF
srun bash run.sh
