#!/bin/bash
#SBATCH -A speech
#SBATCH -p batch
#SBATCH -N 1
#SBATCH -t 4:00:00
#SBATCH --time-min 04:00:00
#SBATCH -J asr-aed
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH --exclusive
#SBATCH --overcommit
#SBATCH --mem=0

set -x
CONTAINER="nvcr.io/nvidia/nemo:25.02.rc4"
CODE_DIR=/lustre/speech/code
DATA_DIR=/lustre/speech/data
MOUNTS="--container-mounts=${CODE_DIR}:/code,${DATA_DIR}:/data"
EXP_NAME=canary

read -r -d '' cmd <<EOF
echo "*******STARTING********" \
&& cd /code \
&& export PYTHONPATH=/code/NeMo \
&& python -u examples/asr/speech_to_text_aed.py \
   --config-path=/code/conf \
   trainer.num_nodes=$SLURM_JOB_NUM_NODES \
   exp_manager.name=${EXP_NAME}
EOF

srun -o slurm-%j-%n.out -e error-%j-%n.out --container-image="$CONTAINER" $MOUNTS bash -c "${cmd}"
