// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/guards.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/write/directiveswriter.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString agentProgram(const ClusterProfile& profile)
{
    const Result<QStringList> words = splitShellWords(profile.launch.torchrunCommand);
    return words && !words->isEmpty() ? words->first() : u"torchrun"_s;
}

void writeGuard(ScriptBuilder& builder, const QString& condition, const QString& message,
    const QList<FieldPath>& origins, const QString& reason)
{
    builder.line(u"%1 || stop \"%2\""_s.arg(condition, message), origins, reason, u"R38"_s);
}

/// Words of bash as a message between double quotes can show them: those that need no quotes of their own.
QString shown(const QString& words, const QString& instead)
{
    static const QRegularExpression harmless(u"^[\\w@%+=:,./ -]+$"_s);
    return harmless.match(words).hasMatch() ? words : instead;
}

/// The words in front of the program's file: "python3", "conda run -n x python3".
QStringList interpreterOf(const CommandPlan& command)
{
    const qsizetype program = command.words.indexOf(command.programFile);
    return command.words.first(qMax<qsizetype>(1, program));
}

/// Says why there is nothing to launch; the job stops there with that sentence.
void writeStop(ScriptBuilder& builder, const QString& problem, const QList<FieldPath>& origins)
{
    builder.line(u"stop "_s + scriptWord(problem), origins,
        u"A placeholder: the design is not complete, so the job stops here with a message instead of running something "
        "else."_s,
        u"R38"_s);
}

/// Not an address or a name in a registry, which only the runtime can look up.
bool isImageFile(const QString& container)
{
    static const QRegularExpression file(u"^[./~]|\\.(sif|simg|img|sqsh|toml)$"_s);
    return !container.contains(u"://"_s) && file.match(container).hasMatch();
}

/// PyTorch has to be found where the job runs, unless a container brings it.
void writeSoftwareGuards(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    const auto& environment = resolved.spec.environment;
    if (const QString venv = environment.venv.value_or(QString()); !venv.isEmpty() && resolved.container.isEmpty()) {
        const QString file = venvScript(resolved);
        writeGuard(builder, u"[[ -r %1 ]]"_s.arg(file), u"cannot read the virtual environment in $PWD"_s, {field::venv},
            u"Without its environment the program would run with another Python, or not at all."_s);
    }
    if (const QString conda = environment.conda.value_or(QString()); !conda.isEmpty())
        writeGuard(builder, u"[[ ${CONDA_DEFAULT_ENV:-} == %1 || ${CONDA_PREFIX:-} -ef %1 ]]"_s.arg(scriptPath(conda)),
            u"conda could not activate the environment"_s, {field::conda},
            u"Without its environment the program would run with another Python, or not at all."_s);
    if (!resolved.container.isEmpty() || trainerOf(resolved) == Trainer::Horovod)
        return;
    const QString remedy = u"name modules, a virtual environment, conda or a container in the design"_s;
    const Starter starter = starterOf(resolved);
    if (isAgent(starter) && plan.command.interpreter.isEmpty()) {
        const QString agent = starter == Starter::Accelerate ? u"accelerate"_s
            : starter == Starter::Deepspeed                  ? u"deepspeed"_s
                                                             : agentProgram(plan.profile);
        writeGuard(builder, u"command -v %1 > /dev/null"_s.arg(scriptWord(agent)),
            u"%1 is not on the path: %2"_s.arg(shown(scriptWord(agent), u"the launcher"_s), remedy),
            {field::launcher, field::modules}, u"One sentence instead of “command not found” from every node."_s);
    } else if (!isAgent(starter) && isDistributed(resolved) && !plan.command.programFile.isEmpty()) {
        const QString python = scriptWords(interpreterOf(plan.command));
        writeGuard(builder,
            u"! grep -qs torch %1 || %2 -c 'import importlib.util, sys; "
            "sys.exit(not importlib.util.find_spec(\"torch\"))' &> /dev/null"_s.arg(
                scriptWord(plan.command.programFile), python),
            u"%1 finds no PyTorch: %2"_s.arg(shown(python, u"the interpreter"_s), remedy),
            {field::modules, field::venv, field::container},
            u"One sentence instead of the same error from every rank. Looks for the package without loading it."_s);
    }
}

/// Files that have to be where the job runs, not where the design was made.
void writeFileGuards(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    if (isImageFile(resolved.container)) {
        writeGuard(builder, u"[[ -r $SIF ]]"_s, u"cannot read the container image $SIF"_s, {field::container},
            u"A mistyped image would fail on every node at once."_s);
        builder.line(u"printf 'Image: %s\\n' \"$(readlink -f -- \"$SIF\")\""_s, {field::container},
            u"Into the log: which file ran. A name such as “latest” is a link that moves under later jobs."_s,
            u"R24"_s);
    }
    if (usesEngineFile(resolved.container, plan.profile) && resolved.container.endsWith(u".toml"_s)
        && resolved.nodes > 1)
        writeGuard(builder, u"grep -qs -e aws_ofi_nccl -e '^ *base_environment' \"$SIF\""_s,
            u"$SIF does not switch on com.hooks.aws_ofi_nccl, which NCCL needs between nodes"_s, {field::container},
            u"Without this hook the plugin named by NCCL_NET is missing, and NCCL stops."_s);
    if (!plan.command.programFile.isEmpty()) {
        const QString file = scriptWord(plan.command.programFile);
        writeGuard(builder, u"[[ -r %1 ]]"_s.arg(file),
            u"cannot read %1 in $PWD: upload it, or set the working directory"_s.arg(shown(file, u"the program"_s)),
            {field::command, field::workdir},
            u"The program has to be where the job runs, not where the design was made."_s);
    }
    if (const QString own = resolved.spec.options.config.value_or(QString()); !own.isEmpty() && own != u"none") {
        const bool used = !plan.trainer.launcherPieces.isEmpty() || !plan.trainer.programPieces.isEmpty();
        const QString file = scriptWord(own);
        if (used && (resolved.container.isEmpty() || !own.startsWith(u'/')))
            writeGuard(builder, u"[[ -r %1 ]]"_s.arg(file),
                u"cannot read %1 in $PWD: upload it"_s.arg(shown(file, u"the configuration file"_s)),
                {field::config, field::workdir},
                u"Without its configuration the training would start with other settings, or not at all."_s);
    }
}

} // namespace

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
        {field::nodes, field::launcher},
        u"A wrong number of tasks trains several separate models, or one GPU only, without any error."_s);
    if (plan.profile.launch.gpuRequest != GpuRequest::None) // such a site's Slurm does not count GPUs
        writeGuard(builder, u"[[ ${SLURM_GPUS_ON_NODE:-0} -ge %1 ]]"_s.arg(gpus),
            u"expected %1 %2 on $(hostname), Slurm gave ${SLURM_GPUS_ON_NODE:-none}"_s.arg(
                gpus, resolved.gpusPerNode == 1 ? u"GPU"_s : u"GPUs"_s),
            {field::gpusPerNode},
            u"Fewer GPUs than ranks ends in an obscure device error. More do no harm: a whole node brings all of its "
            "own."_s);
    if (lacksAccount(resolved, plan.profile)) {
        writeGuard(builder, u"[[ -n ${SLURM_JOB_ACCOUNT:-} ]]"_s,
            u"the design names no account, and this site bills every job to one"_s, {field::account},
            u"No account was given, neither in the design nor by the environment."_s);
    }
    writeFileGuards(builder, plan);
    if (plan.command.problem.isEmpty())
        writeSoftwareGuards(builder, plan);
    const QString obstacle = launchObstacle(plan);
    if (!obstacle.isEmpty())
        writeStop(builder, obstacle, {field::command, field::launcher, field::resumeArguments});
    builder.blank();
}

} // namespace rankwright::inline script
