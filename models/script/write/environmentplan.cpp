// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/environmentplan.h"

#include "models/planner/design/rankplaces.h"
#include "models/script/bash/scriptquoting.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Modules and uenv that a job without an image loads, by their names.
QStringList softwareOf(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    QStringList names;
    for (const QString& command : moduleCommands(resolved, profile))
        names += command.split(u' ', Qt::SkipEmptyParts).mid(2); // after "module load"
    if (resolved.spec.environment.uenv)
        names.append(resolved.spec.environment.uenv->section(u' ', 0, 0));
    return names;
}

PlannedVariable siteVariable(const EnvironmentRule& rule, const ResolvedSpec& resolved)
{
    PlannedVariable variable;
    variable.name = rule.name;
    variable.value = rule.expand ? expandingWord(rule.value) : scriptWord(rule.value);
    if (rule.multiNodeOnly)
        variable.origins.append(field::nodes);
    variable.origins.append(field::cluster);
    variable.reason = rule.reason.isEmpty() ? u"Set by this site's recipe."_s : rule.reason;
    variable.source = rule.source;
    if (rule.inTask)
        variable.reason += u" Set in the task, since its value differs between nodes."_s;
    variable.folder = rule.inTask && rule.expand && rule.value.startsWith(u'/');
    if (rule.multiNodeOnly && resolved.nodes > 1 && !variable.reason.isEmpty())
        variable.reason += u" Only needed between nodes."_s;
    return variable;
}

void addSiteVariables(EnvironmentPlan& plan, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QMap<QString, QString>& own = resolved.spec.environment.variables;
    const QStringList software = softwareOf(resolved, profile);
    for (const EnvironmentRule& rule : profile.environment) {
        if (!rule.evidence.holdsFor(resolved.container, software))
            continue;
        if ((rule.multiNodeOnly && resolved.nodes < 2) || (rule.singleNodeOnly && resolved.nodes > 1))
            continue;
        if (resolved.nodes < rule.fromNodes.value_or(1))
            continue;
        if (rule.softwareOnly && resolved.container.isEmpty() && !resolved.spec.environment.uenv)
            continue;
        if (own.contains(rule.name) || !isExportableName(rule.name)) // the design's value wins
            continue;
        if (resolved.coresOpen && rule.expand && rule.value.contains(u"SLURM_CPUS_PER_TASK"_s)) // Slurm does not set it
            continue;
        (rule.inTask ? plan.task : plan.batch).append(siteVariable(rule, resolved));
    }
}

void addOwnVariables(EnvironmentPlan& plan, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QMap<QString, QString>& own = resolved.spec.environment.variables;
    for (auto it = own.cbegin(); it != own.cend(); ++it) {
        if (!isExportableName(it.key())) {
            plan.refused.append(it.key());
            continue;
        }
        const bool replaces = std::any_of(profile.environment.cbegin(), profile.environment.cend(),
            [&](const EnvironmentRule& rule) { return rule.name == it.key(); });
        plan.batch.append({it.key(), scriptWord(it.value()), {field::variables},
            replaces ? u"Yours, instead of this site's usual value; every task inherits it."_s
                     : u"Yours; the value is taken literally and every task inherits it."_s,
            u"R19"_s});
    }
}

/// Megatron's tensor parallel wants one queue on GPUs before Blackwell (R39). A program that is not known may be it.
bool overlapsByOneQueue(const ResolvedSpec& resolved)
{
    const Trainer trainer = trainerOf(resolved);
    static const QRegularExpression blackwell(u"\\bG?B[23]\\d\\d"_s);
    const bool open = trainer == Trainer::Plain && !resolved.spec.training.framework;
    return (trainer == Trainer::Megatron || trainer == Trainer::MegatronDeepspeed || open) && resolved.tensor > 1
        && resolved.strategy != Strategy::Fsdp && resolved.strategy != Strategy::Hsdp
        && !resolved.node.gpu.model.contains(blackwell);
}

/// Where a site says nothing: the runtime that most clusters have, with the option that lets the GPUs in.
QStringList usualRunner(GpuVendor vendor)
{
    return {u"apptainer"_s, u"exec"_s, vendor == GpuVendor::Amd ? u"--rocm"_s : u"--nv"_s};
}

bool isSet(const EnvironmentPlan& plan, const QString& name)
{
    const auto named = [&](const PlannedVariable& variable) { return variable.name == name; };
    return std::any_of(plan.batch.cbegin(), plan.batch.cend(), named)
        || std::any_of(plan.task.cbegin(), plan.task.cend(), named);
}

/// Where Slurm hands out cores in order, the GPUs follow: device i of local rank i is then the one beside its cores.
void addGpuOrder(EnvironmentPlan& plan, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QString name
        = resolved.node.gpu.vendor == GpuVendor::Amd ? u"ROCR_VISIBLE_DEVICES"_s : u"CUDA_VISIBLE_DEVICES"_s;
    QStringList order;
    for (const int gpu : visibleGpuOrder(resolved, profile))
        order.append(QString::number(gpu));
    if (order.isEmpty() || isSet(plan, name))
        return;
    plan.task.append({name, order.join(u','), {field::launcher, field::cluster},
        u"Slurm hands out cores in order, the %1s are numbered otherwise: in this order local rank i finds the one "
        u"beside "
        "its cores as its device i. All stay visible, so that they can copy to each other. Set in the task, since srun "
        "replaces what the batch shell says."_s.arg(resolved.node.gpu.word),
        u"R20"_s});
}

/// "module load X", "load X" or just "X Y" -> a module command with quoted words; empty when it cannot be read.
QString moduleCommand(const QString& text)
{
    const Result<QStringList> split = splitShellWords(text);
    if (!split || split->isEmpty())
        return {};
    QStringList words = *split;
    if (words.first() == u"module")
        words.removeFirst();
    static const QStringList verbs{
        u"load"_s, u"use"_s, u"purge"_s, u"unload"_s, u"swap"_s, u"add"_s, u"unuse"_s, u"restore"_s, u"reset"_s};
    if (words.isEmpty() || !verbs.contains(words.first()))
        words.prepend(u"load"_s);
    return u"module "_s + scriptWords(words);
}

} // namespace

EnvironmentPlan planEnvironment(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    EnvironmentPlan plan;
    addSiteVariables(plan, resolved, profile);
    addOwnVariables(plan, resolved, profile);
    addGpuOrder(plan, resolved, profile);
    if (startsRanksBySlurm(resolved) && isDistributed(resolved) && !isSet(plan, u"OMP_NUM_THREADS"_s)) {
        // Slurm sets the variable only where cores are asked for.
        plan.batch.append({u"OMP_NUM_THREADS"_s,
            resolved.coresOpen ? u"\"${SLURM_CPUS_PER_TASK:-1}\""_s : u"\"$SLURM_CPUS_PER_TASK\""_s,
            {field::cpusPerGpu, field::launcher},
            u"Each rank computes with its own cores; without it every rank may start a thread per core of the node."_s,
            u"R22"_s});
    }
    if (overlapsByOneQueue(resolved) && !isSet(plan, u"CUDA_DEVICE_MAX_CONNECTIONS"_s)) {
        plan.batch.append({u"CUDA_DEVICE_MAX_CONNECTIONS"_s, u"1"_s, {field::tensor, field::strategy},
            u"One hardware queue, so that communication of tensor groups is issued before the computing that hides "
            "it; Megatron stops without it. Not for FSDP, which it would slow down."_s,
            u"R39"_s});
    }
    return plan;
}

QStringList moduleCommands(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    QStringList asked;
    if (!resolved.container.isEmpty())
        asked = profile.container.moduleCommands + resolved.spec.environment.modules;
    else if (!resolved.spec.environment.modules.isEmpty())
        asked = resolved.spec.environment.modules;
    else
        asked = profile.modulesOf(resolved.partition);
    QStringList commands;
    for (const QString& text : std::as_const(asked)) {
        const QString command = moduleCommand(text);
        if (!command.isEmpty())
            commands.append(command);
    }
    return commands;
}

bool usesPyxis(const QString& container, const ClusterProfile& profile)
{
    if (container.isEmpty())
        return false;
    if (!profile.container.runner.isEmpty())
        return profile.container.runner.section(u' ', 0, 0) == u"pyxis";
    static const QRegularExpression registry(
        u"^(?:[\\w-]+(?:\\.[\\w-]+)+(?::\\d+)?[/#])?[\\w.-]+(?:/[\\w.-]+)*(?::[\\w.-]+)$"_s);
    static const QRegularExpression file(u"\\.(sif|simg|img)$"_s);
    return container.endsWith(u".sqsh") || (registry.match(container).hasMatch() && !file.match(container).hasMatch());
}

bool usesEngineFile(const QString& container, const ClusterProfile& profile)
{
    return !container.isEmpty() && profile.container.runner.section(u' ', 0, 0) == u"edf";
}

bool isEngineFile(const QString& container)
{
    static const QRegularExpression image(u"[/:#]|\\.(sqsh|sif|simg|img)$"_s);
    return container.endsWith(u".toml") || !container.contains(image);
}

bool isShifter(const ClusterProfile& profile)
{
    return profile.container.runner.section(u' ', 0, 0).section(u'/', -1) == u"shifter";
}

QString venvScript(const ResolvedSpec& resolved)
{
    const QString venv = resolved.spec.environment.venv.value_or(QString());
    return scriptPath(venv + (venv.endsWith(u'/') ? u"bin/activate"_s : u"/bin/activate"_s));
}

QStringList containerRunner(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (resolved.container.isEmpty() || usesPyxis(resolved.container, profile)
        || usesEngineFile(resolved.container, profile))
        return {};
    const Result<QStringList> split = splitShellWords(profile.container.runner);
    QStringList words = split && !split->isEmpty() ? *split : usualRunner(resolved.node.gpu.vendor);
    // The image follows: an option that takes it stays last.
    const qsizetype end = words.last().startsWith(u"--image"_s) ? words.size() - 1 : words.size();
    const bool shifter = isShifter(profile);
    if (shifter && end == words.size()) // it takes no image by its place
        words.append(u"--image"_s);
    QStringList binds;
    for (const QString& bind : resolved.spec.environment.binds) {
        if (bind.isEmpty())
            continue;
        if (shifter)
            binds.append(u"--volume="_s + (bind.contains(u':') ? bind : bind + u':' + bind));
        else // one --bind per folder keeps commas within names
            binds += {u"--bind"_s, bind};
    }
    words = words.mid(0, end) + binds + words.mid(end);
    return words;
}

} // namespace rankwright::inline script
