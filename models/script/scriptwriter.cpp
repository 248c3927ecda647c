// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/scriptwriter.h"

#include "models/script/directiveswriter.h"
#include "models/script/launchers.h"
#include "models/script/shellwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void writeModules(ScriptBuilder& builder, const LaunchPlan& plan, const QStringList& commands)
{
    if (commands.isEmpty())
        return;
    const bool container = !plan.resolved.container.isEmpty();
    const QList<FieldPath> origins{fieldPath(container ? field::container : field::modules), fieldPath(field::modules)};
    builder.heading(container ? u"Modules that connect the container to this cluster"_s : u"Software"_s, origins);
    for (const QString& command : commands) {
        builder.line(command, origins,
            container
                ? u"Part of this site's recipe for containers: network library, file systems and devices are bound."_s
                : u"Puts the software on the path; the job does not inherit it reliably from the login shell."_s,
            container && !plan.profile.container.source.isEmpty() ? plan.profile.container.source : u"R24"_s);
    }
    builder.blank();
}

void writeStrictness(ScriptBuilder& builder, const LaunchPlan& plan)
{
    builder.line(u"set -euo pipefail"_s, {},
        u"Any failing step fails the job; without it a crashed training can be shown as COMPLETED. After the modules, "
        "since module systems use unset variables."_s,
        u"R29"_s);
    const QString workdir = plan.resolved.spec.workdir.value_or(QString());
    if (!workdir.isEmpty() && !fitsDirective(workdir)) {
        builder.line(u"cd -- "_s + scriptWord(workdir), {fieldPath(field::workdir)},
            u"The folder's name has characters that no directive can carry."_s, u"R34"_s);
    }
    builder.blank();
}

void writeImage(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (plan.resolved.container.isEmpty())
        return;
    builder.line(u"SIF="_s + scriptWord(plan.resolved.container), {fieldPath(field::container)},
        u"The image with Python, PyTorch and the GPU libraries, by its exact name, so that the run can be repeated."_s,
        u"R24"_s);
    builder.blank();
}

void writeGuard(ScriptBuilder& builder, const QString& condition, const QString& message,
    const QList<FieldPath>& origins, const QString& reason)
{
    builder.line(u"%1 || stop \"%2\""_s.arg(condition, message), origins, reason, u"R38"_s);
}

/// Says why there is nothing to launch; the job stops there with that sentence.
void writeStop(ScriptBuilder& builder, const QString& problem, const QList<FieldPath>& origins)
{
    builder.line(u"stop "_s + scriptWord(problem), origins,
        u"A placeholder: the design is not complete, so the job stops here with a message instead of running something "
        "else."_s,
        u"R38"_s);
}

void writeGuards(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    const int taskCount = resolved.tasksPerNode() * resolved.nodes;
    const QString tasks = QString::number(taskCount);
    const QString gpus = QString::number(resolved.gpusPerNode);
    builder.heading(u"Guards: one clear sentence now instead of a wrong run for hours"_s);
    builder.line(
        u"stop() { echo \"rankwright: $1\" >&2; exit 1; }"_s, {}, u"Ends the job with one sentence."_s, u"R38"_s);
    writeGuard(builder, u"[[ ${SLURM_NTASKS:-0} == %1 ]]"_s.arg(tasks),
        u"expected %1 %2, Slurm gave ${SLURM_NTASKS:-none}"_s.arg(tasks, taskCount == 1 ? u"task"_s : u"tasks"_s),
        {fieldPath(field::nodes), fieldPath(field::launcher)},
        u"A wrong number of tasks trains several separate models, or one GPU only, without any error."_s);
    writeGuard(builder, u"[[ ${SLURM_GPUS_ON_NODE:-0} == %1 ]]"_s.arg(gpus),
        u"expected %1 %2 on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"_s.arg(
            gpus, resolved.gpusPerNode == 1 ? u"GPU"_s : u"GPUs"_s),
        {fieldPath(field::gpusPerNode)}, u"Fewer GPUs than ranks ends in an obscure device error."_s);
    if (lacksAccount(resolved, plan.profile)) {
        writeGuard(builder, u"[[ -n ${SLURM_JOB_ACCOUNT:-} ]]"_s,
            u"the design names no account, and this site bills every job to one"_s, {fieldPath(field::account)},
            u"No account was given, neither in the design nor by the environment."_s);
    }
    if (!resolved.container.isEmpty() && !resolved.container.contains(u"://")) {
        writeGuard(builder, u"[[ -r $SIF ]]"_s, u"cannot read the container image $SIF"_s,
            {fieldPath(field::container)}, u"A mistyped image would fail on every node at once."_s);
    }
    if (!plan.command.programFile.isEmpty()) {
        const QString file = scriptWord(plan.command.programFile);
        const QString shown = file == plan.command.programFile ? file : u"the program"_s; // no quotes within quotes
        writeGuard(builder, u"[[ -r %1 ]]"_s.arg(file),
            u"cannot read %1 in $PWD: upload it, or set the working directory"_s.arg(shown),
            {fieldPath(field::command), fieldPath(field::workdir)},
            u"The program has to be where the job runs, not where the design was made."_s);
    }
    const QString launch = launchProblem(resolved);
    if (!plan.command.problem.isEmpty())
        writeStop(builder, plan.command.problem, {fieldPath(field::command)});
    else if (!launch.isEmpty())
        writeStop(builder, launch, {fieldPath(field::launcher)});
    builder.blank();
}

void writeEnvironment(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const EnvironmentPlan& environment = plan.environment;
    if (environment.batch.isEmpty() && environment.refused.isEmpty())
        return;
    builder.heading(u"Environment of every task"_s, {fieldPath(field::variables)});
    for (const PlannedVariable& variable : environment.batch)
        builder.line(
            u"export %1=%2"_s.arg(variable.name, variable.value), variable.origins, variable.reason, variable.source);
    for (const QString& name : environment.refused) {
        builder.heading(u"NOT SET: %1 is not a name that a shell can export"_s.arg(commentText(name, 40)),
            {fieldPath(field::variables)});
    }
    builder.blank();
}

/// ShellCheck takes every variable within single quotes for a slip (SC2016); here the quotes are what is meant, so the
/// script says so once, where it holds for the whole file.
void allowLiteralQuotes(ScriptDocument& document)
{
    static const QRegularExpression quotedVariable(u"^[^#]*'[^']*[$`]|bash -c '$"_s);
    const bool needed = std::any_of(document.lines.cbegin(), document.lines.cend(),
        [](const ScriptLine& line) { return quotedVariable.match(line.text).hasMatch(); });
    if (!needed)
        return;
    document.lines.insert(2,
        {u"# shellcheck disable=SC2016 # single quotes are meant: tasks expand, or nobody does"_s, {},
            u"A word to the checker ShellCheck; the shell ignores it."_s, {}});
}

} // namespace

ScriptDocument writeScript(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    LaunchPlan plan{resolved, profile, planEnvironment(resolved, profile), planCommand(resolved, profile), {}, {}};
    planMasks(plan);
    const QStringList modules = moduleCommands(resolved, profile);

    ScriptBuilder builder;
    writeDirectives(builder, resolved, profile, !modules.isEmpty());
    writeModules(builder, plan, modules);
    writeStrictness(builder, plan);
    writeImage(builder, plan);
    writeGuards(builder, plan);
    if (!plan.command.problem.isEmpty() || !launchProblem(resolved).isEmpty())
        return builder.take();
    writeEnvironment(builder, plan);
    writeRendezvous(builder, plan);
    writeMasks(builder, plan);
    writeLaunch(builder, plan);
    ScriptDocument document = builder.take();
    allowLiteralQuotes(document);
    return document;
}

} // namespace rankwright
