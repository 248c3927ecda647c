#!/bin/bash
#SBATCH --job-name=vit
#SBATCH --account=project_465000001
#SBATCH --partition=standard-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=8
#SBATCH --cpus-per-task=56
#SBATCH --mem=480G
#SBATCH --time=0:30:00

module purge
module use /appl/local/containers/ai-modules
module load singularity-AI-bindings

CONTAINER=/appl/local/containers/sif-images/lumi-pytorch-rocm-6.2.4-python-3.12-pytorch-v2.7.1.sif

export HF_HOME=/scratch/$SLURM_JOB_ACCOUNT/hf-cache
export TOKENIZERS_PARALLELISM=false

srun singularity exec $CONTAINER \
    bash -c "torchrun --standalone --nnodes=1 --nproc_per_node=\$SLURM_GPUS_ON_NODE train.py --epochs 4"
