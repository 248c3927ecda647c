// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/optionhelp.h"

#include "models/script/batch/slurmoptions.h"

#include <QHash>

#include <algorithm>

namespace rankwright::inline script {

using namespace Qt::StringLiterals;

namespace {

using V = OptionHelp::Value;
using Of = SlurmOption::Of;
constexpr Of Both = Of::Both;
constexpr Of Sbatch = Of::Sbatch;
constexpr Of Srun = Of::Srun;
enum LauncherProgram { Torchrun, Accelerate, Deepspeed };

struct SlurmRow {
    Of of;
    const char* name;
    V value;
    const char* help;
    const char* choices = "";
};

struct LauncherRow {
    LauncherProgram program;
    const char* name;
    char letter;
    V value;
    const char* help;
    const char* choices = "";
};

constexpr const char* binds = "block:block|block:cyclic|cyclic:block|cyclic:cyclic|plane=";
constexpr const char* mails = "NONE|BEGIN|END|FAIL|REQUEUE|ALL|TIME_LIMIT|TIME_LIMIT_90|TIME_LIMIT_80|ARRAY_TASKS";

// What slurmOptions() lists, in plain words; after sbatch(1) and srun(1).
constexpr SlurmRow slurmRows[] = {
    {Both, "account", V::Account, "The project that pays for the job"},
    {Both, "acctg-freq", V::Text, "How often accounting data is sampled"},
    {Both, "argos", V::Text, "Plug-in of some sites: whether the job's efficiency is recorded"},
    {Sbatch, "array", V::Text, "Submit the job several times with an index: 0-9, 1,3,5, 0-99%4 for four at a time"},
    {Sbatch, "batch", V::Constraint, "Features that the node of the batch script must have"},
    {Both, "bb", V::Text, "Burst buffer specification"},
    {Both, "bbf", V::Path, "File with the burst buffer specification"},
    {Srun, "bcast", V::Path, "Copy the program to the nodes before it starts"},
    {Both, "begin", V::Text, "Do not start before this time: now+1hour, 2027-01-31T08:00"},
    {Both, "chdir", V::Path, "Working directory of the job"},
    {Both, "cluster-constraint", V::Constraint, "Features that a federated cluster must have"},
    {Both, "clusters", V::Text, "Clusters to submit to"},
    {Both, "comment", V::Text, "Free text kept with the job"},
    {Both, "constraint", V::Constraint, "Features that the nodes must have"},
    {Both, "container", V::Path, "OCI container bundle"},
    {Both, "container-id", V::Text, "Name of the OCI container"},
    {Both, "contiguous", V::None, "Nodes must be next to each other"},
    {Both, "core-spec", V::Number, "Cores per node kept for the system"},
    {Both, "cores-per-socket", V::Number, "Nodes must have at least this many cores per socket"},
    {Srun, "cpu-bind", V::Choice, "How tasks are bound to cores", "cores|none|map_cpu:|mask_cpu:|threads|ldoms|rank"},
    {Both, "cpu-freq", V::Text, "Processor frequency for the job"},
    {Both, "cpus-per-gpu", V::Number, "Cores for each GPU; not together with --cpus-per-task"},
    {Both, "cpus-per-task", V::Number, "Cores for each task; srun needs it again since Slurm 22.05"},
    {Both, "deadline", V::Text, "Remove the job when it cannot end before this time"},
    {Both, "delay-boot", V::Number, "Minutes to wait before nodes are rebooted for their features"},
    {Both, "dependency", V::Choice, "Start only after other jobs",
        "afterok:|afterany:|afternotok:|after:|aftercorr:|singleton"},
    {Both, "distribution", V::Choice, "How tasks are spread over nodes and sockets", binds},
    {Both, "error", V::Path, "File for standard error; %x name, %j job, %A and %a array, %N node"},
    {Both, "exclude", V::Text, "Nodes not to use"},
    {Both, "exclusive", V::Choice, "Share the nodes with no other job", "user|mcs|topo"},
    {Both, "export", V::Choice, "Variables exported to the job", "ALL|NONE|NIL"},
    {Sbatch, "export-file", V::Path, "File with variables exported to the job"},
    {Both, "extra-node-info", V::Text, "Sockets:cores:threads that nodes must have"},
    {Sbatch, "get-user-env", V::Text, "Set the login environment of the user"},
    {Both, "gid", V::Text, "Group that the job runs as"},
    {Both, "gpu-bind", V::Choice, "Which GPUs a task sees",
        "none|closest|single:1|per_task:1|map_gpu:|mask_gpu:|verbose,closest"},
    {Both, "gpu-freq", V::Text, "GPU frequency: low, medium, high, highm1 or a value in MHz"},
    {Both, "gpus", V::Gres, "GPUs of the whole job"},
    {Both, "gpus-per-node", V::Gres, "GPUs on each node"},
    {Both, "gpus-per-socket", V::Gres, "GPUs on each socket"},
    {Both, "gpus-per-task", V::Gres,
        "GPUs of each task alone: hides the other GPUs of the node, which breaks NCCL/RCCL "
        "unless the site says otherwise"},
    {Both, "gres", V::Gres, "Generic resources on each node: gpu:a100:4"},
    {Both, "gres-flags", V::Choice, "How generic resources are given",
        "allow-task-sharing|disable-binding|enforce-binding|one-task-per-sharing|multiple-tasks-per-sharing"},
    {Both, "hint", V::Choice, "Hyper-threads and memory bandwidth",
        "nomultithread|multithread|compute_bound|memory_bound"},
    {Sbatch, "hold", V::None, "Submit the job held"},
    {Sbatch, "ignore-pbs", V::None, "Do not read #PBS lines"},
    {Srun, "immediate", V::Number, "Give up when the resources are not free at once"},
    {Both, "input", V::Path, "File for standard input"},
    {Both, "job-name", V::Text, "Name of the job in the queue"},
    {Srun, "jobid", V::Text, "Start the step in this job"},
    {Srun, "kill-on-bad-exit", V::Number, "End the step as soon as one task fails: 1"},
    {Sbatch, "kill-on-invalid-dep", V::Choice, "Remove the job when its dependency can never be met", "yes|no"},
    {Srun, "label", V::None, "Put the task number before each line of output"},
    {Both, "licenses", V::Text, "Licences that the job needs, on some sites file systems"},
    {Both, "mail-type", V::Choice, "When to send mail", mails},
    {Both, "mail-user", V::Text, "Address that gets the mail"},
    {Both, "mcs-label", V::Text, "Label of multi-category security"},
    {Both, "mem", V::Memory, "Memory on each node (not of the job): 480G; 0 takes all of it"},
    {Both, "mem-bind", V::Choice, "How memory is bound", "local|none|map_mem:|mask_mem:|rank"},
    {Both, "mem-per-cpu", V::Memory, "Memory for each core"},
    {Both, "mem-per-gpu", V::Memory, "Memory for each GPU"},
    {Both, "mincpus", V::Number, "Cores that a node must have at least"},
    {Srun, "mpi", V::Choice, "Type of MPI: how ranks find each other", "pmix|pmi2|none|cray_shasta|list"},
    {Srun, "multi-prog", V::None, "Different programs for different tasks, from a file"},
    {Both, "network", V::Text, "Settings of the interconnect"},
    {Both, "nice", V::Number, "Lower the job's priority"},
    {Both, "no-kill", V::None, "Go on when a node fails"},
    {Sbatch, "no-requeue", V::None, "Never start the job again"},
    {Both, "nodefile", V::Path, "File with the nodes to use"},
    {Both, "nodelist", V::Text, "Nodes that the job must get"},
    {Both, "nodes", V::Number, "Nodes of the job"},
    {Both, "ntasks", V::Number, "Tasks of the whole job"},
    {Both, "ntasks-per-core", V::Number, "Tasks on each core at most"},
    {Both, "ntasks-per-gpu", V::Number, "Tasks for each GPU"},
    {Both, "ntasks-per-node", V::Number, "Tasks on each node: one per GPU for srun, one per node for torchrun"},
    {Both, "ntasks-per-socket", V::Number, "Tasks on each socket at most"},
    {Both, "open-mode", V::Choice, "What happens to an output file that exists", "append|truncate"},
    {Both, "output", V::Path, "File for standard output; %x name, %j job, %A and %a array, %N node"},
    {Both, "overcommit", V::None, "More tasks than cores"},
    {Srun, "overlap", V::None, "The step shares resources with other steps of the job"},
    {Both, "oversubscribe", V::None, "Other jobs may use the same cores"},
    {Sbatch, "parsable", V::None, "Print the job id alone"},
    {Both, "partition", V::Partition, "The queue"},
    {Both, "power", V::Text, "Power management"},
    {Both, "prefer", V::Constraint, "Features that nodes should have if possible"},
    {Srun, "preserve-env", V::None, "Keep SLURM_JOB_NUM_NODES and SLURM_NTASKS"},
    {Both, "priority", V::Text, "Priority of the job, for administrators"},
    {Both, "profile", V::Choice, "What is measured", "none|all|energy|task|filesystem|network"},
    {Both, "propagate", V::Text, "Resource limits propagated to the job"},
    {Srun, "pty", V::None, "Run the first task in a terminal"},
    {Both, "qos", V::Qos, "Quality of service: its own limits and priority"},
    {Both, "quiet", V::None, "Fewer messages"},
    {Both, "reboot", V::None, "Reboot the nodes first"},
    {Srun, "relative", V::Number, "Start the step on this node of the job, counted from 0"},
    {Sbatch, "requeue", V::Choice, "Start the job again after a node failure or preemption", "expedite"},
    {Both, "reservation", V::Reservation, "Nodes set aside in advance, for example for a workshop"},
    {Both, "segment", V::Number, "Nodes that must share one block of the network"},
    {Both, "signal", V::Text, "Send a signal before the time limit: B:USR1@300 to the script, USR1@120 to the tasks"},
    {Srun, "slurmd-debug", V::Text, "Verbosity of slurmd"},
    {Both, "sockets-per-node", V::Number, "Sockets that a node must have"},
    {Both, "spread-job", V::None, "Spread the job over as many nodes as possible"},
    {Both, "stepmgr", V::None, "Manage steps on the node of the job"},
    {Both, "switches", V::Text, "At most this many leaf switches, and how long to wait for that: 1@12:00:00"},
    {Srun, "task-epilog", V::Path, "Program to run after each task"},
    {Srun, "task-prolog", V::Path, "Program to run before each task"},
    {Sbatch, "test-only", V::None, "Ask when the job would start; nothing is queued"},
    {Both, "thread-spec", V::Number, "Threads per node kept for the system"},
    {Both, "threads-per-core", V::Number, "Hyper-threads to use of each core"},
    {Both, "time", V::Time, "Time limit: 90 (minutes), 12:00:00, 2-00:00:00"},
    {Both, "time-min", V::Time, "The minimum time limit: may start earlier"},
    {Both, "tmp", V::Memory, "Disk space that /tmp of a node must have"},
    {Both, "tres-bind", V::Text, "How tasks are bound to resources: gres/gpu:closest"},
    {Both, "tres-per-task", V::Text, "Resources of each task: cpu:4,gres/gpu:1"},
    {Srun, "unbuffered", V::None, "Show output at once"},
    {Both, "uid", V::Text, "User that the job runs as"},
    {Both, "use-min-nodes", V::None, "Take the least number of nodes of a range"},
    {Both, "verbose", V::None, "More messages"},
    {Srun, "wait", V::Number, "Seconds to wait for the others after the first task ended"},
    {Sbatch, "wait", V::None, "sbatch waits until the job ends"},
    {Both, "wait-all-nodes", V::Number, "1: start only when all nodes are up"},
    {Both, "wckey", V::Text, "Key for accounting by project"},
    {Sbatch, "wrap", V::Text, "A command in place of a script; not for #SBATCH lines"},
    {Srun, "accel-bind", V::Text, "How tasks are bound to GPUs and network cards"},
    {Srun, "bcast-exclude", V::Path, "Paths that --bcast does not copy"},
    {Srun, "compress", V::Text, "Compress what --bcast copies"},
    {Srun, "disable-status", V::None, "Ctrl+C ends the step at once"},
    {Srun, "epilog", V::Path, "Program to run after the step"},
    {Srun, "exact", V::None, "Only the resources asked for, so that steps can run side by side"},
    {Both, "help", V::None, "Print all options"},
    {Srun, "het-group", V::Text, "Part of a heterogeneous job"},
    {Srun, "msg-timeout", V::Number, "Seconds to wait for answers of the nodes"},
    {Srun, "no-allocate", V::None, "Start without an allocation, for administrators"},
    {Both, "ntasks-per-tres", V::Number, "Tasks for each GPU"},
    {Srun, "prolog", V::Path, "Program to run before the step"},
    {Srun, "quit-on-interrupt", V::None, "One Ctrl+C ends the step"},
    {Both, "resv-ports", V::Number, "Ports reserved for MPI"},
    {Srun, "send-libs", V::Choice, "Copy libraries together with --bcast", "yes|no"},
    {Srun, "threads", V::Number, "Threads that srun itself uses"},
    {Both, "usage", V::None, "Print a short summary of the options"},
    {Both, "version", V::None, "Print Slurm's version"},
    {Srun, "x11", V::Choice, "Forward X11", "all|first|last"},
    {Both, "container-image", V::Path, "Container image to run in (pyxis)"},
    {Both, "container-mounts", V::Text, "Folders seen in the container: /from:/to (pyxis)"},
    {Both, "container-name", V::Text, "Name that keeps the container for later steps (pyxis)"},
    {Both, "container-save", V::Path, "File to save the container in afterwards (pyxis)"},
    {Both, "container-workdir", V::Path, "Working directory in the container (pyxis)"},
    {Both, "container-mount-home", V::None, "Show the home folder in the container (pyxis)"},
    {Both, "no-container-mount-home", V::None, "Hide the home folder from the container (pyxis)"},
    {Both, "container-remap-root", V::None, "Be root in the container (pyxis)"},
    {Both, "no-container-remap-root", V::None, "Keep your own user in the container (pyxis)"},
    {Both, "container-entrypoint", V::None, "Run the image's entry point (pyxis)"},
    {Both, "no-container-entrypoint", V::None, "Do not run the image's entry point (pyxis)"},
    {Both, "container-writable", V::None, "The container may be written to (pyxis)"},
    {Both, "container-readonly", V::None, "The container is read only (pyxis)"},
    {Both, "container-env", V::Text, "Variables that the image must not replace (pyxis)"},
    {Both, "environment", V::Path, "Container environment file (CSCS)"},
    {Both, "uenv", V::Text, "User environment: image, or image:mount point (CSCS)"},
    {Both, "view", V::Text, "View of the user environment that is loaded (CSCS)"},
    {Both, "image", V::Text, "Container image (shifter)"},
    {Both, "module", V::Text, "Modules of the container (shifter)"},
    {Both, "volume", V::Text, "Folders seen in the container (shifter)"},
    {Srun, "async", V::None, "Start the step and go on at once; the step's number is printed"},
    {Both, "consolidate-segments", V::None, "All segments in one larger block of the network"},
    {Both, "container-id", V::Text, "Name of an OCI container"},
    {Both, "cuda-mps", V::None, "Several processes share a GPU by CUDA's MPS (JSC)"},
    {Both, "disable-dcgm", V::None, "Switch the site's GPU monitoring off, for profilers (JSC)"},
    {Both, "disable-perfparanoid", V::None, "Let profilers read the processor's counters (JSC)"},
    {Sbatch, "external", V::None, "A job that something other than Slurm starts"},
    {Srun, "external-launcher", V::Text, "A step for another launcher, such as that of an MPI library"},
    {Both, "extra", V::Text, "Free text; at some sites a condition on the nodes"},
    {Both, "gpu-srange", V::Text, "Clock range of the GPUs: 800-1700 (OLCF)"},
    {Srun, "ignore-signals", V::Text, "Signals that srun does not react to"},
    {Srun, "interactive", V::None, "The step of an interactive job"},
    {Both, "oom-kill-step", V::Choice, "End the whole step when one task runs out of memory", "0|1"},
    {Both, "resources", V::Text, "Resources of groups of nodes: name:count"},
    {Both, "spread-segments", V::None, "Segments in different blocks of the network"},
    {Srun, "treewidth", V::Number, "Nodes that each node starts the next ones of"},
    {Srun, "wait-for-children", V::None, "A task ends when all its processes have ended"},
    {Srun, "whole", V::None, "All of the job's resources on each node of the step"},
    {Srun, "auto-resume", V::Choice, "Replace a faulty node and start again (HyperPod)", "0|1"},
};

// https://pytorch.org/docs/stable/elastic/run.html, huggingface.co/docs/accelerate, deepspeed's runner.py
constexpr LauncherRow launcherRows[] = {
    {Torchrun, "nnodes", 0, V::Number, "Nodes of the job, or min:max"},
    {Torchrun, "nproc-per-node", 0, V::Choice, "Workers on each node", "gpu|auto|cpu"},
    {Torchrun, "nproc_per_node", 0, V::Choice, "Workers on each node", "gpu|auto|cpu"},
    {Torchrun, "rdzv-backend", 0, V::Choice, "Back end of the rendezvous", "c10d|static|etcd-v2"},
    {Torchrun, "rdzv_backend", 0, V::Choice, "Back end of the rendezvous", "c10d|static|etcd-v2"},
    {Torchrun, "rdzv-endpoint", 0, V::Text, "Endpoint of the rendezvous, host:port"},
    {Torchrun, "rdzv_endpoint", 0, V::Text, "Endpoint of the rendezvous, host:port"},
    {Torchrun, "rdzv-id", 0, V::Text, "Id of the rendezvous: the job id"},
    {Torchrun, "rdzv_id", 0, V::Text, "Id of the rendezvous: the job id"},
    {Torchrun, "rdzv-conf", 0, V::Text, "Further settings of the rendezvous: timeout=900"},
    {Torchrun, "standalone", 0, V::None, "All on this node: never on several nodes"},
    {Torchrun, "max-restarts", 0, V::Number, "Restarts of the workers before the job fails"},
    {Torchrun, "monitor-interval", 0, V::Number, "Seconds between checks of the workers"},
    {Torchrun, "start-method", 0, V::Choice, "How workers are started", "spawn|fork|forkserver"},
    {Torchrun, "role", 0, V::Text, "Name of the workers' role"},
    {Torchrun, "module", 'm', V::None, "Run a Python module instead of a file"},
    {Torchrun, "no-python", 0, V::None, "Run the program itself, not through Python"},
    {Torchrun, "run-path", 0, V::None, "Run the script in the same interpreter"},
    {Torchrun, "log-dir", 0, V::Path, "Folder for the workers' logs"},
    {Torchrun, "redirects", 'r', V::Text, "Which streams go to the logs: 3 for both"},
    {Torchrun, "tee", 't', V::Text, "Which streams go to logs and screen: 3 for both"},
    {Torchrun, "local-ranks-filter", 0, V::Text, "Show only these local ranks"},
    {Torchrun, "node-rank", 0, V::Number, "Number of this node, with the static back end"},
    {Torchrun, "node_rank", 0, V::Number, "Number of this node, with the static back end"},
    {Torchrun, "master-addr", 0, V::Text, "Address of the first node, with the static back end"},
    {Torchrun, "master_addr", 0, V::Text, "Address of the first node, with the static back end"},
    {Torchrun, "master-port", 0, V::Number, "Port on the first node, with the static back end"},
    {Torchrun, "master_port", 0, V::Number, "Port on the first node, with the static back end"},
    {Torchrun, "local-addr", 0, V::Text, "Address of this node"},
    {Torchrun, "numa-binding", 0, V::Choice, "Cores of each worker, PyTorch 2.9 and newer",
        "node|socket|exclusive|core-complex"},
    {Torchrun, "signals-to-handle", 0, V::Text, "Signals that the agent passes on: SIGTERM,SIGINT,SIGUSR1"},
    {Accelerate, "config_file", 0, V::Path, "Settings of accelerate (YAML)"},
    {Accelerate, "multi_gpu", 0, V::None, "Several GPUs"},
    {Accelerate, "num_machines", 0, V::Number, "Nodes of the job"},
    {Accelerate, "num_processes", 0, V::Number, "Workers of the whole job, not of a node"},
    {Accelerate, "machine_rank", 0, V::Number, "Number of this node"},
    {Accelerate, "main_process_ip", 0, V::Text, "Address of the first node"},
    {Accelerate, "main_process_port", 0, V::Number, "Port on the first node"},
    {Accelerate, "rdzv_backend", 0, V::Choice, "Back end of the rendezvous", "c10d|static"},
    {Accelerate, "mixed_precision", 0, V::Choice, "Number format of the computation", "no|fp16|bf16|fp8"},
    {Accelerate, "use_deepspeed", 0, V::None, "Train with DeepSpeed"},
    {Accelerate, "deepspeed_config_file", 0, V::Path, "DeepSpeed's settings (JSON)"},
    {Accelerate, "deepspeed_multinode_launcher", 0, V::Choice, "How DeepSpeed reaches the other nodes",
        "standard|pdsh"},
    {Accelerate, "zero_stage", 0, V::Choice, "ZeRO stage", "0|1|2|3"},
    {Accelerate, "use_fsdp", 0, V::None, "Train with FSDP"},
    {Accelerate, "fsdp_sharding_strategy", 0, V::Choice, "What FSDP shards",
        "FULL_SHARD|SHARD_GRAD_OP|HYBRID_SHARD|NO_SHARD"},
    {Accelerate, "dynamo_backend", 0, V::Choice, "torch.compile back end", "no|inductor|eager"},
    {Accelerate, "gradient_accumulation_steps", 0, V::Number, "Micro-batches per step"},
    {Deepspeed, "hostfile", 'H', V::Path, "File with hosts and slots"},
    {Deepspeed, "num_nodes", 0, V::Number, "Nodes of the job"},
    {Deepspeed, "num_gpus", 0, V::Number, "GPUs on each node"},
    {Deepspeed, "master_addr", 0, V::Text, "Address of the first node"},
    {Deepspeed, "master_port", 0, V::Number, "Port on the first node"},
    {Deepspeed, "launcher", 0, V::Choice, "How DeepSpeed reaches the other nodes", "pdsh|slurm|openmpi|mpich|mvapich"},
    {Deepspeed, "launcher_args", 0, V::Text, "Further arguments of that launcher"},
    {Deepspeed, "no_ssh", 0, V::None, "Started once on each node, so nothing is reached by ssh"},
    {Deepspeed, "node_rank", 0, V::Number, "Number of this node, with --no_ssh"},
    {Deepspeed, "include", 'i', V::Text, "Hosts and GPUs to use: host:0,1"},
    {Deepspeed, "exclude", 'e', V::Text, "Hosts and GPUs not to use"},
    {Deepspeed, "module", 0, V::None, "Run a Python module instead of a file"},
    {Deepspeed, "no_python", 0, V::None, "Run the program itself, not through Python"},
    {Deepspeed, "deepspeed_config", 0, V::Path, "DeepSpeed's settings (JSON), read by the script"},
    {Deepspeed, "bind_cores_to_rank", 0, V::None, "Bind each rank to cores"},
};

QStringList split(const char* choices) { return QString::fromLatin1(choices).split(u'|', Qt::SkipEmptyParts); }

QList<OptionHelp> slurmTable(Of command)
{
    QList<OptionHelp> table;
    for (const SlurmOption& option : slurmOptions()) {
        if (!option.takes(command))
            continue;
        OptionHelp help;
        help.name = option.name;
        help.letter = option.letter;
        help.value = option.argument == SlurmOption::Argument::None ? V::None : V::Text;
        help.optionalValue = option.argument == SlurmOption::Argument::Optional;
        const auto named = [&option, command](const SlurmRow& row, bool any) {
            return option.name == QLatin1String(row.name) && (any || row.of == Of::Both || row.of == command);
        };
        const auto* row = std::find_if(
            std::begin(slurmRows), std::end(slurmRows), [&](const SlurmRow& each) { return named(each, false); });
        if (row == std::end(slurmRows)) // explained for the other program: it means the same here
            row = std::find_if(
                std::begin(slurmRows), std::end(slurmRows), [&](const SlurmRow& each) { return named(each, true); });
        if (row != std::end(slurmRows)) {
            help.help = QString::fromUtf8(row->help);
            help.choices = split(row->choices);
            if (help.value != V::None && row->value != V::None)
                help.value = row->value;
        }
        table.append(help);
    }
    return table;
}

QList<OptionHelp> launcherTable(LauncherProgram program)
{
    QList<OptionHelp> table;
    for (const LauncherRow& row : launcherRows) {
        if (row.program == program)
            table.append({QString::fromLatin1(row.name), QChar::fromLatin1(row.letter), row.value, false,
                QString::fromUtf8(row.help), split(row.choices)});
    }
    return table;
}

QList<OptionHelp> sorted(QList<OptionHelp> table)
{
    std::sort(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return table;
}

} // namespace

const QList<OptionHelp>& optionsOf(const QString& program)
{
    static const QHash<QString, QList<OptionHelp>> tables{{u"sbatch"_s, sorted(slurmTable(Of::Sbatch))},
        {u"srun"_s, sorted(slurmTable(Of::Srun))}, {u"torchrun"_s, sorted(launcherTable(Torchrun))},
        {u"accelerate launch"_s, sorted(launcherTable(Accelerate))},
        {u"deepspeed"_s, sorted(launcherTable(Deepspeed))}};
    static const QList<OptionHelp> none;
    const auto found = tables.constFind(program);
    return found == tables.constEnd() ? none : *found;
}

const OptionHelp* helpOf(const QString& program, const QString& word)
{
    const QList<OptionHelp>& options = optionsOf(program);
    const bool isLong = word.startsWith(u"--"_s);
    const QString name = isLong ? word.mid(2).section(u'=', 0, 0) : QString();
    for (const OptionHelp& option : options) {
        if (isLong ? option.name == name : word.size() > 1 && word.startsWith(u'-') && option.letter == word.at(1))
            return &option;
    }
    return nullptr;
}

} // namespace rankwright::inline script
