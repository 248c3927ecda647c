#!/bin/bash -l
# raven-2node-lightning: DDP on 2 nodes x 4 GPUs of Raven, started by lightning. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=raven-2node-lightning
#SBATCH --constraint=gpu
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=18
#SBATCH --gres=gpu:a100:4
#SBATCH --mem=500000M
#SBATCH --time=12:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append
#SBATCH --signal=USR1@90
#SBATCH --requeue

# Software
module load gcc/13
module load cuda/12.6

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 8 ]] || stop "expected 8 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 4 ]] || stop "expected 4 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r train.py ]] || stop "cannot read train.py in $PWD: upload it, or set the working directory"
! grep -qs torch train.py || python3 -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("torch"))' &> /dev/null || stop "python3 finds no PyTorch: name modules, a virtual environment, conda or a container in the design"

# Environment of every task
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"

# Evidence for "rankwright-cli where", should the job hang: next to free; PyTorch reads the new names or the old ones
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
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

# Each rank compares its cores and device with the plan: rank 0 says so, others only what differs
export CHECK_RANK='check_rank() {
  local rank=$SLURM_PROCID size=$SLURM_NTASKS at=$SLURM_LOCALID cores=() gpus=()
  local key has last seen want=${cores[at]:-} gpu=${gpus[at]:-} place differs=
  while read -r key has; do [[ $key == Cpus_allowed_list: ]] && break; done < /proc/self/status
  { read -r last < /sys/devices/system/cpu/present; } 2> /dev/null
  if [[ -z $want ]]; then place="cores $has"
  elif [[ $has == "$want" ]]; then place="cores $has as planned"
  elif [[ -n $last ]] && (( ${want##*[,-]} > ${last##*[,-]} )); then
    place="cores $has (planned $want, but this node has CPUs $last)"
  else place="cores $has instead of $want" differs=yes; fi
  seen=(${CUDA_VISIBLE_DEVICES//,/ })
  if (( ${#seen[@]} == 0 )); then place+=", device $at"
  elif (( at >= ${#seen[@]} )); then place+=", no device $at (visible: $CUDA_VISIBLE_DEVICES)" differs=yes
  elif [[ -z $gpu || ${seen[at]} == *[!0-9]* || ${seen[at]} == "$gpu" ]]; then place+=", device ${seen[at]}"
  else place+=", device ${seen[at]} instead of $gpu" differs=yes; fi
  place="rankwright: rank $rank of $size on node ${SLURMD_NODENAME:-$HOSTNAME}: $place"
  if [[ -n $differs ]]; then echo "$place" >&2
  elif (( rank == 0 )); then echo "$place; other ranks report only what differs" >&2; fi
}
check_rank'

# Launch: one task per GPU, started by Slurm
srun --kill-on-bad-exit=1 \
     --cpus-per-task="$SLURM_CPUS_PER_TASK" \
     bash -c 'eval "$CHECK_RANK"; exec "$@"' _ \
     python3 train.py
