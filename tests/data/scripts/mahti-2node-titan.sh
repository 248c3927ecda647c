#!/bin/bash -l
# mahti-2node-titan: HSDP on 2 nodes x 4 GPUs of Mahti, started by torchrun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=mahti-2node-titan
#SBATCH --account=project_2001234
#SBATCH --partition=gpumedium
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=128
#SBATCH --gres=gpu:a100:4
#SBATCH --time=01:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Software
module load pytorch

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 2 ]] || stop "expected 2 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
command -v torchrun > /dev/null || stop "torchrun is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1

# Configuration of torchtitan, written by the job, so that this one file is the whole job
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
mkdir -p "$JOB_FILES"
cat > "$JOB_FILES/titan.toml" <<'END_OF_FILE'
[model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 1
global_batch_size = 64
seq_len = 8192
mixed_precision_param = "bfloat16"
[parallelism]
data_parallel_replicate_degree = 2
data_parallel_shard_degree = 2
tensor_parallel_degree = 2
pipeline_parallel_degree = 1
fsdp_reshard_after_forward = "always"
[activation_checkpoint]
mode = "selective"
selective_ac_option = "op"
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

# Rendezvous of all ranks: the first node, a port that other jobs do not use
MASTER_ADDR="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)"
MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     torchrun --nnodes="$SLURM_NNODES" \
              --nproc_per_node=4 \
              --rdzv_backend=c10d \
              --rdzv_endpoint="$MASTER_ADDR:$MASTER_PORT" \
              --rdzv_id="$SLURM_JOB_ID" \
              --max_restarts=0 \
     -m torchtitan.train \
         --job.config_file="$JOB_FILES/titan.toml"
