#!/bin/bash -l
# mahti-1node-deepspeed: ZERO3 on 1 node x 4 GPUs of Mahti, started by deepspeed. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=mahti-1node-deepspeed
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=128
#SBATCH --gres=gpu:a100:4,nvme:900
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Software
module load pytorch

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
command -v deepspeed > /dev/null || stop "deepspeed is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1

# Configuration of DeepSpeed, written by the job, so that this one file is the whole job
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
mkdir -p "$JOB_FILES"
cat > "$JOB_FILES/ds_config.json" <<'END_OF_FILE'
{
  "train_micro_batch_size_per_gpu": 1,
  "gradient_accumulation_steps": 1,
  "fp16": { "enabled": true },
  "zero_optimization": {
    "stage": 3,
    "overlap_comm": true,
    "contiguous_gradients": true,
    "stage3_gather_16bit_weights_on_model_save": true
  }
}
END_OF_FILE

# Evidence for "rankwright-cli where", should the job hang: next to free; PyTorch reads the new names or the old ones
{ mkdir -p "$JOB_FILES/python" && mkfifo "$JOB_FILES/ask"; } 2> /dev/null || :
export TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_TRACE_BUFFER_SIZE=2000 # each rank remembers its last collectives
export TORCH_FR_DUMP_ON_TIMEOUT=1 TORCH_NCCL_DUMP_ON_TIMEOUT=1 # a time-out writes them down
export TORCH_FR_DUMP_TEMP_FILE="$JOB_FILES/record_" TORCH_NCCL_DEBUG_INFO_TEMP_FILE="$JOB_FILES/record_" # in here
[[ ! -p $JOB_FILES/ask ]] || export TORCH_FR_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_" TORCH_NCCL_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_" # or when they are asked
export RANKWRIGHT_STACKS=57 # at this signal Python writes its stacks,
export PYTHONPATH="$JOB_FILES/python${PYTHONPATH:+:$PYTHONPATH}" # by this file, which it reads when it starts
cat 2> /dev/null > "$JOB_FILES/python/sitecustomize.py" <<'END_OF_FILE' || rm -f "$JOB_FILES/python/sitecustomize.py" 2> /dev/null || :
"""Written by Rankwright: at the signal RANKWRIGHT_STACKS this process writes down where it stands, and goes on."""
import os
import sys
def answer_with_stacks(number):
    import faulthandler
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("rankwright-stacks")
    else:
        import tempfile
        file, name = tempfile.mkstemp(prefix="rankwright-stacks")
        os.unlink(name)
    faulthandler.register(number, file=open(file, "w"), all_threads=True)
def run_next():
    from importlib import machinery, util
    here = os.path.dirname(os.path.realpath(__file__))
    own = [place for place, path in enumerate(sys.path) if os.path.realpath(path) == here]
    spec = machinery.PathFinder.find_spec(__name__, sys.path[max(own, default=len(sys.path)) + 1:])
    if spec and spec.loader:
        sys.modules[__name__] = util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[__name__])
try:
    answer_with_stacks(int(os.environ["RANKWRIGHT_STACKS"]))
except Exception:
    pass
run_next()
END_OF_FILE

# Rendezvous of all ranks: a port that other jobs do not use
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     deepspeed --master_port="$MASTER_PORT" \
     --module lab.train \
         --deepspeed --deepspeed_config="$JOB_FILES/ds_config.json"
