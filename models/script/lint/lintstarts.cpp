// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintstarts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Kind = LaunchLayer::Kind;

/// Programs that look after a job and train nothing.
bool isHelper(const QString& program)
{
    static const QSet<QString> helpers{u"nvidia-smi"_s, u"rocm-smi"_s, u"amd-smi"_s, u"dcgmi"_s, u"hostname"_s,
        u"echo"_s, u"printf"_s, u"mkdir"_s, u"rm"_s, u"cp"_s, u"rsync"_s, u"tar"_s, u"unzip"_s, u"cat"_s, u"ls"_s,
        u"env"_s, u"date"_s, u"sleep"_s, u"taskset"_s, u"lscpu"_s, u"numactl"_s, u"chmod"_s, u"ln"_s, u"df"_s,
        u"free"_s, u"top"_s, u"nvtop"_s, u"sbcast"_s, u"pip"_s, u"true"_s, u"test"_s, u"touch"_s, u"du"_s, u"ip"_s,
        u"find"_s, u"kill"_s, u"pkill"_s, u"uname"_s, u"which"_s, u"printenv"_s, u"rocminfo"_s, u"wget"_s, u"curl"_s};
    return helpers.contains(program.section(u'/', -1));
}

/// What is left of an innermost layer: the program and its arguments.
QStringList programOf(const Launch& launch)
{
    QStringList words;
    for (const LaunchLayer& layer : launch.layers) {
        if (layer.kind != Kind::Program && layer.kind != Kind::Wrapper && layer.kind != Kind::Python)
            continue;
        if (layer.kind != Kind::Wrapper)
            words.clear();
        for (const ShellWord& word : layer.words)
            words.append(word.value);
    }
    return words;
}

LaunchKind launchKindOf(const Launch& launch, Start& start)
{
    for (const LaunchLayer& layer : launch.layers) {
        if (layer.kind == Kind::Agent) {
            start.agent = &layer;
            start.oldLauncher = layer.name.contains(u"distributed.launch");
            if (layer.name.startsWith(u"accelerate"))
                return LaunchKind::Accelerate;
            if (layer.name.startsWith(u"deepspeed"))
                return LaunchKind::DeepspeedCommand;
            return layer.name.startsWith(u"horovod") ? LaunchKind::Mpi : LaunchKind::Agent;
        }
    }
    if (launch.layer(Kind::Mpirun))
        return LaunchKind::Mpi;
    return launch.layer(Kind::Python) ? LaunchKind::Python : LaunchKind::Unknown;
}

/// A Python that only looks or installs: -c "...", -m pip, --version.
bool isShortPython(const Launch& launch, const QStringList& program)
{
    const LaunchLayer* python = launch.layer(Kind::Python);
    if (python == nullptr)
        return false;
    static const QSet<QString> helpers{u"pip"_s, u"venv"_s, u"torch.utils.collect_env"_s, u"json.tool"_s};
    const BatchOption* module = python->option(u"m"_s);
    if (python->option(u"c"_s) || (module && helpers.contains(module->value)))
        return true;
    static const QRegularExpression first(u"^(?:-c|-V|--version)$"_s);
    return !program.isEmpty() && program.first().contains(first);
}

/// Nodes and tasks of the step: its own options, else the job's (srun(1)).
void readStepSize(const LintFacts& facts, Start& start)
{
    const LintRequest& request = facts.request;
    start.nodes = request.nodes;
    start.tasksPerNode = request.tasksPerNode;
    start.tasks = request.tasks;
    if (start.srun == nullptr) {
        start.tasksPerNode.reset();
        start.tasks.reset();
        return;
    }
    const BatchOption* nodes = start.srunOption(u"nodes"_s);
    const BatchOption* tasks = start.srunOption(u"ntasks"_s);
    const BatchOption* perNode = start.srunOption(u"ntasks-per-node"_s);
    if (nodes)
        start.nodes = facts.numberOf(*nodes);
    if (tasks) {
        start.tasks = facts.numberOf(*tasks);
        start.tasksPerNode.reset();
        if (start.tasks && start.nodes)
            start.tasksPerNode = std::max(1, *start.tasks / std::max(1, *start.nodes));
        else if (start.tasks == 1)
            start.tasksPerNode = 1;
    } else if (perNode) {
        start.tasksPerNode = facts.numberOf(*perNode);
    } else if (nodes && request.tasks && start.nodes && *start.nodes > 0) {
        start.tasksPerNode = request.tasksPerNode;
    }
    const bool otherCount = start.srunOption(u"ntasks-per-gpu"_s) || facts.option(u"ntasks-per-gpu"_s);
    if (otherCount && !tasks && !perNode)
        start.tasksPerNode.reset();
    if (!start.tasks && start.nodes && start.tasksPerNode)
        start.tasks = *start.nodes * *start.tasksPerNode;
}

void readWorkers(const LintFacts& facts, Start& start)
{
    if (start.agent == nullptr)
        return;
    const BatchOption* machines
        = start.agentOption(start.kind == LaunchKind::Accelerate ? u"num-machines"_s : u"nnodes"_s);
    if (machines && start.srun == nullptr && facts.numberOf(*machines) == 1)
        start.nodes = 1; // the first node for itself, however many the job has
    if (start.kind == LaunchKind::Agent) {
        const BatchOption* workers = start.agentOption(u"nproc-per-node"_s);
        start.workers = workers ? facts.numberOf(*workers) : std::optional(1);
        if (workers && (workers->value == u"gpu" || workers->value == u"auto"))
            start.workers = facts.request.gpusPerNode;
    } else if (start.kind == LaunchKind::Accelerate) {
        const BatchOption* all = start.agentOption(u"num-processes"_s);
        const std::optional<int> total = all ? facts.numberOf(*all) : std::nullopt;
        const BatchOption* hosts = start.agentOption(u"num-machines"_s);
        const std::optional<int> count = hosts ? facts.numberOf(*hosts) : std::optional(1);
        if (total && count && *count > 0)
            start.workers = *total / *count;
    }
}

} // namespace

bool isOtherWay(const LintFacts& facts, const Start& plain)
{
    if (plain.srun || plain.program.isEmpty()
        || facts.batch.shell.commands.at(plain.launch->command).conditionDepth == 0)
        return false;
    return std::any_of(facts.starts.cbegin(), facts.starts.cend(), [&plain](const Start& other) {
        return &other != &plain && other.training && (other.srun || other.kind == LaunchKind::Mpi)
            && other.program.value(0) == plain.program.value(0);
    });
}

void collectStarts(LintFacts& facts)
{
    for (const Launch& launch : facts.batch.launches) {
        Start start;
        start.launch = &launch;
        start.srun = launch.layer(Kind::Srun);
        start.container = launch.layer(Kind::Container);
        start.kind = launchKindOf(launch, start);
        start.program = programOf(launch);
        const bool monitor = start.srunOption(u"overlap"_s) && start.kind == LaunchKind::Unknown;
        const bool helper = start.agent == nullptr
            && ((!start.program.isEmpty() && isHelper(start.program.first())) || isShortPython(launch, start.program));
        const LaunchLayer* shell = launch.layer(Kind::Shell); // bash -c 'hostname': nothing in it is more than a helper
        const bool looks = shell && !shell->words.isEmpty() && start.program.isEmpty() && start.agent == nullptr
            && launch.unresolved.isEmpty() && launch.layers.last().kind == Kind::Shell;
        start.training = !monitor && !helper && !looks && (start.srun || start.kind != LaunchKind::Unknown);
        readStepSize(facts, start);
        readWorkers(facts, start);
        facts.starts.append(start);
    }
}

} // namespace rankwright::inline script::lint
