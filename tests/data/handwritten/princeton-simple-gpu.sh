#!/bin/bash
#SBATCH -J torch
#SBATCH -n 1
#SBATCH -c 4
#SBATCH --gres=gpu:1
#SBATCH -t 05:00
source activate torch-env
python mnist.py
