// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintstarts.h"
#include "models/script/lint/lintuses.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

using Kind = LaunchLayer::Kind;

bool isAgent(const Start& start)
{
    return start.kind == LaunchKind::Agent || start.kind == LaunchKind::Accelerate
        || start.kind == LaunchKind::DeepspeedCommand;
}

/// The option that says how many tasks the step has: of srun, else of the job.
const BatchOption* taskOption(const LintFacts& facts, const Start& start)
{
    for (const QString& name : {u"ntasks-per-node"_s, u"ntasks"_s}) {
        if (const BatchOption* option = start.srunOption(name))
            return option;
    }
    if (const BatchOption* option = facts.option(u"ntasks-per-node"_s))
        return option;
    return facts.option(u"ntasks"_s);
}

bool isDirective(const LintFacts& facts, const BatchOption* option)
{
    return option && option == facts.option(option->name);
}

Hits agentTasks(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const int tasks = start.tasksPerNode.value_or(1);
        if (!isAgent(start) || !start.srun || tasks < 2)
            continue;
        const BatchOption* option = taskOption(facts, start);
        std::optional<Fix> fix;
        if (isDirective(facts, option) && option->name == u"ntasks-per-node") {
            fix = replaceOption(facts, *option, u"--ntasks-per-node=1"_s, u"Use one task for each node"_s);
            const BatchOption* cpus = facts.option(u"cpus-per-task"_s);
            if (cpus && facts.request.cpusPerTask && cpus->line != option->line) {
                Fix cores
                    = replaceOption(facts, *cpus, u"--cpus-per-task=%1"_s.arg(*facts.request.cpusPerTask * tasks), {});
                const bool after = cpus->line > option->line;
                fix->edits.insert(after ? 1 : 0, cores.edits.first());
            }
        }
        hits.append({start.line(),
            u"%1 starts the workers of a node itself, but srun starts it %2 times on each node: that makes separate training runs or %3 workers. Use one task for each node."_s
                .arg(start.agent->name, QString::number(tasks),
                    start.workers ? QString::number(*start.workers * tasks) : u"too many"_s),
            fix});
    }
    return hits;
}

/// Signs that a program in one process for each GPU expects to be started that many times.
bool looksDistributed(const LintFacts& facts, const Start& start)
{
    static const QRegularExpression words(
        u"\\b(?:lightning|ddp|fsdp|deepspeed|zero[123]?|distributed)\\b|--num[-_]nodes|--devices|--world[-_]size(?![ =]1(?:\\s|$))"_s,
        QRegularExpression::CaseInsensitiveOption);
    return facts.sets(u"RANK"_s) || facts.sets(u"WORLD_SIZE"_s) || facts.sets(u"LOCAL_RANK"_s)
        || start.program.join(u' ').contains(words);
}

/// srun in a loop, or on a node that it names: a step of its own for each node, which meet all the same.
bool isStepOfOneNode(const LintFacts& facts, const Start& start)
{
    return start.srunOption(u"nodelist"_s) || facts.batch.shell.commands.at(start.launch->command).loopDepth > 0;
}

/// A server or a program that starts the workers of its node itself.
bool startsItsWorkers(const Start& start)
{
    static const QRegularExpression words(
        u"\\b(?:sglang|vllm|vllm-serve|lmdeploy|ollama|ray)\\b|(?:^|\\s)--(?:node[-_]rank|nnodes|tp|tensor[-_]parallel[-_]size|n[-_]gpus?[-_]per[-_]node|multiprocessing[-_]distributed|n(?:um)?[-_]?gpus|gpus[-_]per[-_]\\w+|nproc[-_]per[-_]node)(?=[\\s=]|$)"_s);
    return start.program.join(u' ').contains(words);
}

Hits rankTasks(const LintFacts& facts)
{
    Hits hits;
    const std::optional<int> gpus = facts.request.gpusPerNode;
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Python || !start.srun || !start.training || !gpus || !start.tasksPerNode
            || *start.tasksPerNode == *gpus || start.srunOption(u"gpus-per-task"_s) || start.srunOption(u"gpus"_s)
            || start.srunOption(u"tres-per-task"_s) || start.srunOption(u"gres"_s) || start.srunOption(u"overlap"_s))
            continue;
        const int tasks = *start.tasksPerNode;
        if (tasks <= *gpus && (facts.oneProcessDrivesAll || startsItsWorkers(start)))
            continue; // one task with all GPUs of its node, as those want it
        const Setting* world = facts.setting(u"WORLD_SIZE"_s);
        if (world && world->value->isStatic() && start.tasks && facts.numberOf(*world->value) == start.tasks
            && tasks < *gpus)
            continue; // as many ranks as tasks, as the script itself says
        const bool spawns = world && tasks == 1 && !facts.sets(u"RANK"_s) && !facts.sets(u"LOCAL_RANK"_s)
            && facts.numberOf(*world->value) == start.nodes.value_or(1) * *gpus;
        if (spawns)
            continue; // a rank for each GPU from one task for each node: the program starts them
        if (!looksDistributed(facts, start) && !start.launch->unresolved.isEmpty())
            continue;
        if (tasks > *gpus && !looksDistributed(facts, start))
            continue;
        if (tasks == 1 && start.nodes.value_or(1) < 2 && !looksDistributed(facts, start))
            continue; // one process may drive several GPUs
        if (tasks > 1 && tasks < *gpus && *gpus % tasks == 0 && !looksDistributed(facts, start))
            continue; // several GPUs for each process, e.g. a model in parts
        const BatchOption* option = taskOption(facts, start);
        std::optional<Fix> fix;
        const QString written = u"--ntasks-per-node=%1"_s.arg(*gpus);
        if (isDirective(facts, option))
            fix = replaceOption(facts, *option, written, u"Use "_s + written);
        hits.append({start.line(),
            u"srun starts %1 of this program on each node, where the job has %2: one process for each GPU needs --ntasks-per-node=%3, or an agent (torchrun) in front."_s
                .arg(counted(tasks, u"process"_s, u"processes"_s), counted(*gpus, u"GPU"_s), QString::number(*gpus)),
            fix, looksDistributed(facts, start) ? std::nullopt : std::optional(Severity::Warning)});
    }
    return hits;
}

Hits workerCount(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const std::optional<int> gpus = facts.request.gpusPerNode;
        const BatchOption* option = start.agentOption(u"nproc-per-node"_s);
        if (start.kind != LaunchKind::Agent || !gpus || !option || !start.workers || *start.workers == *gpus
            || start.tasksPerNode.value_or(1) > 1 || !start.training)
            continue;
        const bool more = *start.workers > *gpus;
        const QString workers = counted(*start.workers, u"worker"_s);
        const QString typed = option->written;
        const QString name = typed.section(u'=', 0, 0).section(u' ', 0, 0);
        hits.append({option->line,
            more ? u"%1 for %2 on each node: the last ones find no GPU."_s.arg(workers, counted(*gpus, u"GPU"_s))
                 : u"%1 for %2 on each node: the others stay idle and are paid for."_s.arg(
                     workers, counted(*gpus, u"GPU"_s)),
            replaceInLine(facts, option->line, typed, u"%1=%2"_s.arg(name).arg(*gpus), u"Use %1"_s.arg(*gpus)),
            more ? std::nullopt : std::optional(Severity::Warning)});
    }
    return hits;
}

/// An agent on several nodes that has a place to meet and leaves the number of nodes at its default, 1.
bool countsOneNode(const LintFacts& facts, const Start& start)
{
    const bool meets = start.agentOption(u"rdzv-endpoint"_s) || start.agentOption(u"master-addr"_s);
    return start.kind == LaunchKind::Agent && start.srun && start.nodes.value_or(1) > 1 && facts.request.nodesGiven
        && meets && start.launch->unresolved.isEmpty() && !facts.sets(u"PET_NNODES"_s)
        && !isStepOfOneNode(facts, start);
}

Hits nodeCount(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option
            = start.agentOption(start.kind == LaunchKind::Accelerate ? u"num-machines"_s : u"nnodes"_s);
        if (!option && countsOneNode(facts, start)) {
            hits.append({start.line(),
                u"%1 without --nnodes counts on one node, the job has %2: the other agents are turned away or train for themselves."_s
                    .arg(start.agent->name, QString::number(*start.nodes))});
            continue;
        }
        if (!option || !start.nodes || !facts.request.nodesGiven)
            continue;
        const std::optional<int> said = facts.numberOf(*option);
        if (isStepOfOneNode(facts, start))
            continue;
        const int all = start.srun ? *start.nodes : facts.request.nodes.value_or(*start.nodes);
        if (!said || *said == all || option->value.contains(u':'))
            continue;
        if (*said == 1 && !start.srun) {
            hits.append({option->line,
                u"%1 uses the first node alone, the job has %2: the others stay idle and are paid for."_s.arg(
                    option->written, QString::number(all)),
                std::nullopt, Severity::Warning});
            continue;
        }
        const QString name = option->written.section(u'=', 0, 0).section(u' ', 0, 0);
        hits.append({option->line,
            u"%1 counts %2, the job has %3: the agents wait for nodes that never come, or leave some out."_s.arg(
                name, nodesText(*said), QString::number(all)),
            replaceInLine(facts, option->line, option->written, name + u"=$SLURM_NNODES"_s, u"Use $SLURM_NNODES"_s)});
    }
    return hits;
}

Hits accelerateProcesses(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option = start.agentOption(u"num-processes"_s);
        const std::optional<int> total = option ? facts.numberOf(*option) : std::nullopt;
        const std::optional<int> nodes = start.nodes;
        const std::optional<int> gpus = facts.request.gpusPerNode;
        if (start.kind != LaunchKind::Accelerate || !total || !nodes || !gpus || *total == *nodes * *gpus
            || isStepOfOneNode(facts, start))
            continue;
        const BatchOption* machines = start.agentOption(u"num-machines"_s);
        const QString name = option->written.section(u'=', 0, 0).section(u' ', 0, 0);
        const bool perNode = *nodes > 1 && *total == *gpus;
        const bool idle = *nodes == 1 && *total < *gpus; // it runs, on fewer GPUs than the job pays for
        hits.append({option->line,
            u"%1 is the total of all nodes: %2 instead of %3 (%4 × %5)%6."_s.arg(name, QString::number(*total),
                QString::number(*nodes * *gpus), nodesText(*nodes), counted(*gpus, u"GPU"_s),
                perNode ? u", so that each node starts only %1"_s.arg(*total / *nodes) : QString()),
            replaceInLine(facts, option->line, option->written, u"%1 %2"_s.arg(name).arg(*nodes * *gpus),
                u"Use %1"_s.arg(*nodes * *gpus)),
            perNode || (machines && !idle) ? std::nullopt : std::optional(Severity::Warning)});
    }
    return hits;
}

Hits accelerateRank(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Accelerate || start.nodes.value_or(1) < 2)
            continue;
        const BatchOption* rank = start.agentOption(u"machine-rank"_s);
        static const QRegularExpression number(u"^\\d+$"_s);
        const bool constant = rank && rank->value.contains(number);
        if (rank && !constant)
            continue;
        const bool file = start.agentOption(u"config-file"_s) != nullptr;
        if (!rank && file)
            continue;
        if (rank && facts.meetsByStore(start)) {
            hits.append({rank->line,
                u"--machine_rank %1 is the same on all %2 nodes; with this rendezvous nothing reads it: leave it out."_s
                    .arg(rank->value, QString::number(*start.nodes)),
                std::nullopt, Severity::Hint});
            continue;
        }
        hits.append({rank ? rank->line : start.line(),
            (rank ? u"--machine_rank %1 is the same on all %2 nodes: they wait for each other. "_s.arg(
                 rank->value, QString::number(*start.nodes))
                  : u"accelerate launch on %1 nodes needs --machine_rank: without it and without a config file it stops. "_s
                        .arg(*start.nodes))
                + u"Let each task read it: srun bash -c 'accelerate launch --machine_rank $SLURM_NODEID …'."_s});
    }
    return hits;
}

Hits deepspeedNodes(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (start.kind == LaunchKind::DeepspeedCommand && start.nodes.value_or(1) > 1 && !start.agentOption(u"no-ssh"_s)
            && !start.agentOption(u"launcher"_s)) {
            const bool hosts = start.agentOption(u"hostfile"_s) || start.agentOption(u"H"_s);
            hits.append({start.line(),
                (hosts ? u"The deepspeed command reaches other nodes by ssh, which compute nodes of most sites refuse: "_s
                       : u"Without a file of hosts the deepspeed command starts on its own node alone, with one it goes by ssh, which compute nodes of most sites refuse: "_s)
                    + u"on %1 nodes start the program with srun torchrun, or one task for each GPU with the five rank variables."_s
                          .arg(*start.nodes),
                std::nullopt, hosts ? std::optional(Severity::Warning) : std::nullopt});
        }
    }
    return hits;
}

/// Words of a program that starts further steps or processes itself.
bool startsItsOwn(const Start& start)
{
    // deepy.py: GPT-NeoX's own launcher
    static const QRegularExpression launchers(
        u"(?:^|[=.\"'/_-])(?:srun|mpirun|mpiexec|launcher)(?:$|[\"' _-])|(?:^|/)deepy\\.py$"_s);
    return std::any_of(
        start.program.cbegin(), start.program.cend(), [](const QString& word) { return word.contains(launchers); });
}

/// The nodes that an agent expects, where the job's own number is not known.
std::optional<int> nodesExpected(const LintFacts& facts, const Start& start)
{
    const BatchOption* option
        = start.agentOption(start.kind == LaunchKind::Accelerate ? u"num-machines"_s : u"nnodes"_s);
    return option ? facts.numberOf(*option) : std::nullopt;
}

/// What a plain Python beside other starts is: null: the job's work; else the most that can be said about it.
std::optional<Severity> besideOthers(const LintFacts& facts, const Start& plain, bool& silent)
{
    bool helper = false;
    for (const Start& other : facts.starts) {
        const bool reaches = (other.srun || other.kind == LaunchKind::Mpi) && other.training;
        if (&other == &plain || plain.agent)
            continue;
        silent = silent
            || (other.srun && other.launch->background && other.launch->command < plain.launch->command); // its workers
        helper = helper || reaches;
    }
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    helper = helper
        || (!plain.agent && std::any_of(commands.cbegin() + plain.launch->command, commands.cend(), runsScript));
    // a list of the nodes: the program reaches them by itself
    static const QRegularExpression hosts(u"scontrol\\s+show\\s+hostnames?\\b[^|\\n]*>"_s);
    return helper || (!plain.agent && facts.mentions(hosts)) ? std::optional(Severity::Hint) : std::nullopt;
}

Hits missingSrun(const LintFacts& facts)
{
    Hits hits;
    const LintRequest& request = facts.request;
    const std::optional<int> perNode = request.tasksPerNode;
    const bool tasks = request.anyTaskOption && (request.tasks.value_or(1) > 1 || perNode.value_or(1) > 1);
    const bool sizeGiven = request.nodesGiven || request.anyTaskOption;
    const bool nodes = sizeGiven && request.severalNodes();
    for (const Start& start : facts.starts) {
        const bool other = start.srun || start.kind == LaunchKind::Mpi || start.kind == LaunchKind::Unknown
            || (start.kind == LaunchKind::DeepspeedCommand && nodes); // L42 speaks of it
        static const QSet<QString> ofSites{u"ibrun"_s, u"jsrun"_s, u"aprun"_s, u"prun"_s, u"mpirun_rsh"_s, u"jrun"_s};
        const bool ownLauncher = std::any_of(start.launch->layers.cbegin(), start.launch->layers.cend(),
            [](const LaunchLayer& layer) { return ofSites.contains(layer.name); });
        if (other || ownLauncher || !start.training || (!tasks && !nodes) || (!nodes && isAgent(start))
            || startsItsOwn(start))
            continue;
        const ShellCommand& command = facts.batch.shell.commands.at(start.launch->command);
        if (command.inSubstitution || !command.function.isEmpty() || command.loopDepth > 0)
            continue;
        if (isOtherWay(facts, start) || (isAgent(start) && nodesExpected(facts, start) == 1))
            continue;
        bool silent = false;
        const std::optional<Severity> helper = besideOthers(facts, start, silent);
        if (silent)
            continue;
        QString line = facts.batch.lines.value(start.line() - 1);
        const qsizetype at = std::min<qsizetype>(command.column - 1, line.size());
        line.insert(at, u"srun "_s);
        const bool plain = !command.parent && command.line == start.line();
        // An agent waits for the others; a plain program may have brought its own way to the other nodes and tasks.
        const bool certain = isAgent(start) || (nodes && facts.sets(u"MASTER_ADDR"_s) && facts.sets(u"WORLD_SIZE"_s));
        // A task for each GPU is asked for, and a program that starts no processes of its own is started once.
        const bool aTaskForEachGpu = start.kind == LaunchKind::Python && request.anyTaskOption
            && request.gpusPerNode.value_or(0) > 1 && perNode == request.gpusPerNode && !startsItsWorkers(start)
            && !facts.oneProcessDrivesAll;
        // Tasks of one node used as cores waste nothing; over several nodes most of them would be out of reach.
        const bool wasteful = nodes
            || (!request.gpuOptions.isEmpty() && !request.nodesGiven
                && (facts.option(u"ntasks"_s) || request.gpusPerNode.value_or(1) > 1));
        hits.append({start.line(),
            (nodes ? u"Without srun this runs on the first of the %1 nodes only"_s.arg(*request.nodes)
                   : u"Without srun this runs once, not once for each of the %1 tasks"_s.arg(
                       std::max(request.tasks.value_or(1), perNode.value_or(1))))
                + (certain ? u"."_s
                        : aTaskForEachGpu
                        ? u": one rank starts where %1 are asked for."_s.arg(*perNode * request.nodes.value_or(1))
                        : u", unless the program starts its own steps."_s),
            plain ? std::optional(Fix{u"Put srun in front"_s, {}, {{start.line(), start.line(), {line}}}})
                  : std::nullopt,
            helper                           ? helper
                : certain || aTaskForEachGpu ? std::nullopt
                : wasteful                   ? std::optional(Severity::Warning)
                                             : std::optional(Severity::Hint)});
    }
    return hits.size() > 1 && !facts.starts.isEmpty() && facts.startsBy(LaunchKind::Unknown) ? Hits{hits.last()} : hits;
}

Hits multiProg(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        if (!start.srunOption(u"multi-prog"_s))
            continue;
        const bool command = std::any_of(start.launch->layers.cbegin(), start.launch->layers.cend(),
            [](const LaunchLayer& layer) { return layer.kind != Kind::Srun && layer.kind != Kind::Program; });
        static const QRegularExpression shells(u"^(?:ba|z|da)?sh$"_s);
        if (command || start.program.value(0).contains(shells))
            hits.append(
                {start.line(), u"--multi-prog takes a file that lists a program for each task, not a command."_s});
    }
    return hits;
}

Hits srunInContainer(const LintFacts& facts)
{
    Hits hits;
    for (const Launch& launch : facts.batch.launches) {
        bool container = false;
        for (const LaunchLayer& layer : launch.layers) {
            if (layer.kind == Kind::Srun && container)
                hits.append({launch.line,
                    u"srun is inside the container, where Slurm's commands do not exist: put srun in front and the "
                    u"container after it."_s});
            container = container || layer.kind == Kind::Container;
        }
    }
    return hits;
}

Hits oneOfManyGpus(const LintFacts& facts)
{
    const int gpus = facts.request.gpusPerNode.value_or(1);
    Hits hits;
    for (const Start& start : facts.starts) {
        if (start.kind != LaunchKind::Python || !start.training || gpus < 2 || start.nodes.value_or(1) > 1
            || (start.srun && start.tasksPerNode.value_or(2) != 1) || looksDistributed(facts, start)
            || (!start.srun && facts.request.anyTaskOption && facts.request.tasksPerNode.value_or(2) != 1))
            continue;
        hits.append({start.line(),
            u"One process with %1 GPUs: it uses them all only if the program itself spreads its work over them."_s.arg(
                gpus)});
    }
    return hits;
}

} // namespace

QList<LintRule> launchRules()
{
    const QString torchrun = u"torchrun documentation; measured"_s;
    const QString accelerate = u"accelerate, commands/launch.py"_s;
    const QString srun = u"srun(1)"_s;
    return {
        {{u"L02"_s, u"agent-tasks"_s, Severity::Error, u"launcher"_s,
             u"an agent (torchrun, accelerate) started by more than one task on a node"_s, torchrun},
            agentTasks},
        {{u"L03"_s, u"rank-tasks"_s, Severity::Error, u"launcher"_s,
             u"one process for each GPU, but tasks on a node ≠ GPUs on a node"_s,
             u"Lightning, environments/slurm.py; stas00/ml-engineering"_s},
            rankTasks},
        {{u"L41"_s, u"accelerate-processes"_s, Severity::Error, u"launcher"_s,
             u"--num_processes that is not nodes × GPUs"_s, accelerate},
            accelerateProcesses},
        {{u"L41"_s, u"accelerate-rank"_s, Severity::Error, u"launcher"_s,
             u"accelerate on several nodes with one constant --machine_rank, or none"_s, accelerate},
            accelerateRank},
        {{u"L42"_s, u"deepspeed-nodes"_s, Severity::Error, u"launcher"_s,
             u"the deepspeed command on several nodes (it wants ssh)"_s, u"DeepSpeed, launcher/runner.py"_s},
            deepspeedNodes},
        {{u"L43"_s, u"missing-srun"_s, Severity::Error, u"launcher"_s, u"several tasks or nodes, and no srun"_s, srun},
            missingSrun},
        {{u"L43"_s, u"multi-prog"_s, Severity::Error, {}, u"--multi-prog with a command instead of a file"_s, srun},
            multiProg},
        {{u"R108"_s, u"single-with-gpus"_s, Severity::Hint, u"parallel.strategy"_s,
             u"one plain process with several GPUs"_s, u"CSC user guide"_s},
            oneOfManyGpus},
        {{u"R240"_s, u"worker-count"_s, Severity::Error, u"resources.gpusPerNode"_s,
             u"--nproc_per_node that is not the GPUs of a node"_s, torchrun},
            workerCount},
        {{u"R241"_s, u"node-count"_s, Severity::Error, u"resources.nodes"_s,
             u"--nnodes or --num_machines that is not the nodes of the job"_s, torchrun},
            nodeCount},
        {{u"R242"_s, u"srun-in-container"_s, Severity::Error, {}, u"srun inside a container"_s,
             u"LUMI workshop, Getting Started with AI"_s},
            srunInContainer},
    };
}

} // namespace rankwright::inline script::lint
