// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertrule.h"

namespace rankwright {

const QList<AlertRule>& alertRules()
{
    using Level = Alert::Level;
    static const QList<AlertRule> rules{
        {"A01", "output_failure", Level::Failure, 0, 0, seeOutput, "A02 A03 A04 A05 A06 A07 A08 A09 A10 A14 A17 A22",
            "The job's own output says what went wrong.", "", "", "the job's output"},
        {"A02", "hang", Level::Failure, 2000, 8000, seeHang, "A07 A08 A09 A10 A14 A17 A22",
            "Every collective needs all ranks: as long as one does not come, all the others spin and nothing is "
            "learned.",
            "Look at what the late rank does (py-spy dump --pid on its node, its last lines of output). Run once with "
            "TORCH_NCCL_ASYNC_ERROR_HANDLING=1 and a shorter time-out, so that the next hang ends by itself.",
            "", "PyTorch ProcessGroupNCCL; power of waiting GPUs measured on LUMI"},
        {"A03", "dead_node", Level::Failure, 1000, 8000, seeDeadNode, "A02 A04 A05 A06 A07 A08 A09 A14 A17 A22",
            "The ranks of a node that is gone cannot be waited for: the job will not go on.", "", "options.exclude",
            "slurm.conf, SlurmdTimeout"},
        {"A04", "lost_rank", Level::Failure, 0, 8000, seeLostRank, "A02 A07 A08 A09 A10 A14 A17 A22",
            "The others wait for it in their next collective, until a time-out ends the job.",
            "Look at the last lines of its output; with --kill-on-bad-exit=1 srun ends the job at once when a rank "
            "dies.",
            "", "srun(1), --kill-on-bad-exit"},
        {"A05", "missing_rank", Level::Failure, 0, 8000, seeMissingRank, "A02 A10 A17 A22",
            "The rendezvous is complete only when WORLD_SIZE ranks have come; until its time-out all others wait.",
            "Start as many processes as WORLD_SIZE says (%launch), on all nodes: srun in front of the program.",
            "launcher", "PyTorch distributed, initialisation"},
        {"A06", "silent_node", Level::Warning, 0, 2000, seeSilentNode, "",
            "Its cells keep the last value and are hatched; the job itself may well go on.",
            "Look whether Slurm still has the node (scontrol show node); values come back by themselves.", "",
            "the sampling command's heartbeat"},
        {"A07", "straggler", Level::Warning, 6000, 6000, seeStraggler, "A08 A09 A14",
            "All ranks meet after every step: the slowest one sets the pace and the others spin at full use and little "
            "power until it comes.",
            "Compare its clock and temperature, what else runs on its cores, and its share of the data; if it is the "
            "GPU, submit without the node (--exclude).",
            "options.exclude", "power of waiting GPUs measured on LUMI; NVIDIA/nccl issue 1324"},
        {"A08", "uneven_work", Level::Hint, 30'000, 10'000, seeUnevenWork, "",
            "It waits less than it could work: its share of the data or of the model is smaller.",
            "Give all ranks the same number of samples (DistributedSampler with drop_last=True) and layers.", "",
            "PyTorch DistributedSampler"},
        {"A09", "waiting_collective", Level::Warning, 60'000, 10'000, seeWaiting, "",
            "Full use at so little power is a kernel that spins for others or for the network, not work.",
            "If steps come slowly: check the network variables of the site (NCCL_SOCKET_IFNAME, NCCL_NET_GDR_LEVEL), "
            "and accumulate gradients so that ranks meet less often.",
            "training.globalBatch",
            "power of waiting GPUs measured on LUMI; NCCL documentation, environment variables"},
        {"A10", "idle_gpus", Level::Warning, 3000, 6000, seeIdleGpus, "", "They are paid for and do nothing.", "",
            "launcher", "LUMI AI workshop, checking GPU usage"},
        {"A11", "crowded_gpu", Level::Warning, 6000, 6000, seeCrowdedGpu, "A07 A10 A14 A17",
            "The ranks take turns on one device and share its memory, while the others are paid for and empty.",
            "Choose the device by the local rank (torch.cuda.set_device(int(os.environ[\"LOCAL_RANK\"]))), and let "
            "ROCR_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES name one GPU for each rank or all of them.",
            "launcher", "PyTorch DistributedDataParallel; LUMI AI workshop"},
        {"A12", "wrong_binding", Level::Warning, 5000, 6000, seeWrongBinding, "",
            "Ranks far from their GPU reach it through the other sockets, and share cores with neighbours.",
            "Bind the ranks as the map shows: %bind.", "options.cpuBinding",
            "LUMI documentation, distribution and binding"},
        {"A13", "shared_cores", Level::Warning, 5000, 6000, seeSharedCores, "",
            "They and their data loaders take turns on those cores, so that GPUs wait.",
            "Give each rank cores of its own: %bind.", "options.cpuBinding", "srun(1), --cpu-bind"},
        {"A14", "data_loading", Level::Warning, 3000, 8000, seeDataLoading, "A17",
            "GPUs that pause together at every step wait for their next batch, not for each other.",
            "Load ahead: more workers (num_workers, persistent_workers=True, pin_memory=True), --cpus-per-task for "
            "them, "
            "and many small files packed into few large ones.",
            "resources.cpusPerGpu", "PyTorch DataLoader; LUMI AI workshop, data loading"},
        {"A15", "memory_growing", Level::Warning, 2000, 30'000, seeMemoryFull, "",
            "When it does not fit any more the job ends with an out-of-memory error.",
            "Lower the micro-batch, and look for tensors that are kept from step to step (losses added up with their "
            "graph: use loss.item()).",
            "training.microBatch", "PyTorch FAQ, memory that is not freed"},
        {"A16", "loss_nan", Level::Failure, 0, 5000, seeLossNotANumber, "",
            "From here on nothing is learned; what follows costs time only.",
            "Stop it; go back to the last checkpoint with a lower learning rate, gradient clipping, or bf16 in place "
            "of "
            "fp16.",
            "training.precision", "PyTorch, automatic mixed precision"},
        {"A17", "small_work", Level::Hint, 20'000, 10'000, seeSmallWork, "",
            "So small a step is mostly starting kernels and exchanging gradients: more GPUs make it slower.",
            "A larger micro-batch, or fewer GPUs: the scaling view shows how many pay.", "training.microBatch",
            "PyTorch performance tuning guide"},
        {"A18", "uneven_stages", Level::Hint, 30'000, 10'000, seeUnevenStages, "",
            "A pipeline runs at the pace of its slowest stage; the others wait in its bubbles.",
            "Move layers from the hardest stage to the others; embedding and output layer count as layers.",
            "parallel.pipeline", "Megatron-LM, pipeline parallelism"},
        {"A19", "throttled", Level::Warning, 15'000, 15'000, seeThrottled, "",
            "A GPU that is slowed down by heat or hardware slows all ranks down, since they meet at every step.", "",
            "options.exclude", "NVML, clocks event reasons; AMD SMI, throttle status"},
        {"A20", "host_memory", Level::Warning, 10'000, 10'000, seeHostMemory, "",
            "When it is used up the system kills processes of the job.",
            "Ask for more (--mem), or use fewer loader workers; each one keeps its own copy of the data set's index.",
            "resources.memoryPerNode", "Linux, /proc/meminfo; PyTorch DataLoader"},
        {"A21", "time_limit", Level::Warning, 5000, 10'000, seeTimeLimit, "",
            "Slurm ends the job then, and what came after the last checkpoint is lost.", "", "time",
            "sbatch(1), --time"},
        {"A22", "stalled", Level::Warning, 0, 8000, seeStall, "",
            "The processes live and wait for something else: a file system, a lock, a download, the data loader.",
            "Look at what the ranks do: py-spy dump --pid on a node, and the last lines of the output.", "",
            "py-spy documentation"},
        {"A23", "memory_unused", Level::Hint, 0, 30'000, seeMemoryUnused, "",
            "A larger micro-batch uses the GPU better, or the same work fits on fewer of them.",
            "Raise the micro-batch, or ask for fewer GPUs.", "training.microBatch", "LUMI AI workshop; Jobstats notes"},
        {"A24", "unused_share", Level::Hint, 0, 10'000, seeUnusedShare, "",
            "The rest of the share is billed whether it is used or not.",
            "Ask for the cores and memory that belong to your GPUs, or use all GPUs that are paid for.",
            "resources.gpusPerNode", "the site's billing rule"},
        {"A25", "secondary_die_power", Level::Normal, 8000, 60'000, seeSecondaryDies, "",
            "The tool tells it on the first die of a package; it belongs to both.", "", "",
            "AMD Instinct MI250X; rocm-smi prints N/A (Secondary die)"},
    };
    return rules;
}

} // namespace rankwright
