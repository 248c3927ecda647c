// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintwords.h"

#include <QHash>

#include <algorithm>
#include <array>
#include <numeric>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

int wordDistance(const QString& a, const QString& b, int limit)
{
    if (std::abs(a.size() - b.size()) > limit || a.size() > 64 || b.size() > 64)
        return limit + 1;
    // Optimal string alignment: three rows of the usual table, a swap looks two rows back.
    std::array<std::array<int, 65>, 3> rows{};
    int* before = rows[0].data();
    int* row = rows[1].data();
    int* next = rows[2].data();
    const int width = static_cast<int>(b.size());
    std::iota(row, row + width + 1, 0);
    for (int i = 1; i <= a.size(); ++i) {
        next[0] = i;
        int least = i;
        for (int j = 1; j <= width; ++j) {
            const int change = a.at(i - 1) == b.at(j - 1) ? 0 : 1;
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + change});
            if (i > 1 && j > 1 && a.at(i - 1) == b.at(j - 2) && a.at(i - 2) == b.at(j - 1))
                next[j] = std::min(next[j], before[j - 2] + 1);
            least = std::min(least, next[j]);
        }
        // A later row is made of this one and, by a swap, of the one before it: only both together rule a word out.
        if (least > limit && (i == 1 || *std::min_element(row, row + width + 1) > limit))
            return limit + 1;
        int* const oldest = before;
        before = row;
        row = next;
        next = oldest;
    }
    return std::min(row[width], limit + 1);
}

QString nearestWord(const QString& typed, const QStringList& words)
{
    const int most = typed.size() < 5 ? 1 : 2;
    int best = most + 1;
    QString found;
    bool tied = false;
    for (const QString& word : words) {
        const int distance = wordDistance(typed, word, most);
        if (distance < best) {
            best = distance;
            found = word;
            tied = false;
        } else if (distance == best && distance <= most && word != found) {
            tied = true;
        }
    }
    return tied ? QString() : found;
}

QString nearestOption(const QString& typed, SlurmOption::Of command)
{
    // What people bring along from PBS, LSF, Grid Engine and from torchrun.
    static const QHash<QString, QString> foreign{{u"walltime"_s, u"time"_s}, {u"wall-time"_s, u"time"_s},
        {u"queue"_s, u"partition"_s}, {u"memory"_s, u"mem"_s}, {u"ram"_s, u"mem"_s}, {u"mem-per-node"_s, u"mem"_s},
        {u"cpus"_s, u"cpus-per-task"_s}, {u"cores"_s, u"cpus-per-task"_s}, {u"ncpus"_s, u"cpus-per-task"_s},
        {u"cpus-per-node"_s, u"cpus-per-task"_s}, {u"cores-per-task"_s, u"cpus-per-task"_s},
        {u"gpu"_s, u"gpus-per-node"_s}, {u"ngpus"_s, u"gpus-per-node"_s}, {u"num-gpus"_s, u"gpus-per-node"_s},
        {u"name"_s, u"job-name"_s}, {u"project"_s, u"account"_s}, {u"email"_s, u"mail-user"_s},
        {u"mail"_s, u"mail-user"_s}, {u"num-nodes"_s, u"nodes"_s}, {u"nnodes"_s, u"nodes"_s},
        {u"num-tasks"_s, u"ntasks"_s}, {u"tasks-per-gpu"_s, u"ntasks-per-gpu"_s}, {u"workdir"_s, u"chdir"_s},
        {u"stdout"_s, u"output"_s}, {u"stderr"_s, u"error"_s}, {u"log"_s, u"output"_s},
        {u"features"_s, u"constraint"_s}, {u"share"_s, u"oversubscribe"_s}, {u"gpu-per-node"_s, u"gpus-per-node"_s},
        {u"gpu-per-task"_s, u"gpus-per-task"_s}};
    QString name = typed.toLower();
    name.replace(u'_', u'-');
    const SlurmOption* exact = findSlurmOption(name, command);
    if (exact && exact->name == name)
        return name;
    if (const QString known = foreign.value(name); !known.isEmpty())
        return known;
    QStringList names;
    for (const SlurmOption& option : slurmOptions()) {
        if (option.takes(command) && !option.plugin)
            names.append(option.name);
    }
    return name.size() < 2 ? QString() : nearestWord(name, names);
}

const QStringList& slurmVariables()
{
    static const QStringList names = QString::fromLatin1(
        "SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_MIN "
        "SLURM_ARRAY_TASK_STEP SLURM_CLUSTER_NAME SLURM_CLUSTERS SLURM_CONF SLURM_CONTAINER SLURM_CONTAINER_ID "
        "SLURM_CPUS_ON_NODE SLURM_CPUS_PER_GPU SLURM_CPUS_PER_TASK SLURM_CPU_BIND SLURM_CPU_BIND_LIST "
        "SLURM_CPU_BIND_TYPE SLURM_CPU_BIND_VERBOSE SLURM_CPU_FREQ_REQ SLURM_DEBUG SLURM_DISABLE_STATUS "
        "SLURM_DISTRIBUTION SLURM_HOSTFILE SLURM_MEM_BIND_LIST SLURM_MEM_BIND_PREFER SLURM_MEM_BIND_TYPE "
        "SLURM_MEM_BIND_VERBOSE SLURM_STEP_GRES "
        "SLURM_DIST_PLANESIZE SLURM_DIST_LLLP SLURM_EXACT SLURM_EXCLUSIVE SLURM_EXPORT_ENV SLURM_GPU_BIND "
        "SLURM_GPU_FREQ "
        "SLURM_GPUS SLURM_GPUS_ON_NODE SLURM_GPUS_PER_NODE SLURM_GPUS_PER_SOCKET SLURM_GPUS_PER_TASK SLURM_GRES "
        "SLURM_GRES_FLAGS SLURM_GTIDS SLURM_HET_SIZE SLURM_HINT SLURM_JOBID SLURM_JOB_ACCOUNT SLURM_JOB_CPUS_PER_NODE "
        "SLURM_JOB_CPUS_PER_NODE_PACK_GROUP SLURM_JOB_DEPENDENCY SLURM_JOB_END_TIME SLURM_JOB_EXTRA SLURM_JOB_GID "
        "SLURM_JOB_GPUS SLURM_JOB_GROUP SLURM_JOB_ID SLURM_JOB_LICENSES SLURM_JOB_NAME SLURM_JOB_NODELIST "
        "SLURM_JOB_NUM_NODES SLURM_JOB_PARTITION SLURM_JOB_QOS SLURM_JOB_RESERVATION SLURM_JOB_RESTART_COUNT "
        "SLURM_JOB_START_TIME SLURM_JOB_UID SLURM_JOB_USER SLURM_KILL_BAD_EXIT SLURM_LABELIO SLURM_LAUNCH_NODE_IPADDR "
        "SLURM_LOCALID SLURM_LOCAL_GLOBALS_FILE SLURM_MEM_BIND SLURM_MEM_PER_CPU SLURM_MEM_PER_GPU SLURM_MEM_PER_NODE "
        "SLURM_MPI_TYPE SLURM_NETWORK SLURM_NNODES SLURM_NODEID SLURM_NODELIST SLURM_NODE_ALIASES SLURM_NPROCS "
        "SLURM_NTASKS SLURM_NTASKS_PER_CORE SLURM_NTASKS_PER_GPU SLURM_NTASKS_PER_NODE SLURM_NTASKS_PER_SOCKET "
        "SLURM_OVERCOMMIT SLURM_OVERLAP SLURM_PARTITION SLURM_PRIO_PROCESS SLURM_PROCID SLURM_PROFILE "
        "SLURM_RESTART_COUNT "
        "SLURM_RESV_PORTS SLURM_SHARDS_ON_NODE SLURM_SPANK_SHIFTER_IMAGE SLURM_SPREAD_JOB SLURM_SRUN_COMM_HOST "
        "SLURM_SRUN_COMM_PORT SLURM_SRUN_REDUCE_TASK_EXIT SLURM_STEPID SLURM_STEP_ID SLURM_STEP_GPUS "
        "SLURM_STEP_LAUNCHER_PORT "
        "SLURM_STEP_NODELIST SLURM_STEP_NUM_NODES SLURM_STEP_NUM_TASKS SLURM_STEP_TASKS_PER_NODE SLURM_STEP_RESV_PORTS "
        "SLURM_SUBMIT_DIR SLURM_SUBMIT_HOST SLURM_SWITCHES SLURMD_NODENAME SLURMD_DEBUG SLURM_TASKS_PER_NODE "
        "SLURM_TASK_PID "
        "SLURM_THREADS_PER_CORE SLURM_THREAD_SPEC SLURM_TIMELIMIT SLURM_TIME_FORMAT SLURM_TMPDIR SLURM_TOPOLOGY_ADDR "
        "SLURM_TOPOLOGY_ADDR_PATTERN SLURM_TRES_BIND SLURM_TRES_FREQ SLURM_TRES_PER_TASK SLURM_UMASK "
        "SLURM_UNBUFFEREDIO "
        "SLURM_WAIT SLURM_WCKEY SLURM_WHOLE SLURM_WORKING_CLUSTER SLURM_ACCOUNT SLURM_QOS SLURM_RESERVATION "
        "SLURM_MULTI_PROG SLURM_IMMEDIATE SLURM_REQUEUE SLURM_OPEN_MODE SLURM_INPUT_ENV SLURM_STEP_KILLED_MSG_NODE_ID "
        "SLURM_COMPRESS SLURM_BCAST SLURM_DELAY_BOOT SLURM_EXPORT SLURM_JOB_CONSTRAINTS "
        "SLURM_MPI_TYPE_HPE SLURM_NO_KILL SLURM_RLIMIT_NOFILE SLURM_ROOT SLURM_HOME SLURM_BIN SLURM_PATH SLURM_VERSION")
                                         .split(u' ');
    return names;
}

const QStringList& readNames()
{
    static const QStringList names = QString::fromLatin1(
        "MIOPEN_USER_DB_PATH MIOPEN_CUSTOM_CACHE_DIR MIOPEN_DISABLE_CACHE NCCL_SOCKET_IFNAME NCCL_NET_GDR_LEVEL "
        "NCCL_DEBUG "
        "NCCL_DEBUG_SUBSYS NCCL_DEBUG_FILE NCCL_IB_DISABLE NCCL_IB_HCA NCCL_IB_TIMEOUT NCCL_P2P_DISABLE NCCL_CROSS_NIC "
        "NCCL_NET GLOO_SOCKET_IFNAME OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES MKL_NUM_THREADS MASTER_ADDR MASTER_PORT "
        "WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES "
        "CUDA_DEVICE_MAX_CONNECTIONS CUDA_LAUNCH_BLOCKING TORCH_NCCL_ASYNC_ERROR_HANDLING TORCH_NCCL_BLOCKING_WAIT "
        "TORCH_DISTRIBUTED_DEBUG TOKENIZERS_PARALLELISM PYTHONUNBUFFERED PYTHONFAULTHANDLER HF_HOME HF_DATASETS_CACHE "
        "HF_DATASETS_OFFLINE HF_HUB_OFFLINE TRANSFORMERS_OFFLINE TRANSFORMERS_CACHE TORCH_HOME TRITON_CACHE_DIR "
        "TORCH_EXTENSIONS_DIR PYTORCH_CUDA_ALLOC_CONF PYTORCH_HIP_ALLOC_CONF FI_CXI_DEFAULT_CQ_SIZE FI_PROVIDER "
        "SINGULARITY_BIND APPTAINER_BIND ACCELERATE_CPU_AFFINITY SRUN_CPUS_PER_TASK LD_LIBRARY_PATH PYTHONPATH "
        "SINGULARITYENV_LD_LIBRARY_PATH XDG_CACHE_HOME WANDB_MODE WANDB_PROJECT CUDA_HOME ROCM_PATH")
                                         .split(u' ');
    return names;
}

} // namespace rankwright::inline script::lint
