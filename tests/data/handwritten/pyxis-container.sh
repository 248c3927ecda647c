#!/bin/bash
#SBATCH -A myaccount
#SBATCH -p batch
#SBATCH -N 2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8
#SBATCH -t 4:00:00
#SBATCH -J asr-train
#SBATCH --exclusive
#SBATCH --mem=0

read -r -d '' cmd <<EOF
echo "*******STARTING********" \
&& python -u train.py --config-name=fast trainer.num_nodes=2
EOF

srun --container-image=nvcr.io/nvidia/nemo:25.02 --container-mounts=/code:/code,/data:/data --no-container-mount-home bash -c "${cmd}"
