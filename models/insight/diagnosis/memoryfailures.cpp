// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include <iterator>

namespace rankwright {

namespace {

using Rule = DiagnosisRule;

// clang-format off
constexpr Rule memoryTable[] = {
        {"gpu-memory", "oom_gpu", Rule::Cause,
            "cuda out of memory|hip out of memory|outofmemoryerror|error: out of memory|failure 'out of memory'|"
            "hiperroroutofmemory|cuda_error_out_of_memory|resource_exhausted|oom when allocating|"
            "cublas_status_alloc_failed|hipblas_status_alloc_failed|cudnn_status_alloc_failed|failure 2 'out of|"
            "failed to cuda|failed to allocate memory [op",
            R"(out of memory|OutOfMemory|OUT_OF_MEMORY|OOM when allocating|_ALLOC_FAILED|RESOURCE_EXHAUSTED: .*(?:memory|allocat)|Failed to CUDA (?:host )?[cm]alloc|failed to allocate memory \[Op)",
            R"(\b(?:skipping|retrying|recovered|trying (?:again|with|a smaller)|reducing (?:the )?batch|will be (?:decreased|reduced|halved)|will (?:retry|try))\b|(?:User|Runtime|Future)Warning:|\| WARNING \||failed to allocate \S+ \(\d+ bytes\) from device|["'`](?:CUDA|HIP) out of memory["'`]|bfc_allocator.*not an? (?:failure|error)|could mean that there could be performance gains|node running low on memory|\bray\.exceptions\.|\bcaught\b|\bhalving\b)",
            "The GPU's memory is full. Halve the micro-batch and double the gradient accumulation, switch on activation checkpointing, or shard the model (FSDP or ZeRO-3); the planner shows what fits.",
            "PyTorch CUDA semantics, memory management; XLA and TensorFlow status codes"},
        {"gpu-memory-tried", "oom_gpu", Rule::Cause, "cuda_error_out_of_memory",
            R"(failed to allocate \S+ \(\d+ bytes\) from device)", "",
            "The GPU's memory is full or another process holds it. Lower the batch size, or ask for GPUs of your own.",
            "TensorFlow, GPU memory growth", true},
        {"host-memory-killed", "oom_host", Rule::Cause,
            "oom_kill event|oom-kill event|oom-kill|: out of memory|exceeded memory limit|step memory limit|"
            "job memory limit|killed process|out_of_memory|memory cgroup out of memory|been oom killed|oom killed|"
            "ray killed this worker|node running low on memory|memory pressure (oom)",
            R"(oom[-_ ]kill|srun: error: (?<node>[\w.-]+): tasks? [\d,-]+: Out Of Memory|exceeded (?:(?:step|job) )?memory limit|Memory cgroup out of memory|Out of memory: Killed process|State:? *OUT_OF_MEMORY|Ray killed this worker|node running low on memory|killed due to memory pressure)",
            R"((?:CUDA|HIP) out of memory)",
            "The memory of the node is full, not that of the GPU. Ask for more (--mem, or --mem-per-gpu), use fewer DataLoader workers, or load the data set lazily.",
            "Slurm, slurm.conf and cgroup.conf: ConstrainRAMSpace"},
        {"host-allocation", "oom_host", Rule::Cause,
            "can't allocate memory|cannot allocate memory|std::bad_alloc|memoryerror|unable to allocate",
            R"(DefaultCPUAllocator: can't allocate memory|Cannot allocate memory|std::bad_alloc|(?:^|[\s\]:])(?:MemoryError\b|numpy\.\S*MemoryError)|Unable to allocate [\d.]+ [KMGT]iB)",
            R"(warn|NCCL INFO)",
            "The memory of the node is full or limited. Ask for more with --mem, or load less at once: fewer DataLoader workers, a memory-mapped data set.",
            "PyTorch CPUAllocator; Python MemoryError"},
        {"loader-killed", "oom_host", Rule::Cause, "is killed by signal: killed",
            R"(DataLoader worker \(pid[^)]*\) is killed by signal: Killed)", "",
            "A DataLoader worker was killed because the node's memory is full. Use fewer workers (num_workers) or ask for more memory (--mem).",
            "PyTorch DataLoader"},
        {"shared-memory", "shm", Rule::Cause,
            "bus error|return code = -7|composer.cli.launcher|exitcode: -7|exitcode  : -7|sigbus|unable to open shared memory object|shared memory segment|/dev/shm|out of shared memory|unable to mmap|unable to write to file </torch|shm_open",
            R"(Bus error|return code = -7\b|cli\.launcher:.* code -7\b|exitcode\s*: -7\b|\(SIGBUS\)|unable to open shared memory object|out of shared memory|creating shared memory segment|/dev/shm\S*:? .*(?:No space left|failed|error|denied)|(?:No space left|failed|error).*/dev/shm|unable to write to file </torch|shm_open.*(?:failed|error))",
            R"(NCCL INFO|^df |tmpfs|Too many open files)",
            "Shared memory (/dev/shm) is full or not visible. Use fewer DataLoader workers, set torch.multiprocessing.set_sharing_strategy('file_system'), or bind /dev/shm into the container.",
            "PyTorch multiprocessing; NCCL troubleshooting, shared memory"},
        {"too-many-files", "file_limit", Rule::Cause, "too many open files|received 0 items of ancdata",
            R"(Too many open files|received 0 items of ancdata)", R"(warn)",
            "The process has too many files open. Put ulimit -n 65536 before srun, use fewer DataLoader workers, or the 'file_system' sharing strategy.",
            "PyTorch multiprocessing, sharing strategies"},
        {"process-limit", "process_limit", Rule::Cause,
            "resource temporarily unavailable|thread creation failed|can't start new thread|unable to create new native thread|for omp thread",
            R"((?:fork|pthread_create|thread|BlockingIOError).*Resource temporarily unavailable|Thread creation failed|can't start new thread|System unable to allocate necessary resources for OMP thread)",
            R"(\bretry|socket|recv|NCCL|lock file)",
            "No more processes or threads may be started. Set OMP_NUM_THREADS to the cores of a rank, use fewer DataLoader workers, and put ulimit -u before srun where the site allows it.",
            "pthread_create(3): EAGAIN; fork(2)"},
        {"disk-full", "disk_quota", Rule::Cause,
            "disk quota exceeded|no space left on device|errno 122|enospc|edquot|pytorchstreamwriter|inline_container.cc|file size limit exceeded",
            R"(Disk quota exceeded|No space left on device|\[Errno 122\]|ENOSPC|EDQUOT|PytorchStreamWriter failed writing|inline_container\.cc\S* .*unexpected pos)",
            R"(/dev/shm|shared memory|</torch_|mkdir -p failed for path .*matplotlib)",
            "The quota or the disk is full. Delete old checkpoints and caches, or set the output folder, HF_HOME and TMPDIR to scratch space; mind the limit on the number of files too.",
            "errno(3): EDQUOT, ENOSPC"},
        {"sampling-nan", "nan_loss", Rule::Cause, "probability tensor contains|number in input is nan",
            R"(probability tensor contains (?:either )?[`']?(?:inf|nan)|(?:number|value) in input is nan)", "",
            "The model's outputs are not numbers, so nothing can be drawn from them. Lower the learning rate, clip gradients, or use bf16 instead of fp16; resume from a checkpoint before.",
            "PyTorch, torch.multinomial"},
        {"loss-nan", "nan_loss", Rule::Cause,
            "  nan|loss: nan|loss nan|loss=nan|loss = nan|loss': nan|loss\": nan|loss is nan|nan loss|loss:  nan|loss: tensor(nan|loss: -nan|loss': 'nan|nan iterations:|loss became nan|loss is not finite|non-finite loss|loss is inf|became infinite or nan|nan or inf "
            "found in|nan detected|found nan|returned nan|unexpected result nan|is nan or inf|loss=-nan|naninf|nan in loss|encountered nan",
            R"((?<!val[ _/])(?<!eval[ _/])(?<!valid[ _/])(?<!test[ _/])(?<!validation[ _/])loss(?:'|")?(?: is| became)?\s*[:=]?\s*(?:tensor\()?['"]?-?(?:nan|inf)\b|\bnan loss|nan iterations:\s+[1-9]|loss is not finite|loss became infinite or nan|non-finite loss|NaN or Inf found in|training_step` is nan|returned nan values|Unexpected result nan|(?:detected|found|encountered) nan|nan (?:detected|in loss))",
            R"(checking for nan|check[_ ]for[_ ]nan|check[-_]nan|(?:no|without|0) nan|\b(?:best|lowest|min|minimum|init\w*)[ _](?:\w+[ _])?loss|detect_?nan|(?:if|when|unless|in case)\b.*\bnan|grad overflow)",
            "The loss is not a number. Lower the learning rate, lengthen the warm-up, clip gradients, or train in bf16 instead of fp16; the last checkpoint before this line is still good.",
            "PyTorch anomaly detection; Megatron-LM training log", false, 1, true},
        {"table-nan", "nan_loss", Rule::Cause, "g        nan|nan        nan",
            R"(^\s*\d+/\d+\s+[\d.]+G\s.*\snan\b)", "",
            "A part of the loss is not a number. Lower the learning rate, lengthen the warm-up, or train without mixed precision (amp=False); the last checkpoint before this line is still good.",
            "Ultralytics training table", false, 1, true},
        {"gradient-nan", "nan_loss", Rule::Cause, "grad norm: |grad_norm': |grad_norm=|grad_norm: ",
            R"(grad[ _]norm['"]?\s*[:=]\s*['"]?nan\b)", R"(grad[ _]norm['"]?\s*[:=]\s*['"]?[\d.])",
            "The gradients are not numbers, so the model does not learn. Lower the learning rate, lengthen the warm-up, or train in bf16 instead of fp16; the last checkpoint before this line is still good.",
            "Megatron-LM training log; Hugging Face Trainer", false, 4, true},
        {"loss-scale-minimum", "loss_scale_overflow", Rule::Cause,
            "loss scale already at minimum|minimum loss scale reached|loss scale reached minimum", R"(loss scale)", "",
            "The fp16 loss scale has fallen to its minimum: gradients overflow in every step. Train in bf16, or lower the learning rate.",
            "DeepSpeed fp16 optimizer; fairseq fp16 optimizer", false, 1, true},
        {"steps-skipped", "loss_scale_overflow", Rule::Cause,
            "number of skipped iterations:|overflow! |gradient overflow|grad overflow",
            R"(skipped iterations:\s+[1-9]|OVERFLOW!|(?:gradient|grad) overflow)", R"(skipped iterations:\s+0)",
            "Step after step is skipped because fp16 gradients overflow; the model does not learn. Train in bf16, or set a lower first loss scale (--initial-loss-scale) and learning rate.",
            "Megatron-LM training log; DeepSpeed loss scaler; Apex amp", false, 4, true},
};
// clang-format on

} // namespace

const QList<DiagnosisRule>& memoryRules()
{
    static const QList<DiagnosisRule> rules(std::begin(memoryTable), std::end(memoryTable));
    return rules;
}

} // namespace rankwright
