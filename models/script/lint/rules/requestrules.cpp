// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/lintwords.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

bool asksForGpus(const LintFacts& facts) { return !facts.request.gpuOptions.isEmpty(); }

/// "none" of --gpu-bind, "gres/gpu:none" of --tres-bind: each task sees all GPUs of its node.
bool bindsNothing(const BatchOption* bind)
{
    return bind && (bind->name == u"gpu-bind" ? bind->value.contains(u"none") : bind->value.contains(u"gpu:none"));
}

/// The option of the script or of one of its srun lines.
bool sharesGpus(const LintFacts& facts)
{
    const auto allows = [](const QString& flags) { return flags.contains(u"allow-task-sharing"); };
    if (allows(facts.optionValue(u"gres-flags"_s)) || bindsNothing(facts.option(u"gpu-bind"_s))
        || bindsNothing(facts.option(u"tres-bind"_s)))
        return true;
    return std::any_of(facts.starts.cbegin(), facts.starts.cend(), [&](const Start& start) {
        const BatchOption* flags = start.srunOption(u"gres-flags"_s);
        return (flags && allows(flags->value)) || bindsNothing(start.srunOption(u"gpu-bind"_s))
            || bindsNothing(start.srunOption(u"tres-bind"_s));
    });
}

std::optional<Fix> perNodeFix(const LintFacts& facts, const BatchOption& option)
{
    const LintRequest& request = facts.request;
    if (!request.gpusPerNode)
        return std::nullopt;
    const bool gres = facts.profile && facts.profile->launch.gpuRequest == GpuRequest::Gres;
    const QString type = request.gpuType.isEmpty() ? QString() : request.gpuType + u':';
    const QString written = gres ? u"--gres=gpu:%1%2"_s.arg(type).arg(*request.gpusPerNode)
                                 : u"--gpus-per-node=%1%2"_s.arg(type).arg(*request.gpusPerNode);
    return replaceOption(facts, option, written, u"Use "_s + written);
}

Hits gpusTotal(const LintFacts& facts)
{
    const BatchOption* option = facts.option(u"gpus"_s);
    if (!option || !facts.request.gpusTotal)
        return {};
    const bool moreThanNode = !facts.request.nodesGiven && facts.node && facts.node->gpus > 0
        && *facts.request.gpusTotal > facts.node->gpus;
    if (moreThanNode && !facts.option(u"gpus-per-node"_s) && !facts.option(u"gres"_s))
        return {{option->line,
            u"--gpus=%1 is a total and more than the %2 of a node: Slurm may spread it unevenly. Ask with --nodes and per node."_s
                .arg(option->value, counted(facts.node->gpus, facts.node->gpu.word))}};
    if (!facts.request.severalNodes())
        return {};
    if (facts.option(u"gpus-per-node"_s) || facts.option(u"gres"_s))
        return {}; // said per node, too: nothing can be split otherwise
    const bool all = facts.node && facts.node->gpus > 0
        && *facts.request.gpusTotal == facts.node->gpus * facts.request.nodes.value_or(1);
    const bool whole = all || facts.wholeNodes();
    QString text = u"--gpus=%1 is the total of %2 nodes, and Slurm may split it unevenly (%3 + 1)"_s.arg(
        option->value, QString::number(*facts.request.nodes), QString::number(*facts.request.gpusTotal - 1));
    text += whole ? u"; on whole nodes it cannot, but ask per node all the same."_s : u": ask per node."_s;
    return {{option->line, text, perNodeFix(facts, *option), whole ? std::optional(Severity::Hint) : std::nullopt}};
}

Hits gpusPerTask(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    if (sharesGpus(facts) || (facts.profile && facts.profile->launch.gpusPerTask == GpusPerTask::Works))
        return {};
    const bool manyTasks = request.tasksPerNode.value_or(request.tasks.value_or(1)) > 1;
    // What the program does with its device cannot be seen here; a site's entry may say that it breaks, and a local
    // rank that is handed on as the device is on its way to.
    const bool ofSite = facts.profile && facts.profile->launch.gpusPerTask;
    const bool handsOn = std::any_of(facts.settings.cbegin(), facts.settings.cend(), [](const Setting& setting) {
        return setting.name == u"LOCAL_RANK" && setting.value->expands(u"SLURM_LOCALID"_s);
    });
    const std::optional<Severity> weight = ofSite && handsOn ? std::nullopt
        : ofSite || handsOn                                  ? std::optional(Severity::Warning)
                                                             : std::optional(Severity::Hint);
    const QString why
        = u" gives each task one visible GPU: a program that takes cuda:LOCAL_RANK fails, and direct copies between GPUs may break. Ask with --gpus-per-node, or add --gres-flags=allow-task-sharing where the site has it."_s;
    Hits hits;
    const auto asksByTres = [](const BatchOption* option) { return option && tresGpu(option->value); };
    if (const BatchOption* option = facts.option(u"tres-per-task"_s); manyTasks && asksByTres(option))
        hits.append({option->line, option->written + why, std::nullopt, weight});
    for (const QString& name : {u"gpus-per-task"_s, u"ntasks-per-gpu"_s}) {
        const BatchOption* option = facts.option(name);
        if (option && option->value.contains(u'.'))
            continue; // no number that Slurm takes: another rule says so (R212, R271)
        if (option && (manyTasks || name == u"ntasks-per-gpu"))
            hits.append({option->line, option->written + why,
                name == u"gpus-per-task" ? perNodeFix(facts, *option) : std::nullopt, weight});
    }
    for (const Start& start : facts.starts) {
        for (const QString& name : {u"gpus-per-task"_s, u"ntasks-per-gpu"_s, u"tres-per-task"_s}) {
            const BatchOption* option = start.srunOption(name);
            if (name == u"tres-per-task" && !asksByTres(option))
                continue;
            if (option && start.tasksPerNode.value_or(start.tasks.value_or(1)) > 1)
                hits.append({option->line, u"srun "_s + option->written + why, std::nullopt, weight});
        }
    }
    return hits;
}

Hits gpuOptionsTwice(const LintFacts& facts)
{
    const QList<const BatchOption*>& options = facts.request.gpuOptions;
    if (options.size() < 2)
        return {};
    QStringList names;
    for (const BatchOption* option : options)
        names.append(option->written);
    const BatchOption* extra = options.last();
    // Slurm 26.05, _validate_gres_vs_gpus_per_node() in slurm_opt.c
    const auto asks = [&options](const QString& name) {
        return std::any_of(
            options.cbegin(), options.cend(), [&name](const BatchOption* option) { return option->name == name; });
    };
    const bool stops = asks(u"gres"_s) && asks(u"gpus-per-node"_s);
    return {{extra->line,
        u"GPUs are asked for in %1 ways (%2), %3: keep one, per node."_s.arg(QString::number(options.size()),
            names.join(u", "_s),
            stops ? u"which sbatch refuses from Slurm 26.05 on"_s : u"which Slurm has to reconcile"_s),
        removeOption(facts, *extra)}};
}

/// The most tasks that a node has room for, by the cores and GPUs of each; nothing: not known.
std::optional<int> roomOnNode(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    std::optional<int> room;
    const auto limit = [&](int places) { room = std::min(room.value_or(places), places); };
    const BatchOption* each = facts.option(u"gpus-per-task"_s);
    const std::optional<GpuCount> ofTask = each ? gpuCount(each->value) : std::nullopt;
    const BatchOption* node = facts.option(u"gpus-per-node"_s);
    const std::optional<GpuCount> ofNode = node ? gpuCount(node->value) : std::nullopt;
    if (ofTask && ofNode)
        limit(ofNode->count / ofTask->count);
    else if (ofTask && facts.node && facts.node->gpus > 0)
        limit(facts.node->gpus / ofTask->count);
    if (request.cpusPerTask && facts.node && facts.node->knowsCores())
        limit(facts.node->usableCores / *request.cpusPerTask);
    return room;
}

/// Tasks that fill the job's nodes can only be spread evenly.
bool fillsNodes(const LintFacts& facts)
{
    const int room = roomOnNode(facts).value_or(0);
    const int tasks = facts.request.tasks.value_or(0);
    if (room < 1)
        return false;
    return facts.request.nodesGiven ? tasks == room * facts.request.nodes.value_or(0)
                                    : tasks % room == 0 && facts.wholeNodes();
}

Hits tasksTotal(const LintFacts& facts)
{
    const BatchOption* tasks = facts.option(u"ntasks"_s);
    const LintRequest& request = facts.request;
    if (!tasks || request.tasks.value_or(1) < 2 || facts.option(u"ntasks-per-node"_s) || !asksForGpus(facts))
        return {};
    if ((request.nodesGiven && !request.severalNodes()) || fillsNodes(facts))
        return {};
    const bool oneEach = request.nodesGiven && request.tasks == request.nodes;
    std::optional<Fix> fix;
    if (request.nodesGiven && request.nodes && *request.tasks % *request.nodes == 0) {
        const QString written = u"--ntasks-per-node=%1"_s.arg(*request.tasks / *request.nodes);
        fix = replaceOption(facts, *tasks, written, u"Use "_s + written);
    }
    return {{tasks->line,
        oneEach
            ? u"--ntasks=%1 is the total of %1 nodes, one task for each: with --ntasks-per-node=1 it stays so for any number of nodes."_s
                  .arg(*request.tasks)
            : u"--ntasks=%1 is the total%2: Slurm may spread the tasks unevenly over the nodes. Write --nodes and --ntasks-per-node."_s
                  .arg(QString::number(*request.tasks),
                      request.nodesGiven ? u" of %1 nodes"_s.arg(request.nodes.value_or(0)) : u" without --nodes"_s),
        fix, oneEach ? std::optional(Severity::Hint) : std::nullopt}};
}

Hits twoMemoryOptions(const LintFacts& facts)
{
    const BatchOption* first = nullptr;
    Hits hits;
    for (const QString& name : {u"mem"_s, u"mem-per-gpu"_s, u"mem-per-cpu"_s}) {
        const BatchOption* option = facts.option(name);
        if (!option)
            continue;
        if (first)
            hits.append({option->line,
                u"%1 and %2 exclude each other: sbatch stops. Keep one."_s.arg(first->written, option->written),
                removeOption(facts, *option)});
        else
            first = option;
    }
    return hits;
}

/// Pairs at which sbatch or srun stops (Slurm's src/common/slurm_opt.c), other than those of memory and GPUs.
Hits excludingOptions(const LintFacts& facts)
{
    const std::array<std::pair<QString, QString>, 5> pairs{{{u"ntasks-per-gpu"_s, u"ntasks-per-node"_s},
        {u"ntasks-per-gpu"_s, u"gpus-per-task"_s}, {u"ntasks-per-gpu"_s, u"gpus-per-socket"_s},
        {u"oversubscribe"_s, u"exclusive"_s}, {u"cpus-per-gpu"_s, u"cpus-per-task"_s}}};
    Hits hits;
    for (const auto& [one, other] : pairs) {
        const BatchOption* first = facts.option(one);
        const BatchOption* second = facts.option(other);
        if (first && second)
            hits.append({second->line,
                u"%1 and %2 exclude each other: sbatch stops. Keep one."_s.arg(first->written, second->written),
                removeOption(facts, *second)});
    }
    const BatchOption* tres = facts.option(u"tres-per-task"_s);
    QStringList besides;
    if (tres && tresGpu(tres->value))
        besides = {u"gpus-per-task"_s, u"ntasks-per-gpu"_s};
    if (tres && tresCores(tres->value))
        besides += {u"cpus-per-task"_s, u"cpus-per-gpu"_s};
    for (const QString& name : std::as_const(besides)) {
        if (const BatchOption* other = facts.option(name))
            hits.append({other->line,
                u"%1 and %2 exclude each other: sbatch stops. Keep one."_s.arg(tres->written, other->written),
                removeOption(facts, *other)});
    }
    return hits;
}

/// Slurm cuts a job into segments of this many nodes; none may be left over (slurm_opt.c, _validate_segment_size()).
Hits segmentNodes(const LintFacts& facts)
{
    const BatchOption* segment = facts.option(u"segment"_s);
    bool isNumber = false;
    const int size = segment ? segment->value.toInt(&isNumber) : 0;
    const int nodes = facts.request.nodesGiven ? facts.request.nodes.value_or(0) : 0;
    if (!isNumber || size < 1 || nodes <= size || nodes % size == 0)
        return {};
    return {{segment->line,
        u"%1 nodes cannot be divided into segments of %2: Slurm refuses the job. Ask for %3 or %4 nodes, or another segment."_s
            .arg(nodes)
            .arg(size)
            .arg(nodes / size * size)
            .arg((nodes / size + 1) * size)}};
}

/// sbatch hands --gpus-per-node on to each srun in SLURM_GPUS_PER_NODE.
Hits stepGresBesideGpus(const LintFacts& facts)
{
    const BatchOption* perNode = facts.option(u"gpus-per-node"_s);
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* gres = start.srunOption(u"gres"_s);
        if (perNode && gres && gresGpu(gres->value))
            hits.append({gres->line,
                u"srun %1 in a job of %2: from Slurm 26.05 on srun stops at the two together. Use --gpus-per-node at srun as well, or leave it out there."_s
                    .arg(gres->written, perNode->written)});
    }
    return hits;
}

Hits noTimeLimit(const LintFacts& facts)
{
    if (facts.option(u"time"_s) || facts.batch.options.isEmpty() || !asksForGpus(facts))
        return {};
    return {{facts.batch.options.last().line,
        u"Without --time the job gets the partition's default, which may be minutes or its maximum."_s}};
}

Hits stepLarger(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* nodes = start.srunOption(u"nodes"_s);
        if (nodes && facts.request.nodesGiven && start.nodes && facts.request.nodes
            && *start.nodes > *facts.request.nodes)
            hits.append({nodes->line,
                u"srun asks for %1, the job has %2: the step is refused."_s.arg(
                    nodesText(*start.nodes), QString::number(*facts.request.nodes))});
        const BatchOption* gpus = start.srunOption(u"gpus-per-node"_s);
        const std::optional<GpuCount> asked = gpus ? gpuCount(gpus->value) : std::nullopt;
        if (asked && facts.request.gpusPerNode && asked->count > *facts.request.gpusPerNode)
            hits.append({gpus->line,
                u"srun asks for %1 on each node, the job has %2: the step is refused."_s.arg(
                    counted(asked->count, u"GPU"_s), QString::number(*facts.request.gpusPerNode))});
    }
    return hits;
}

/// An option that srun does not have, one slip from one that it has; any other may come from a plugin of the site.
Hits stepOptionUnknown(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        for (const BatchOption& option : start.srun ? start.srun->options : QList<BatchOption>()) {
            if (option.known || !option.typedName.startsWith(u"--"))
                continue;
            const QString nearest = nearestOption(option.typedName.mid(2), SlurmOption::Of::Srun);
            if (nearest.isEmpty())
                continue;
            hits.append({option.line,
                u"srun has no option %1 and stops. The nearest one is --%2."_s.arg(quoted(option.typedName), nearest),
                replaceInLine(facts, option.line, option.typedName, u"--"_s + nearest, u"Use --"_s + nearest)});
        }
    }
    return hits;
}

Hits arrayUnused(const LintFacts& facts)
{
    const BatchOption* array = facts.option(u"array"_s);
    static const QRegularExpression task(u"SLURM_ARRAY_(?:TASK_ID|JOB_ID)"_s);
    static const QRegularExpression oneAtATime(u"%1$"_s);
    static const QRegularExpression several(u"[-,]"_s);
    if (!array || array->value.contains(oneAtATime) || !array->value.contains(several)
        || facts.batch.text.contains(task))
        return {};
    return {{array->line,
        u"Nothing in the script reads SLURM_ARRAY_TASK_ID: unless the program does itself, all tasks of %1 do the same work."_s
            .arg(array->written)}};
}

Hits coresMissing(const LintFacts& facts)
{
    const LintRequest& request = facts.request;
    const bool said = facts.option(u"cpus-per-task"_s) || facts.option(u"cpus-per-gpu"_s) || facts.option(u"mincpus"_s)
        || request.exclusive || (facts.partition && !facts.partition->shared);
    if (said || !asksForGpus(facts) || request.tasks.value_or(1) > 1 || request.tasksPerNode.value_or(1) > 1)
        return {};
    const bool perStep = std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.srunOption(u"cpus-per-task"_s) || start.srunOption(u"cpu-bind"_s); });
    const int agents = static_cast<int>(std::count_if(
        facts.starts.cbegin(), facts.starts.cend(), [](const Start& start) { return start.agent != nullptr; }));
    if (perStep || agents == 0)
        return {};
    const BatchOption* gpus = request.gpuOptions.first();
    return {{gpus->line,
        u"Without --cpus-per-task the one task of each node may get a single core for all its workers and loaders."_s}};
}

} // namespace

QList<LintRule> requestRules()
{
    const QString measured = u"measured with Slurm 22.05"_s;
    return {
        {{u"L08"_s, u"gpus-total"_s, Severity::Warning, u"resources.gpusPerNode"_s,
             u"--gpus, a total, with several nodes"_s, measured},
            gpusTotal},
        {{u"L09"_s, u"gpus-per-task"_s, Severity::Error, u"resources.gpusPerNode"_s,
             u"--gpus-per-task with several tasks on a node and no sharing"_s,
             measured + u"; LUMI training materials 2026"_s},
            gpusPerTask},
        {{u"L10"_s, u"gpu-options"_s, Severity::Warning, u"resources.gpusPerNode"_s,
             u"more than one option that asks for GPUs"_s, u"sbatch(1)"_s},
            gpuOptionsTwice},
        {{u"L12"_s, u"tasks-total"_s, Severity::Warning, u"resources.nodes"_s,
             u"--ntasks, a total, without a number for each node"_s, measured},
            tasksTotal},
        {{u"L38"_s, u"memory-options"_s, Severity::Error, u"resources.memoryPerNode"_s,
             u"two memory options that exclude each other"_s, measured},
            twoMemoryOptions},
        {{u"R308"_s, u"step-option"_s, Severity::Error, {},
             u"an option that srun does not have, one slip from one that it has"_s, u"srun(1)"_s},
            stepOptionUnknown},
        {{u"R307"_s, u"segment-nodes"_s, Severity::Error, u"resources.nodes"_s,
             u"--nodes that --segment does not divide"_s, u"sbatch(1), --segment"_s},
            segmentNodes},
        {{u"L38"_s, u"exclusive-options"_s, Severity::Error, u"resources.tasksPerNode"_s,
             u"two options of tasks or sharing that exclude each other"_s, u"slurm_opt.c of Slurm 23.11 to 26.05"_s},
            excludingOptions},
        {{u"L10"_s, u"step-gres"_s, Severity::Warning, {}, u"srun --gres=gpu in a job that asks by --gpus-per-node"_s,
             u"Slurm 26.05, slurm_opt.c"_s},
            stepGresBesideGpus},
        {{u"R221"_s, u"time-missing"_s, Severity::Hint, u"time"_s, u"no --time"_s, u"sbatch(1)"_s}, noTimeLimit},
        {{u"R222"_s, u"step-larger"_s, Severity::Error, {}, u"srun asks for more than the job has"_s, u"srun(1)"_s},
            stepLarger},
        {{u"R223"_s, u"array-unused"_s, Severity::Hint, {}, u"an array whose tasks all do the same"_s, u"sbatch(1)"_s},
            arrayUnused},
        {{u"R224"_s, u"cores-missing"_s, Severity::Hint, u"resources.cpusPerGpu"_s,
             u"an agent without --cpus-per-task on a shared node"_s, u"sbatch(1)"_s},
            coresMissing},
    };
}

} // namespace rankwright::inline script::lint
