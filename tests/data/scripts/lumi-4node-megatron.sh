#!/bin/bash -l
# lumi-4node-megatron: 3D on 4 nodes x 8 GCDs of LUMI, started by srun. Written by Rankwright.
# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does

#SBATCH --job-name=lumi-4node-megatron
#SBATCH --account=project_462000265
#SBATCH --partition=standard-g
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=7
#SBATCH --gpus-per-node=8
#SBATCH --mem=480G
#SBATCH --time=12:00:00
#SBATCH --output=%x-%j.out
#SBATCH --open-mode=append

# Modules that connect the container to this cluster
module purge
module use /appl/local/laifs/modules
module load lumi-aif-singularity-bindings

cd -- "${SLURM_SUBMIT_DIR:-.}" || exit 1
set -euo pipefail

SIF=/appl/local/laifs/containers/lumi-multitorch-u24r70f21m50t210-20260415_130625/lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif

# Guards: one clear sentence now instead of a wrong run for hours
stop() { echo "rankwright: $1" >&2; exit 1; }
[[ ${SLURM_NTASKS:-0} == 32 ]] || stop "expected 32 tasks, Slurm gave ${SLURM_NTASKS:-none}"
[[ ${SLURM_GPUS_ON_NODE:-0} -ge 8 ]] || stop "expected 8 GPUs on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"
[[ -r $SIF ]] || stop "cannot read the container image $SIF"
printf 'Image: %s\n' "$(readlink -f -- "$SIF")"
[[ -r pretrain_gpt.py ]] || stop "cannot read pretrain_gpt.py in $PWD: upload it, or set the working directory"

# Environment of every task
export NCCL_SOCKET_IFNAME=hsn0,hsn1,hsn2,hsn3
export FI_MR_CACHE_MONITOR=userfaultfd
export HF_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/hf-cache"
export TORCH_HOME="/scratch/${SLURM_JOB_ACCOUNT}/${USER}/torch-cache"
export TOKENIZERS_PARALLELISM=false
export PYTHONUNBUFFERED=1
export OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK"
export CUDA_DEVICE_MAX_CONNECTIONS=1

# Evidence for "rankwright-cli where", should the job hang: next to free; PyTorch reads the new names or the old ones
export JOB_FILES="$PWD/rankwright-$SLURM_JOB_ID"
{ mkdir -p "$JOB_FILES/python" && mkfifo "$JOB_FILES/ask"; } 2> /dev/null || :
export TORCH_FR_BUFFER_SIZE=2000 TORCH_NCCL_TRACE_BUFFER_SIZE=2000 # each rank remembers its last collectives
export TORCH_FR_DUMP_ON_TIMEOUT=1 TORCH_NCCL_DUMP_ON_TIMEOUT=1 # a time-out writes them down
export TORCH_FR_DUMP_TEMP_FILE="$JOB_FILES/record_" TORCH_NCCL_DEBUG_INFO_TEMP_FILE="$JOB_FILES/record_" # in here
export RANKWRIGHT_STACKS=57 # at this signal Python writes its stacks,
export HANG_EVIDENCE='[ -p "$JOB_FILES/ask" ] && [ -w "$JOB_FILES" ] && export TORCH_FR_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_" TORCH_NCCL_DEBUG_INFO_PIPE_FILE="$JOB_FILES/ask_"; export PYTHONPATH="$JOB_FILES/python${PYTHONPATH:+:$PYTHONPATH}"' # for the shell in the container
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
export MASTER_ADDR MASTER_PORT
export WORLD_SIZE="$SLURM_NTASKS" LOCAL_WORLD_SIZE=8

# Cores next to each GCD, in order of local rank: 49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47
CPU_BIND_MASKS="0x00fe000000000000,0xfe00000000000000,\
0x0000000000fe0000,0x00000000fe000000,\
0x00000000000000fe,0x000000000000fe00,\
0x000000fe00000000,0x0000fe0000000000"

# Each rank compares its cores and device with the plan: rank 0 says so, others only what differs
export CHECK_RANK='check_rank() {
  local rank=$SLURM_PROCID size=$SLURM_NTASKS at=$SLURM_LOCALID cores=(49-55 57-63 17-23 25-31 1-7 9-15 33-39 41-47) gpus=(0 1 2 3 4 5 6 7)
  local key has last seen want=${cores[at]:-} gpu=${gpus[at]:-} place differs=
  while read -r key has; do [[ $key == Cpus_allowed_list: ]] && break; done < /proc/self/status
  { read -r last < /sys/devices/system/cpu/present; } 2> /dev/null
  if [[ -z $want ]]; then place="cores $has"
  elif [[ $has == "$want" ]]; then place="cores $has as planned"
  elif [[ -n $last ]] && (( ${want##*[,-]} > ${last##*[,-]} )); then
    place="cores $has (planned $want, but this node has CPUs $last)"
  else place="cores $has instead of $want" differs=yes; fi
  seen=(${ROCR_VISIBLE_DEVICES//,/ })
  if (( ${#seen[@]} == 0 )); then place+=", device $at"
  elif (( at >= ${#seen[@]} )); then place+=", no device $at (visible: $ROCR_VISIBLE_DEVICES)" differs=yes
  elif [[ -z $gpu || ${seen[at]} == *[!0-9]* || ${seen[at]} == "$gpu" ]]; then place+=", device ${seen[at]}"
  else place+=", device ${seen[at]} instead of $gpu" differs=yes; fi
  place="rankwright: rank $rank of $size on node ${SLURMD_NODENAME:-$HOSTNAME}: $place"
  if [[ -n $differs ]]; then echo "$place" >&2
  elif (( rank == 0 )); then echo "$place; other ranks report only what differs" >&2; fi
}
check_rank'

# Launch: one task per GCD, started by Slurm
srun --kill-on-bad-exit=1 \
     --cpu-bind="mask_cpu:$CPU_BIND_MASKS" \
     --distribution=block:block \
     bash -c 'export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID
              export MIOPEN_USER_DB_PATH="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              export MIOPEN_CUSTOM_CACHE_DIR="/tmp/${USER}-miopen-${SLURM_JOB_ID}-${SLURM_NODEID}"
              mkdir -p "$MIOPEN_USER_DB_PATH" "$MIOPEN_CUSTOM_CACHE_DIR"
              eval "$CHECK_RANK"
              exec "$@"' _ \
     singularity run "$SIF" \
     sh -c 'eval "${HANG_EVIDENCE:-}"; exec "$@"' _ \
     python3 pretrain_gpt.py --data-path corpus --bf16 \
         --tensor-model-parallel-size=4 \
         --pipeline-model-parallel-size=2 \
         --sequence-parallel \
         --use-distributed-optimizer \
         --attention-backend=flash \
         --micro-batch-size=1 \
         --global-batch-size=256 \
         --recompute-activations \
         --seq-length=4096 \
         --max-position-embeddings=4096 \
         --num-layers=32 \
         --hidden-size=4096 \
         --num-attention-heads=32 \
         --ffn-hidden-size=14336 \
         --group-query-attention \
         --num-query-groups=8 \
         --swiglu \
         --untie-embeddings-and-output-weights \
         --normalization=RMSNorm \
         --position-embedding-type=rope
