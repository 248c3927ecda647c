// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/quantitytext.h"
#include "models/planner/design/cpumasks.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/torchrelease.h"
#include "models/script/lint/lintrule.h"
#include "models/script/lint/rules/lintsoftware.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

/// The cores of each task that a step asks for by masks or single cores.
struct Binding {
    const Start* start = nullptr;
    const BatchOption* option = nullptr;
    QString value; ///< variables replaced
    QString list; ///< the masks as written
    QList<QList<int>> cores; ///< hardware threads, one list for each mask
};

std::optional<QString> bindValue(const LintFacts& facts, const BatchOption& option)
{
    if (!option.word || option.word->isStatic())
        return option.value;
    std::optional<QString> word = facts.valueOf(*option.word);
    const QString name = option.typedName + u'=';
    if (word && word->startsWith(name))
        word->remove(0, name.size());
    return word;
}

QList<Binding> bindings(const LintFacts& facts)
{
    static const QRegularExpression form(
        u"m(?:ask|ap)_cpu[:=]([0-9a-fx]+(?:,[0-9a-fx]+)*)"_s, QRegularExpression::CaseInsensitiveOption);
    QList<Binding> found;
    for (const Start& start : facts.starts) {
        const BatchOption* option = start.srunOption(u"cpu-bind"_s);
        const std::optional<QString> value = option ? bindValue(facts, *option) : std::nullopt;
        const QList<QList<int>> cores = coresOfBinding(value.value_or(QString()));
        if (cores.isEmpty())
            continue;
        found.append({&start, option, *value, form.match(*value).captured(1), cores});
    }
    return found;
}

Hits keyword(const LintFacts& facts)
{
    static const QSet<QString> known{u"none"_s, u"no"_s, u"rank"_s, u"map_cpu"_s, u"mask_cpu"_s, u"rank_ldom"_s,
        u"map_ldom"_s, u"mask_ldom"_s, u"sockets"_s, u"cores"_s, u"threads"_s, u"ldoms"_s, u"boards"_s, u"help"_s,
        u"q"_s, u"quiet"_s, u"v"_s, u"verbose"_s, u"core"_s, u"socket"_s, u"thread"_s, u"ldom"_s, u"yes"_s, u"mapcpu"_s,
        u"maskcpu"_s, u"mapldom"_s, u"maskldom"_s, u"one_thread"_s};
    static const QHash<QString, QString> meant{{u"cpu_mask"_s, u"mask_cpu"_s}, {u"cpumask"_s, u"mask_cpu"_s},
        {u"mask"_s, u"mask_cpu"_s}, {u"mask-cpu"_s, u"mask_cpu"_s}, {u"cpu_map"_s, u"map_cpu"_s},
        {u"map-cpu"_s, u"map_cpu"_s}, {u"map"_s, u"map_cpu"_s}};
    static const QRegularExpression word(u"(?:^|,)\\s*([A-Za-z][A-Za-z_-]*)\\s*(?=[:=,]|$)"_s);
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option = start.srunOption(u"cpu-bind"_s);
        if (!option)
            continue;
        const QString value = bindValue(facts, *option).value_or(QString());
        for (const auto& match : word.globalMatch(value)) {
            const QString name = match.captured(1);
            if (name.toLower() == u"rank") // slurm_resource_info.c of 24.11 and newer
                hits.append({option->line,
                    u"--cpu-bind=rank does nothing from Slurm 24.11 on: srun passes it over with a message."_s,
                    std::nullopt, Severity::Hint});
            static const QRegularExpression hex(u"^[a-fA-F]+$"_s);
            if (known.contains(name.toLower())
                || (value.contains(u"cpu") && match.capturedStart() > 0 && name.contains(hex)))
                continue;
            const QString better = meant.value(name.toLower());
            int line = option->line;
            std::optional<Fix> fix;
            if (!better.isEmpty()) {
                line = std::max(
                    line, facts.lineOf(QRegularExpression(u"\\b"_s + QRegularExpression::escape(name) + u"[:=]"_s)));
                fix = replaceInLine(facts, line, name, better, u"Use "_s + better);
            }
            hits.append({line,
                better.isEmpty()
                    ? u"--cpu-bind has no mode %1: srun stops. There are mask_cpu, map_cpu, cores, sockets, threads, none."_s
                          .arg(quoted(name))
                    : u"--cpu-bind has no mode %1: srun stops. It is called %2."_s.arg(quoted(name), better),
                fix});
        }
    }
    return hits;
}

Hits maskCount(const LintFacts& facts)
{
    Hits hits;
    for (const Binding& binding : bindings(facts)) {
        const std::optional<int> tasks = binding.start->tasksPerNode;
        const int masks = static_cast<int>(binding.cores.size());
        if (!tasks || *tasks == masks)
            continue;
        QString text = u"%1 for %2 on each node: "_s.arg(counted(masks, u"mask"_s), counted(*tasks, u"task"_s));
        if (*tasks == 1 && binding.start->agent)
            text
                += u"the agent and all its workers get the cores of the first one; srun cannot bind the workers of an agent."_s;
        else
            text += *tasks > masks ? u"Slurm starts again with the first one, so that tasks share cores."_s
                                   : u"the last ones are not used, the others may belong to other GPUs."_s;
        hits.append({binding.option->line, text});
    }
    return hits;
}

Hits maskOverlap(const LintFacts& facts)
{
    Hits hits;
    for (const Binding& binding : bindings(facts)) {
        QHash<int, int> owner;
        for (int i = 0; i < binding.cores.size(); ++i) {
            for (const int core : binding.cores.at(i)) {
                if (owner.contains(core) && owner.value(core) != i) {
                    hits.append({binding.option->line,
                        u"Core %1 is in mask %2 and in mask %3: two tasks would share it."_s.arg(core)
                            .arg(owner.value(core) + 1)
                            .arg(i + 1)});
                    i = static_cast<int>(binding.cores.size()) - 1;
                    break;
                }
                owner.insert(core, i);
            }
        }
    }
    return hits;
}

Hits maskReserved(const LintFacts& facts)
{
    if (!facts.node || facts.node->places.isEmpty() || facts.node->cores < 1)
        return {};
    QSet<int> reserved;
    const bool otherwise = facts.option(u"core-spec"_s) != nullptr; // the job says itself how many are kept
    for (const GpuPlace& place : otherwise ? QList<GpuPlace>() : facts.node->places)
        reserved += QSet<int>(place.reservedCores.begin(), place.reservedCores.end());
    Hits hits;
    for (const Binding& binding : bindings(facts)) {
        QStringList bad;
        QStringList beyond;
        for (const QList<int>& cores : binding.cores) {
            for (const int thread : cores) {
                if (thread >= facts.node->cores * std::max(1, facts.node->threadsPerCore))
                    beyond.append(QString::number(thread));
                else if (reserved.contains(thread % facts.node->cores))
                    bad.append(QString::number(thread));
            }
        }
        bad.removeDuplicates();
        if (!beyond.isEmpty())
            hits.append({binding.option->line,
                u"The masks name cores that a node of %1 does not have (%2)."_s.arg(
                    facts.profile->title, beyond.mid(0, 4).join(u", "_s))});
        if (!bad.isEmpty())
            hits.append({binding.option->line,
                u"The masks name cores that are kept for the system (%1): the step is refused. Masks of all cores of a region (ff) date from before that."_s
                    .arg(bad.join(u", "_s))});
    }
    return hits;
}

Hits maskShared(const LintFacts& facts)
{
    if (!facts.sharedNodes())
        return {};
    Hits hits;
    for (const Binding& binding : bindings(facts))
        hits.append({binding.option->line,
            u"In %1 nodes are shared and a job gets any free cores: fixed masks fail or bind to the wrong cores. They need whole nodes."_s
                .arg(facts.partition->slurmName())});
    return hits;
}

/// The GPU whose cores a mask lies in; -1: none, or several.
int gpuOfCores(const NodeShape& node, const QList<int>& threads)
{
    int found = -1;
    for (const int thread : threads) {
        const int core = thread % node.cores;
        const auto place = std::find_if(node.places.cbegin(), node.places.cend(),
            [&](const GpuPlace& one) { return one.cores.contains(core) || one.reservedCores.contains(core); });
        const int gpu = place != node.places.cend() ? place->gpu : -1;
        if (gpu < 0 || (found >= 0 && gpu != found))
            return -1;
        found = gpu;
    }
    return found;
}

Hits maskOrder(const LintFacts& facts)
{
    const NodeShape* node = facts.node;
    if (!node || node->places.size() < 2 || node->cores < 1)
        return {};
    Hits hits;
    for (const Binding& binding : bindings(facts).mid(0, 16)) { // each is looked for in the whole script
        QStringList order;
        bool inOrder = true;
        bool clear = binding.cores.size() == node->places.size();
        for (int i = 0; i < binding.cores.size(); ++i) {
            const int gpu = gpuOfCores(*node, binding.cores.at(i));
            clear = clear && gpu >= 0 && !order.contains(QString::number(gpu));
            inOrder = inOrder && gpu == i;
            order.append(QString::number(gpu));
        }
        const bool mapped = facts.batch.text.contains(order.join(u',')) || facts.batch.text.contains(order.join(u' '))
            || facts.batch.text.contains(order.join(u", "_s));
        if (!clear || inOrder || mapped)
            continue;
        QStringList right(order.size());
        const QStringList masks = binding.list.split(u',');
        for (qsizetype i = 0; i < order.size(); ++i)
            right[order.at(i).toInt()] = masks.at(i);
        int line = 0;
        for (qsizetype i = 0; i < facts.batch.lines.size() && line == 0; ++i)
            line = facts.batch.lines.at(i).contains(binding.list) ? static_cast<int>(i) + 1 : 0;
        hits.append({line > 0 ? line : binding.option->line,
            u"Mask by mask the cores belong to %1s %2, but local rank 0 takes %1 0, and so on: each rank runs far from its %1. Order the masks by %1, or map the GPUs in that order."_s
                .arg(node->gpu.word, order.join(u", "_s)),
            line > 0 ? replaceInLine(facts, line, binding.list, right.join(u','), u"Order the masks"_s)
                     : std::nullopt});
    }
    return hits;
}

const BatchOption* numaBinding(const Start& start)
{
    return start.kind == LaunchKind::Agent ? start.agentOption(u"numa-binding"_s) : nullptr;
}

/// torchrun stops at an option or a value that it does not know.
Hits numaUnknown(const LintFacts& facts)
{
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option = numaBinding(start);
        if (!option)
            continue;
        const QVersionNumber release = torchReleaseOf(facts);
        if (!release.isNull() && release < numaBindingSince()) {
            hits.append({option->line,
                u"torchrun of PyTorch %1 does not know --numa-binding and stops; it came with %2."_s.arg(
                    release.toString(), numaBindingSince().toString())});
            continue;
        }
        const std::optional<QString> value
            = option->word && !option->word->isStatic() ? facts.valueOf(*option->word) : option->value;
        QStringList words;
        for (const auto& one : enumWords<NumaBinding>())
            words.append(one.word);
        if (value && !value->contains(u'$') && !words.contains(value->section(u'=', -1)))
            hits.append({option->line,
                u"--numa-binding has no mode %1: torchrun stops. There are %2."_s.arg(
                    quoted(value->section(u'=', -1)), words.join(u", "_s))});
    }
    return hits;
}

/// torchrun divides the cores that its agent may use: after a mask, or taskset, these are not the node's.
Hits numaTwice(const LintFacts& facts)
{
    static const QRegularExpression mask(u"(?:mask|map)_(?:cpu|ldom)"_s);
    static const QRegularExpression tool(u"\\b(?:taskset|numactl)\\s"_s);
    Hits hits;
    for (const Start& start : facts.starts) {
        const BatchOption* option = numaBinding(start);
        if (!option)
            continue;
        const BatchOption* bind = start.srunOption(u"cpu-bind"_s);
        const bool masked = bind && bindValue(facts, *bind).value_or(bind->value).contains(mask);
        QString other = masked ? u"--cpu-bind masks"_s : QString();
        for (int line = start.launch->line; other.isEmpty() && line <= start.launch->lastLine; ++line) {
            if (const auto match = tool.match(facts.codeLines.value(line - 1)); match.hasMatch())
                other = match.captured(0).trimmed();
        }
        if (!other.isEmpty())
            hits.append({option->line,
                u"--numa-binding and %1 both bind: torchrun can only divide the cores that %1 left, which may hold none beside some GPUs. Keep one of them."_s
                    .arg(other)});
    }
    return hits;
}

} // namespace

QList<LintRule> bindingRules()
{
    const QString binding = u"the site's page on binding"_s;
    const QString numa = u"pytorch/pytorch, torch/numa/binding.py; torch/distributed/run.py"_s;
    return {
        {{u"L32"_s, u"cpu-bind-keyword"_s, Severity::Error, {},
             u"a --cpu-bind mode that srun does not have (cpu_mask)"_s, u"srun(1); measured with Slurm 22.05"_s},
            keyword},
        {{u"L33"_s, u"mask-count"_s, Severity::Error, {}, u"more or fewer masks than tasks on a node"_s,
             u"srun(1), --cpu-bind"_s},
            maskCount},
        {{u"L33"_s, u"mask-overlap"_s, Severity::Error, {}, u"one core in two masks"_s, u"srun(1), --cpu-bind"_s},
            maskOverlap},
        {{u"L33"_s, u"mask-reserved"_s, Severity::Error, {},
             u"masks with cores that the system keeps, or that do not exist"_s, binding, true},
            maskReserved},
        {{u"L33"_s, u"mask-shared-node"_s, Severity::Error, {}, u"masks on a node that other jobs use"_s, binding,
             true},
            maskShared},
        {{u"L33"_s, u"mask-order"_s, Severity::Warning, {}, u"masks in another order than the GPUs"_s, binding, true},
            maskOrder},
        {{u"R301"_s, u"numa-binding-unknown"_s, Severity::Error, u"options.numaBinding"_s,
             u"--numa-binding with a PyTorch before 2.9, or a mode that it does not have"_s, numa},
            numaUnknown},
        {{u"R302"_s, u"numa-binding-twice"_s, Severity::Warning, u"options.numaBinding"_s,
             u"--numa-binding together with masks of srun, taskset or numactl"_s, numa},
            numaTwice},
    };
}

} // namespace rankwright::inline script::lint
