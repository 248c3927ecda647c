// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/directiveswriter.h"

#include "models/core/quantitytext.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/environmentplan.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/lifecycle.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// One "#SBATCH --key=value" after the other.
class Directives {
public:
    explicit Directives(ScriptBuilder& builder) : m_builder(builder) { }
    void add(const QString& key, const QString& value, const QList<FieldPath>& origins, const QString& reason,
        const QString& source)
    {
        const QString assigned = value.isEmpty() ? QString() : u'=' + directiveWord(value);
        m_builder.line(u"#SBATCH --"_s + key + assigned, origins, reason, source);
    }

private:
    ScriptBuilder& m_builder;
};

QString strategyTitle(const ResolvedSpec& resolved)
{
    const QString text = toText(resolved.strategy);
    return resolved.strategy == Strategy::Single ? u"one process"_s : text.toUpper();
}

void writeHead(ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile, BatchShell shell)
{
    builder.line(shell == BatchShell::Login ? u"#!/bin/bash -l"_s : u"#!/bin/bash"_s, {},
        shell == BatchShell::Login
            ? u"Slurm reads the interpreter from the very first characters. A login shell (-l) defines the module "
              "command, also when the job is submitted over SSH."_s
            : u"Slurm reads the interpreter from the very first characters; anything above this line is refused."_s,
        u"R37"_s);
    const QString word = resolved.node.gpu.word.isEmpty() ? u"GPU"_s : resolved.node.gpu.word;
    const QString gpus = gpusText(resolved.gpusPerNode, word);
    builder.line(commentText(u"# %1: %2 on %3 x %4 of %5, started by %6. Written by Rankwright."_s.arg(
                                 safeJobName(resolved.name), strategyTitle(resolved), nodesText(resolved.nodes), gpus,
                                 profile.title, toText(resolved.launcher)),
                     160),
        {field::name, field::cluster}, u"What this job is, for whoever opens the file later."_s);
    builder.blank();
}

void addText(Directives& directives, const QString& key, const std::optional<QString>& value, QLatin1StringView field,
    const QString& reason, const QString& source)
{
    if (value && !value->isEmpty())
        directives.add(key, *value, {field}, reason, source);
}

void writeIdentity(
    ScriptBuilder& builder, Directives& directives, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    directives.add(u"job-name"_s, safeJobName(resolved.name), {field::name},
        u"The name in the queue and of the log file; without it the job is called after the script."_s, u"R34"_s);
    if (!resolved.account.isEmpty()) {
        directives.add(u"account"_s, resolved.account, {field::account},
            u"The project that is billed. Without it Slurm refuses the job, or bills a default project."_s, u"R37"_s);
    } else if (lacksAccount(resolved, profile)) {
        const QString example
            = profile.launch.accountExample.isEmpty() ? u"your project"_s : profile.launch.accountExample;
        builder.line(u"# NO ACCOUNT: this site bills every job to a project; fill in e.g. "_s + commentText(example),
            {field::account}, u"The design names no account, and this site needs one."_s, u"L53"_s);
    }
    for (const auto& [option, value] : queueOptions(resolved.partitionInfo)) {
        const auto& own = resolved.spec.options;
        if ((option == u"qos" && own.qos) || (option == u"constraint" && own.constraint))
            continue; // the design's own follows
        directives.add(option, value, {field::partition},
            u"The queue, chosen by size and time; a wrong one means a refusal, a long wait or a higher bill."_s,
            u"R06"_s);
    }
    addText(directives, u"qos"_s, resolved.spec.options.qos, field::qos,
        u"The quality of service: decides on priority and on limits beside the partition's."_s, u"R06"_s);
    if (resolved.spec.reservation && !resolved.spec.reservation->isEmpty()) {
        directives.add(u"reservation"_s, *resolved.spec.reservation, {field::reservation},
            u"Runs inside the reservation; without it the job waits in the common queue."_s, u"R37"_s);
    }
}

void writeTasks(Directives& directives, const ResolvedSpec& resolved)
{
    directives.add(u"nodes"_s, QString::number(resolved.nodes), {field::nodes},
        u"Always stated together with the tasks per node: totals alone are spread unevenly, for instance 7 + 1."_s,
        u"R03"_s);
    const int tasks = resolved.tasksPerNode();
    const bool agent = isAgent(starterOf(resolved));
    directives.add(u"ntasks-per-node"_s, QString::number(tasks), {field::launcher, field::gpusPerNode},
        tasks > 1   ? u"One task per GPU, since Slurm starts the ranks; a single task would train on one GPU."_s
            : agent ? u"One agent per node, which starts a worker per GPU; more agents would train separate models "
                      "without any error."_s
                    : u"One process on each node."_s,
        u"R01"_s);
    if (resolved.coresOpen)
        return;
    directives.add(u"cpus-per-task"_s, QString::number(resolved.cpusPerTask()),
        {field::cpusPerGpu, field::gpusPerNode, field::launcher},
        u"%1 cores per GPU times the GPUs of a task. Fewer starve the data loaders, more can be billed as another GPU."_s
            .arg(resolved.cpusPerGpu),
        u"R02"_s);
}

/// The site's own disk, where it is given with the GPUs' option: "gpu:a100:1,nvme:900", in GiB.
QString diskRequest(const ResolvedSpec& resolved)
{
    const auto& disk = resolved.spec.options.localDisk;
    return disk && disk->count > 0 ? u",nvme:%1"_s.arg((disk->count + (qint64(1) << 30) - 1) >> 30) : QString();
}

void writeHardware(Directives& directives, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QString count = QString::number(resolved.gpusPerNode);
    const QString type = resolved.node.gpu.slurmName;
    const QString reason
        = u"GPUs are asked for per node, in this site's spelling; totals are split unevenly, and without "
          "this line no step sees a GPU."_s;
    const QString disk = diskRequest(resolved);
    if (profile.launch.gpuRequest == GpuRequest::Gres)
        directives.add(u"gres"_s, (type.isEmpty() ? u"gpu:"_s + count : u"gpu:%1:%2"_s.arg(type, count)) + disk,
            {field::gpusPerNode, field::localDisk}, reason, u"R04"_s);
    else if (profile.launch.gpuRequest != GpuRequest::None)
        directives.add(u"gpus-per-node"_s, count, {field::gpusPerNode}, reason, u"R04"_s);
    if (resolved.memoryPerNode) {
        directives.add(u"mem"_s, slurmMemory(*resolved.memoryPerNode), {field::memoryPerNode, field::gpusPerNode},
            u"Main memory of each node, not of the job. Without it a shared node gives its small default."_s, u"R05"_s);
    }
    const auto& options = resolved.spec.options;
    if (options.exclusive.value_or(profile.launch.gpuRequest == GpuRequest::None))
        directives.add(u"exclusive"_s, {}, {field::exclusive},
            u"Whole nodes for this job alone; its memory still has to be asked for."_s, u"R05"_s);
    addText(directives, u"constraint"_s, options.constraint, field::constraint,
        u"Only nodes with this feature, in place of what the site usually asks for."_s, u"R04"_s);
    addText(directives, u"exclude"_s, options.exclude, field::exclude,
        u"Nodes to stay away from, for instance because one of their GPUs is faulty."_s, u"R38"_s);
}

/// Software that Slurm's plugins bring.
void writeSoftware(Directives& directives, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QStringList uenv
        = resolved.spec.environment.uenv.value_or(QString()).simplified().split(u' ', Qt::SkipEmptyParts);
    if (!uenv.isEmpty()) {
        directives.add(u"uenv"_s, uenv.first(), {field::uenv},
            u"The user environment that Slurm mounts for the script and its tasks."_s, u"R24"_s);
        directives.add(u"view"_s, uenv.value(1, u"default"_s), {field::uenv},
            u"Which of its views is on the path; without one Python is not."_s, u"R24"_s);
    }
    if (isShifter(profile) && !resolved.container.isEmpty())
        directives.add(u"image"_s, resolved.container, {field::container},
            u"Shifter makes the image ready on all nodes before the job starts."_s, u"R24"_s);
}

void writeRun(Directives& directives, const ResolvedSpec& resolved)
{
    directives.add(u"time"_s, slurmTime(resolved.time), {field::time},
        u"The job is ended after %1. A shorter limit starts earlier; checkpoints must fit before it."_s.arg(
            humanDuration(resolved.time)),
        u"R07"_s);
    const QString workdir = resolved.spec.workdir.value_or(QString());
    if (!workdir.isEmpty() && fitsDirective(workdir)) {
        directives.add(u"chdir"_s, workdir, {field::workdir},
            u"The job runs and writes its log here; without it, where it was submitted."_s, u"R34"_s);
    }
    const auto& options = resolved.spec.options;
    const bool array = !options.array.value_or(QString()).isEmpty();
    const QString usual = array ? u"%x-%A_%a.out"_s : u"%x-%j.out"_s;
    directives.add(u"output"_s, options.output.value_or(QString()).isEmpty() ? usual : *options.output,
        {field::name, field::output},
        array ? u"The log of each task of the array, named after job, array and task."_s
              : u"The log, named after job and id: a fixed name would be overwritten by the next job."_s,
        u"R34"_s);
    addText(directives, u"error"_s, options.error, field::error,
        u"Errors go to a file of their own; without it they are in the log, where they happened."_s, u"R34"_s);
    directives.add(u"open-mode"_s, u"append"_s, {field::requeue},
        u"Keeps the first part of the log when Slurm requeues the job after a node failure."_s, u"R32"_s);
}

/// What happens before, after and beside one run.
void writeLife(Directives& directives, const ResolvedSpec& resolved)
{
    const auto& options = resolved.spec.options;
    addText(directives, u"signal"_s, resolved.signal.isEmpty() ? std::nullopt : std::optional(resolved.signal),
        field::signal,
        u"Signals every task some time before the limit, so that it can save; without it the job is killed as it is."_s,
        u"R31"_s);
    if (options.requeue.has_value() || options.requeueAtLimit.value_or(0) > 0) {
        const bool again = options.requeue.value_or(true);
        directives.add(again ? u"requeue"_s : u"no-requeue"_s, {}, {field::requeue, field::requeueAtLimit},
            again ? u"After a node failure or preemption the job goes back into the queue under its id."_s
                  : u"After a node failure the job ends; sites differ in what they do otherwise."_s,
            u"R32"_s);
    }
    addText(directives, u"array"_s, options.array, field::array,
        isChain(options.array.value_or(QString()))
            ? u"The same job several times, one after the other: a chain of continuations."_s
            : u"The same job several times; SLURM_ARRAY_TASK_ID distinguishes them."_s,
        u"R35"_s);
    addText(directives, u"dependency"_s, options.dependency, field::dependency,
        u"Starts only when the named jobs have ended this way."_s, u"R35"_s);
    if (options.dependency.value_or(QString()).contains(u"afterok"_s))
        directives.add(u"kill-on-invalid-dep"_s, u"yes"_s, {field::dependency},
            u"If the job before fails, this one is cancelled; otherwise it would wait for ever."_s, u"R35"_s);
    addText(directives, u"mail-user"_s, options.mailUser, field::mailUser, u"Who gets Slurm's mail."_s, u"R37"_s);
    addText(directives, u"mail-type"_s, options.mailType, field::mailType, u"When Slurm writes."_s, u"R37"_s);
}

} // namespace

bool lacksAccount(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return profile.launch.accountRequired && resolved.account.isEmpty();
}

void writeDirectives(
    ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile, BatchShell shell)
{
    Directives directives(builder);
    writeHead(builder, resolved, profile, shell);
    writeIdentity(builder, directives, resolved, profile);
    writeTasks(directives, resolved);
    writeHardware(directives, resolved, profile);
    const bool ownConstraint = !resolved.spec.options.constraint.value_or(QString()).isEmpty();
    for (const QString& extra : profile.launch.extraDirectives) {
        if (ownConstraint && extra.trimmed().startsWith(u"--constraint"_s))
            continue;
        const QString option = fitsDirective(extra) ? extra.trimmed() : commentText(extra);
        if (option.startsWith(u"--"))
            builder.line(
                u"#SBATCH "_s + option, {field::cluster}, u"This site asks for it in every GPU job."_s, u"R04"_s);
    }
    writeSoftware(directives, resolved, profile);
    writeRun(directives, resolved);
    writeLife(directives, resolved);
    builder.blank();
}

} // namespace rankwright::inline script
