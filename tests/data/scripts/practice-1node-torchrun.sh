#!/bin/bash
# practice: DDP on 1 node x 4 GCDs of Practice cluster, started by torchrun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=practice
#SBATCH --account=project_465000001
#SBATCH --partition=small-g
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=28
#SBATCH --gpus-per-node=4
#SBATCH --mem=240G
#SBATCH --time=00:10:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 1 ]] || stop "expected 1 task, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train_ddp.py ]] || stop "cannot read train_ddp.py in $PWD: upload it, or set the working directory"
command -v torchrun > /dev/null || stop "torchrun is not on the path: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1

# Evidence for "rankwright-cli where", should the job hang: next to free; PyTorch reads the new names or the old ones
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
{ mkdir -p "$JOB_FILES/python" && mkfifo "$JOB_FILES/ask"; } 2> /dev/null || :
export TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_TRACE_BUFFER_SIZE=2000 # each rank remembers its last collectives
export TORCH_FR_DUMP_ON_TIMEOUT=1 TORCH_NCCL_DUMP_ON_TIMEOUT=1 # a time-out writes them down
export TORCH_FR_DUMP_TEMP_FILE="$JOB_FILES/record_" TORCH_NCCL_DEBUG_INFO_TEMP_FILE="$JOB_FILES/record_" # in here
[[ ! -p $JOB_FILES/ask ]] || export TORCH_FR_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_" TORCH_NCCL_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_" # or when they are asked
export NCCL_RAS_ADDR="localhost:$((20000 + SLURM_JOB_ID % 8000))" # NCCL answers on a port of this job's own
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

# Launch: one agent per node, which starts the workers
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     torchrun --standalone \
              --nnodes=1 \
              --nproc_per_node=4 \
     train_ddp.py --steps 60
