#!/bin/bash
# for: lumi
#SBATCH --job-name=pretrain
#SBATCH --account=project_462000001
#SBATCH --partition=standard-g
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --time=02:00:00

module load container-bindings
CONTAINER=image.sif
export OMP_NUM_THREADS=7
srun --cpu-bind=cores singularity exec $BINDINGS_OF_SITE "$CONTAINER" python3 pretrain.py --data /scratch/corpus --lr 3e-4
