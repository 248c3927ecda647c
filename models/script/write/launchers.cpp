// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/launchers.h"

#include "models/script/bash/launchnames.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/agents.h"
#include "models/script/write/evidencelines.h"
#include "models/script/write/lifecycle.h"
#include "models/script/write/rankcheck.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int optionColumn = 5; // under the first option of "srun --..."
constexpr int shellColumn = optionColumn + 9; // after "bash -c '"
constexpr int lineLimit = 100;

QString pad(int columns) { return QString(columns, u' '); }

/// Text inside single quotes: a quote of its own leaves and enters them again.
QString insideSingleQuotes(const QString& text) { return QString(text).replace(u'\'', u"'\\''"_s); }

/// Where srun starts the container: image, folders, and the job's own folder as the one to start in.
void writePyxisOptions(ContinuedCommand& command, const LaunchPlan& plan)
{
    if (!usesPyxis(plan.resolved.container, plan.profile))
        return;
    command.piece(pad(optionColumn) + u"--container-image=\"$SIF\""_s, {field::container},
        u"srun starts every task inside this image (plugin pyxis)."_s, u"R24"_s);
    QString mounts = u"--container-mounts=\"$PWD:$PWD\""_s;
    for (const QString& bind : plan.resolved.spec.environment.binds) {
        if (!bind.isEmpty())
            mounts += scriptWord(u',' + (bind.contains(u':') ? bind : bind + u':' + bind));
    }
    command.piece(pad(optionColumn) + mounts, {field::binds, field::workdir},
        u"Folders that the program sees; a container of pyxis starts without the job's own."_s, u"R24"_s);
    command.piece(pad(optionColumn) + u"--container-workdir=\"$PWD\""_s, {field::workdir},
        u"The program starts in the job's folder, not in the image's."_s, u"R24"_s);
}

/// CSCS's container engine: the file that describes the container, the design's own or the one that the job writes.
void writeEngineOption(ContinuedCommand& command, const LaunchPlan& plan)
{
    if (!usesEngineFile(plan.resolved.container, plan.profile))
        return;
    const QString& container = plan.resolved.container;
    const bool relative = container.endsWith(u".toml") && !container.startsWith(u'/') && !container.startsWith(u"~/"_s);
    const QString file = !isEngineFile(container) ? u"\"$PWD/rankwright-$SLURM_JOB_ID.toml\""_s
        : relative                                ? u"\"$PWD/$SIF\""_s
                                                  : u"\"$SIF\""_s;
    command.piece(pad(optionColumn) + u"--environment="_s + file, {field::container},
        u"srun starts every task in the container that this file describes (container engine)."_s, u"R24"_s);
}

void writeOptions(ContinuedCommand& command, const LaunchPlan& plan)
{
    command.piece(u"srun --kill-on-bad-exit=1"_s, {field::launcher},
        u"Starts the tasks on all nodes. One failing task ends all of them; without it the others wait for hours."_s,
        u"R30"_s);
    if (!plan.binding.masks.isEmpty()) {
        command.piece(pad(optionColumn) + u"--cpu-bind=\"mask_cpu:$CPU_BIND_MASKS\""_s,
            {field::gpusPerNode, field::cpusPerGpu, field::partition, field::cpuBinding},
            u"Puts local rank i on the cores next to GPU i; the masks replace --cpus-per-task on this line."_s,
            u"R20"_s);
    } else if (!plan.resolved.coresOpen) {
        command.piece(pad(optionColumn) + u"--cpus-per-task=\"$SLURM_CPUS_PER_TASK\""_s,
            {field::cpusPerGpu, field::gpusPerNode},
            u"Since Slurm 22.05 a step does not take this over from the job; without it a task may run on one core."_s,
            u"R08"_s);
    }
    if (startsRanksBySlurm(plan.resolved)
        && plan.resolved.tensor * plan.resolved.pipeline * plan.resolved.context > 1) {
        command.piece(pad(optionColumn) + u"--distribution=block:block"_s, {field::tensor, field::pipeline},
            u"Neighbouring ranks share a node, so that tensor groups stay on the fast links."_s, u"R39"_s);
    }
    writePyxisOptions(command, plan);
    writeEngineOption(command, plan);
    const QString mpi = plan.resolved.spec.options.mpi.value_or(QString());
    if (!mpi.isEmpty()) {
        command.piece(pad(optionColumn) + scriptWord(u"--mpi="_s + mpi), {field::mpi},
            u"How MPI processes find each other; with the wrong type every process believes that it is alone."_s,
            u"R41"_s);
    }
}

/// Whether srun starts the container, so that the task's shell is in it.
bool isShellInContainer(const LaunchPlan& plan)
{
    return usesPyxis(plan.resolved.container, plan.profile) || usesEngineFile(plan.resolved.container, plan.profile);
}

/// What runs the text that the script keeps for the container; a container that drops it starts the program without.
QString evidenceCommand() { return u"eval \"${%1:-}\""_s.arg(evidenceVariable); }

const QString evidenceReason
    = u"Prepares the ranks for the question where they hang, inside the container; runs nothing else."_s;

/// Lines that each task runs before the program; empty when nothing differs between tasks.
QList<ScriptLine> taskLines(const LaunchPlan& plan)
{
    QList<ScriptLine> lines;
    if (setsRankVariables(plan.resolved)) {
        lines.append({u"export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID"_s, {field::launcher, field::strategy},
            u"Every task learns its own rank. Set in the batch shell, all ranks would be 0 and the run would hang."_s,
            u"R15"_s});
    }
    QStringList folders;
    for (const PlannedVariable& variable : plan.environment.task) {
        lines.append(
            {u"export %1=%2"_s.arg(variable.name, variable.value), variable.origins, variable.reason, variable.source});
        if (variable.folder)
            folders.append(u"\"$%1\""_s.arg(variable.name));
    }
    if (!folders.isEmpty()) {
        lines.append({u"mkdir -p "_s + folders.join(u' '), {field::cluster},
            u"Creates the folders on every node; mkdir in the batch shell would reach the first node only."_s,
            u"R25"_s});
    }
    if (isShellInContainer(plan) && !evidenceInContainer(plan).isEmpty())
        lines.append({evidenceCommand(), {field::hangEvidence, field::container}, evidenceReason, u"R44"_s});
    if (startsRanksBySlurm(plan.resolved)) {
        lines.append({u"eval \"$%1\""_s.arg(rankCheckVariable), {field::cpuBinding, field::gpusPerNode},
            u"The rank looks where it is, and says so if that is not as planned."_s, u"R43"_s});
    }
    const QString continues = continuationCondition(plan.resolved);
    const Result<QStringList> resume = splitShellWords(plan.resolved.spec.options.resumeArguments.value_or(QString()));
    if (resume && !resume->isEmpty() && !continues.isEmpty()) {
        const QString when = continues == u"true" ? QString() : continues + u" && "_s;
        lines.append({when + u"set -- \"$@\" "_s + scriptWords(wordsForAgent(plan.resolved, *resume)),
            {field::resumeArguments, field::requeue, field::requeueAtLimit, field::array, field::dependency},
            u"Marks a continuation; without it a job that was queued again would train from the start."_s, u"R32"_s});
    }
    return lines;
}

/// srun cuts its command at a word that is a lone colon (the next part of a heterogeneous job), wherever it stands:
/// then the command goes into the small shell, where srun does not look. Seen with Slurm 22.05.
bool hidesCommand(const LaunchPlan& plan)
{
    const QString colon = u":"_s;
    return plan.command.words.contains(colon) || plan.resolved.spec.environment.binds.contains(colon)
        || plan.resolved.container == colon;
}

QList<ScriptLine> containerPieces(const LaunchPlan& plan)
{
    const QStringList runner = containerRunner(plan.resolved, plan.profile);
    if (runner.isEmpty())
        return {};
    const ContainerRule& rule = plan.profile.container;
    const bool named = runner.last() == u"--image"; // shifter's option
    return {{scriptWords(runner) + (named ? u"=\"$SIF\""_s : u" \"$SIF\""_s), {field::container, field::binds},
        rule.reason.isEmpty()
            ? u"The program runs inside the image, each task in its own; the call stays inside srun."_s
            : rule.reason.simplified(),
        rule.source.isEmpty() ? u"R24"_s : rule.source}};
}

/// The program and its arguments, wrapped between words when long.
QList<ScriptLine> programPieces(const LaunchPlan& plan)
{
    QString reason = u"Your program; every word arrives exactly as given, nothing is expanded."_s;
    if (plan.command.addedPython)
        reason += u" Python is put in front, since a program is started, not a script."_s;
    else if (plan.command.words.first() == u"--no_python")
        reason += u" --no_python: the agent starts it as it is."_s;
    const QList<FieldPath> origins{field::command};
    QList<ScriptLine> pieces;
    QString line;
    for (const QString& word : plan.command.words) {
        const QString quoted = scriptWord(word);
        if (!line.isEmpty() && optionColumn + line.size() + 1 + quoted.size() > lineLimit) {
            pieces.append({line, origins, reason, u"R18"_s});
            reason = u"Further words of your command."_s;
            line = pad(4);
        } else if (!line.isEmpty()) {
            line += u' ';
        }
        line += quoted;
    }
    pieces.append({line, origins, reason, u"R18"_s});
    for (ScriptLine piece : plan.trainer.programPieces) {
        piece.text.prepend(pad(4));
        pieces.append(piece);
    }
    return pieces;
}

/// The command after srun's options: what the task's shell runs itself, then what it is given as words.
struct Tail {
    QList<ScriptLine> pieces;
    qsizetype inShell = 0; ///< how many of them are inside the shell's quotes
};

Tail tailOf(const LaunchPlan& plan)
{
    Tail tail;
    tail.pieces = containerPieces(plan);
    if (!isShellInContainer(plan) && !evidenceInContainer(plan).isEmpty())
        tail.pieces.append({u"sh -c '"_s + evidenceCommand() + u"; exec \"$@\"' _"_s,
            {field::hangEvidence, field::container}, evidenceReason, u"R44"_s});
    const QString venv = plan.resolved.spec.environment.venv.value_or(QString());
    if (!venv.isEmpty() && !plan.resolved.container.isEmpty())
        tail.pieces.append(
            {u"bash -c 'source "_s + insideSingleQuotes(venvScript(plan.resolved)) + u" && exec \"$@\"' _"_s,
                {field::venv, field::container}, u"Enters the virtual environment inside the container."_s, u"R24"_s});
    if (const int expanded = piecesExpandedByTask(plan))
        tail.inShell = tail.pieces.size() + expanded;
    tail.pieces += agentPieces(plan);
    tail.pieces += programPieces(plan);
    if (hidesCommand(plan))
        tail.inShell = tail.pieces.size();
    return tail;
}

/// What the task's shell ends with: exec, the pieces that it expands itself, and its own words.
QList<ScriptLine> execLines(const Tail& tail, bool hidden)
{
    QString reason
        = u"Replaces the shell by the program with its words as they are, so that signals reach the program."_s;
    if (hidden)
        reason += u" The program is here, since srun would cut it at the word that is a lone colon."_s;
    QList<ScriptLine> lines;
    for (const ScriptLine& piece : tail.pieces.mid(0, tail.inShell)) {
        const QString text = insideSingleQuotes(lines.isEmpty() ? u"exec "_s + piece.text : pad(5) + piece.text);
        lines.append({text + u" \\"_s, piece.origins, piece.reason, piece.source});
    }
    if (lines.isEmpty())
        return {{u"exec \"$@\""_s, {field::launcher}, reason, u"R17"_s}};
    lines.append({pad(5) + u"\"$@\""_s, {field::launcher, field::command}, reason, u"R17"_s});
    return lines;
}

void writeTaskShell(ContinuedCommand& command, const LaunchPlan& plan, const Tail& tail)
{
    QList<ScriptLine> lines = taskLines(plan);
    if (lines.isEmpty() && tail.inShell == 0)
        return;
    for (ScriptLine& line : lines)
        line.text = insideSingleQuotes(line.text);
    const bool brief = lines.size() == 1 && tail.inShell == 0;
    const QList<ScriptLine> exec = execLines(tail, hidesCommand(plan));
    if (brief) {
        const ScriptLine& line = lines.first();
        command.piece(pad(optionColumn) + u"bash -c '"_s + line.text + u"; "_s + exec.first().text + u"' _"_s,
            line.origins + exec.first().origins, line.reason + u' ' + exec.first().reason, line.source);
        return;
    }
    lines += exec;
    lines.first().reason.prepend(
        u"A small shell in every task, for what differs between tasks; single quotes keep this script's shell out. "_s);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const ScriptLine& line = lines.at(i);
        const bool last = i + 1 == lines.size();
        const QString lead = i == 0 ? pad(optionColumn) + u"bash -c '"_s : pad(shellColumn);
        command.piece(lead + line.text + (last ? u"' _"_s : QString()), line.origins, line.reason, line.source,
            last ? ContinuedCommand::PieceEnd::Plain : ContinuedCommand::PieceEnd::InQuotes);
    }
}

/// The signal reaches the tasks alone: a program that saves and goes on would be ended by the limit, and with it the
/// batch script. So a small shell beside the training queues the job again shortly before (R32).
void writeRequeueTimer(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const QList<FieldPath> origins{field::requeueAtLimit, field::time, field::signal};
    builder.heading(
        u"Still training shortly before the time limit: queue again, before Slurm ends this script"_s, origins);
    builder.line(
        u"{ (( ${SLURM_RESTART_COUNT:-0} >= %1 )) || read -rt $((%2 - SECONDS)) <> <(:) || scontrol requeue "
        "\"$SLURM_JOB_ID\"; } & timer=$!; disown 2> /dev/null || :"_s.arg(
            QString::number(*plan.resolved.spec.options.requeueAtLimit), QString::number(requeueAfter(plan.resolved))),
        origins,
        u"Waits beside the training without a process of its own; a program that saves at the signal and goes on would "
        "otherwise end as TIMEOUT."_s,
        u"R32"_s);
    builder.blank();
}

/// A job that met its time limit queues itself again, a bounded number of times (R31, R32).
void writeRequeue(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const QList<FieldPath> origins{field::requeueAtLimit, field::time, field::signal};
    builder.line(u"kill \"$timer\" 2> /dev/null || :"_s, origins,
        u"The training has ended; nothing has to be waited for."_s, u"R32"_s);
    builder.blank();
    if (!plan.resolved.signal.isEmpty()) { // else nothing ends the program for the limit
        builder.heading(u"Ended by its time limit: queue again, the program continues from its checkpoint"_s, origins);
        builder.line(u"if (( SECONDS > %1 && ${SLURM_RESTART_COUNT:-0} < %2 )); then"_s.arg(
                         QString::number(limitReachedAfter(plan.resolved)),
                         QString::number(*plan.resolved.spec.options.requeueAtLimit)),
            origins,
            u"An end this late was caused by the limit; at most %1 times, so that a program without progress cannot go on "
            "for ever."_s.arg(*plan.resolved.spec.options.requeueAtLimit),
            u"R32"_s);
        builder.line(u"    scontrol requeue \"$SLURM_JOB_ID\""_s, origins,
            u"The job goes back into the queue under the same id; SLURM_RESTART_COUNT counts up."_s, u"R32"_s);
        builder.line(u"fi"_s, origins, u"End of the condition."_s, u"R32"_s);
    }
    builder.line(u"exit \"$status\""_s, origins, u"The training's own result is the job's."_s, u"R29"_s);
}

void writeAddress(ScriptBuilder& builder, const LaunchPlan& plan, const QList<FieldPath>& origins)
{
    builder.line(u"MASTER_ADDR=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n 1p)\""_s, origins,
        u"The first node's name, asked for here once: in a task or a container every rank would name itself. sed reads "
        "to the end; head would break a long list's pipe and, with pipefail, end the job."_s,
        u"R11"_s);
    if (!plan.profile.launch.masterAddressSuffix.isEmpty()) {
        builder.line(u"MASTER_ADDR=\"$MASTER_ADDR\""_s + scriptWord(plan.profile.launch.masterAddressSuffix),
            {field::cluster}, u"This site's name of a node on its fast network."_s, u"R11"_s);
    }
}

} // namespace

LaunchPlan planLaunch(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const BindingOptions binding = bindingOptions(resolved, profile);
    const CommandPlan command
        = planCommand(resolved, profile, binding.cores.isEmpty() ? CommandStarter::Launcher : CommandStarter::Shell);
    return {resolved, profile, binding, planEnvironment(resolved, profile), command, planTrainer(resolved, command)};
}

QString launchProblem(const ResolvedSpec& resolved)
{
    if (resolved.strategy == Strategy::Horovod && !startsRanksBySlurm(resolved))
        return u"Horovod needs one task for each GPU, which %1 does not start: choose horovod or srun"_s.arg(
            toText(resolved.launcher));
    if (resolved.launcher == Launcher::Horovod && resolved.strategy != Strategy::Horovod && isDistributed(resolved))
        return u"The launcher horovod starts Horovod programs only: choose the strategy horovod, or torchrun"_s;
    return {};
}

QString launchObstacle(const LaunchPlan& plan)
{
    if (!plan.command.problem.isEmpty())
        return plan.command.problem;
    const Result<QStringList> resume = splitShellWords(plan.resolved.spec.options.resumeArguments.value_or(QString()));
    if (!resume)
        return u"In the arguments for a continuation: "_s + resume.error().what;
    return launchProblem(plan.resolved);
}

bool expandsInTask(const LaunchPlan& plan) { return hidesCommand(plan) || piecesExpandedByTask(plan) > 0; }

void writeRendezvous(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    if (!needsAddress(resolved, plan.profile))
        return;
    const QList<FieldPath> origins{field::nodes, field::launcher};
    const bool severalNodes = resolved.nodes > 1 || startsRanksBySlurm(resolved);
    builder.heading(severalNodes ? u"Rendezvous of all ranks: the first node, a port that other jobs do not use"_s
                                 : u"Rendezvous of all ranks: a port that other jobs do not use"_s,
        origins);
    if (severalNodes)
        writeAddress(builder, plan, origins);
    builder.line(u"MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))"_s, origins,
        u"A port from the job id: a fixed one collides as soon as two jobs share a node."_s, u"R12"_s);
    if (startsRanksBySlurm(resolved) || hidesCommand(plan)) { // agents take both from their options
        builder.line(severalNodes ? u"export MASTER_ADDR MASTER_PORT"_s : u"export MASTER_PORT"_s, origins,
            u"Tasks see exported variables only; what is equal for all is set here."_s, u"R15"_s);
    }
    if (setsRankVariables(resolved)) {
        builder.line(u"export WORLD_SIZE=\"$SLURM_NTASKS\" LOCAL_WORLD_SIZE=%1"_s.arg(resolved.gpusPerNode),
            {field::nodes, field::gpusPerNode},
            u"How many ranks there are, in all and on a node; counted by Slurm, so it cannot disagree with the tasks."_s,
            u"R15"_s);
    }
    builder.blank();
}

void writeMasks(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (plan.binding.masks.isEmpty())
        return;
    const QList<FieldPath> origins{field::gpusPerNode, field::cpusPerGpu, field::launcher};
    const QString word = plan.resolved.node.gpu.word;
    builder.heading(u"Cores next to each %1, in order of local rank: %2"_s.arg(word, plan.binding.note), origins);
    const qsizetype perLine = plan.resolved.node.gpu.perPackage > 1 ? plan.resolved.node.gpu.perPackage : 4;
    for (qsizetype i = 0; i < plan.binding.masks.size(); i += perLine) {
        const qsizetype end = qMin(i + perLine, plan.binding.masks.size());
        const QString group = plan.binding.masks.mid(i, perLine).join(u',');
        const QString text = (i == 0 ? u"CPU_BIND_MASKS=\""_s : QString()) + group
            + (end == plan.binding.masks.size() ? u"\""_s : u",\\"_s);
        builder.line(text, origins,
            u"One mask per local rank, without the cores that the system keeps; on the far side of the node a rank "
            u"would "
            "feed its GPU through two chips."_s,
            u"R20"_s);
    }
    builder.blank();
}

void writeLaunch(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const bool agent = !startsRanksBySlurm(plan.resolved);
    const int tasks = plan.resolved.tasksPerNode() * plan.resolved.nodes;
    const bool requeues = plan.resolved.spec.options.requeueAtLimit.value_or(0) > 0;
    if (requeues)
        writeRequeueTimer(builder, plan);
    builder.heading(agent ? u"Launch: one agent per node, which starts the workers"_s
            : tasks == 1  ? u"Launch: one process"_s
                          : u"Launch: one task per %1, started by Slurm"_s.arg(plan.resolved.node.gpu.word),
        {field::launcher});
    if (requeues) {
        builder.line(u"status=0"_s, {field::requeueAtLimit},
            u"Keeps the training's result while the job decides whether to queue itself again."_s, u"R29"_s);
    }
    ContinuedCommand command;
    writeOptions(command, plan);
    const Tail tail = tailOf(plan);
    writeTaskShell(command, plan, tail);
    for (const ScriptLine& piece : tail.pieces.mid(tail.inShell)) {
        const bool apart = tail.inShell > 0 && piece.text.startsWith(pad(5)); // its agent is in the task's shell
        command.piece(
            pad(optionColumn) + (apart ? piece.text.trimmed() : piece.text), piece.origins, piece.reason, piece.source);
    }
    if (requeues)
        command.append(u" || status=$?"_s);
    command.writeTo(builder);
    if (requeues)
        writeRequeue(builder, plan);
}

} // namespace rankwright::inline script
