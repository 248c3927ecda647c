// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/launchers.h"

#include "models/design/parallelplan.h"
#include "models/script/shellwords.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int optionColumn = 5; // under the first option of "srun --..."
constexpr int lineLimit = 100;

/// "49-55" of 49 ... 55; single cores and gaps separated by commas.
QString coreRanges(const QList<int>& cores)
{
    QStringList parts;
    for (qsizetype i = 0; i < cores.size();) {
        qsizetype last = i;
        while (last + 1 < cores.size() && cores.at(last + 1) == cores.at(last) + 1)
            ++last;
        parts.append(last == i ? QString::number(cores.at(i)) : u"%1-%2"_s.arg(cores.at(i)).arg(cores.at(last)));
        i = last + 1;
    }
    return parts.join(u',');
}

bool usesAgent(const ResolvedSpec& resolved) { return resolved.launcher == Launcher::Torchrun; }

/// Whether the tasks get RANK and its kin from the script; Lightning and Horovod read Slurm's or MPI's own.
bool setsRankVariables(const ResolvedSpec& resolved)
{
    return resolved.launcher == Launcher::Srun && isDistributed(resolved) && resolved.strategy != Strategy::Horovod;
}

bool needsAddress(const ResolvedSpec& resolved)
{
    if (!isDistributed(resolved) || resolved.strategy == Strategy::Horovod)
        return false;
    return usesAgent(resolved) ? resolved.nodes > 1 : true;
}

/// Text inside single quotes: a quote of its own leaves and enters them again.
QString insideSingleQuotes(const QString& text) { return QString(text).replace(u'\'', u"'\\''"_s); }

void writeOptions(ContinuedCommand& command, const LaunchPlan& plan)
{
    const QString pad(optionColumn, u' ');
    command.piece(u"srun --kill-on-bad-exit=1"_s, {fieldPath(field::launcher)},
        u"Starts the tasks on all nodes. One failing task ends all of them; without it the others wait for hours."_s,
        u"R30"_s);
    if (plan.masks.isEmpty()) {
        command.piece(pad + u"--cpus-per-task=\"$SLURM_CPUS_PER_TASK\""_s,
            {fieldPath(field::cpusPerGpu), fieldPath(field::gpusPerNode)},
            u"Since Slurm 22.05 a step does not take this over from the job; without it a task may run on one core."_s,
            u"R08"_s);
    } else {
        command.piece(pad + u"--cpu-bind=\"mask_cpu:$CPU_BIND_MASKS\""_s,
            {fieldPath(field::gpusPerNode), fieldPath(field::cpusPerGpu), fieldPath(field::partition)},
            u"Puts local rank i on the cores next to GPU i; the masks replace --cpus-per-task on this line."_s,
            u"R20"_s);
    }
    if (startsRanksBySlurm(plan.resolved) && plan.resolved.tensor * plan.resolved.pipeline > 1) {
        command.piece(pad + u"--distribution=block:block"_s, {fieldPath(field::tensor), fieldPath(field::pipeline)},
            u"Neighbouring ranks share a node, so that tensor groups stay on the fast links."_s, u"R39"_s);
    }
}

/// Lines that each task runs before the program; empty when nothing differs between tasks.
QList<ScriptLine> taskLines(const LaunchPlan& plan)
{
    QList<ScriptLine> lines;
    if (setsRankVariables(plan.resolved)) {
        lines.append({u"export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID"_s,
            {fieldPath(field::launcher), fieldPath(field::strategy)},
            u"Every task learns its own rank. Set in the batch shell, all ranks would be 0 and the run would hang."_s,
            u"R15"_s});
    }
    QStringList folders;
    for (const PlannedVariable& variable : plan.environment.task) {
        lines.append({u"export %1=%2"_s.arg(variable.name, variable.value), variable.origins,
            variable.reason + u" Set in the task, since its value differs between nodes."_s, variable.source});
        if (variable.folder)
            folders.append(u"\"$%1\""_s.arg(variable.name));
    }
    if (!folders.isEmpty()) {
        lines.append({u"mkdir -p "_s + folders.join(u' '), {fieldPath(field::cluster)},
            u"Creates the folders on every node; mkdir in the batch shell would reach the first node only."_s,
            u"R25"_s});
    }
    return lines;
}

/// srun cuts its command at a word that is a lone colon (the next part of a heterogeneous job), wherever it stands:
/// then the program's words go into the small shell, where srun does not look. Seen with Slurm 22.05.
bool hidesProgram(const LaunchPlan& plan) { return plan.command.words.contains(u":"_s); }

void writeTaskWrapper(ContinuedCommand& command, const LaunchPlan& plan)
{
    const QList<ScriptLine> lines = taskLines(plan);
    const QString pad(optionColumn, u' ');
    QString exec = u"exec \"$@\""_s;
    QString execReason
        = u"Replaces the shell by the program with its words as they are, so that signals reach the program."_s;
    QList<FieldPath> execOrigins{fieldPath(field::launcher)};
    if (hidesProgram(plan)) {
        exec += u' ' + insideSingleQuotes(scriptWords(plan.command.words));
        execReason += u" The program stands here, since srun would cut it at the word that is a lone colon."_s;
        execOrigins.append(fieldPath(field::command));
    } else if (lines.isEmpty()) {
        return;
    }
    if (lines.size() == 1) {
        command.piece(pad + u"bash -c '"_s + insideSingleQuotes(lines.first().text) + u"; "_s + exec + u"' _"_s,
            lines.first().origins + execOrigins, lines.first().reason + u' ' + execReason, lines.first().source);
        return;
    }
    command.piece(pad + u"bash -c '"_s, {fieldPath(field::launcher)},
        u"A small shell in every task, for what differs between tasks; single quotes keep this script's shell out of it."_s,
        u"R16"_s, true);
    for (const ScriptLine& line : lines)
        command.piece(pad + u"    "_s + insideSingleQuotes(line.text), line.origins, line.reason, line.source, true);
    command.piece(pad + u"    "_s + exec + u"' _"_s, execOrigins, execReason, u"R17"_s);
}

void writeContainer(ContinuedCommand& command, const LaunchPlan& plan)
{
    const QStringList runner = containerRunner(plan.resolved, plan.profile);
    if (runner.isEmpty())
        return;
    command.piece(QString(optionColumn, u' ') + scriptWords(runner) + u" \"$SIF\""_s, {fieldPath(field::container)},
        plan.profile.container.reason.isEmpty()
            ? u"The program runs inside the image, each task in its own; the call stays inside srun."_s
            : plan.profile.container.reason.simplified(),
        plan.profile.container.source.isEmpty() ? u"R24"_s : plan.profile.container.source);
}

void writeAgent(ContinuedCommand& command, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    const Result<QStringList> split = splitShellWords(plan.profile.launch.torchrunCommand);
    const QString agent = scriptWords(split && !split->isEmpty() ? *split : QStringList{u"torchrun"_s});
    const int workers = isDistributed(resolved) ? resolved.gpusPerNode : 1;
    const bool aligned = agent.size() <= 12;
    const QString pad(aligned ? optionColumn + static_cast<int>(agent.size()) + 1 : optionColumn + 4, u' ');

    const bool alone = resolved.nodes == 1;
    const QString first = alone ? u"--standalone"_s : u"--nnodes=\"$SLURM_NNODES\""_s;
    const QString agentReason
        = u"The agent starts one worker per GPU of its node and sets RANK, LOCAL_RANK and WORLD_SIZE."_s;
    const QString firstReason = alone
        ? u"One node: the workers meet on a free port of this node. On several nodes this would train separate models."_s
        : u"How many agents have to meet."_s;
    const QList<FieldPath> nodeOrigins{fieldPath(field::nodes), fieldPath(field::launcher)};
    const QString lead = QString(optionColumn, u' ') + agent;
    if (aligned) {
        command.piece(lead + u' ' + first, nodeOrigins, agentReason + u' ' + firstReason, alone ? u"R09"_s : u"R10"_s);
    } else {
        command.piece(lead, {fieldPath(field::launcher)}, agentReason, u"R01"_s);
        command.piece(pad + first, nodeOrigins, firstReason, alone ? u"R09"_s : u"R10"_s);
    }
    if (alone)
        command.piece(pad + u"--nnodes=1"_s, {fieldPath(field::nodes)}, u"One node, said in full."_s, u"R09"_s);
    command.piece(pad + u"--nproc_per_node="_s + QString::number(workers), {fieldPath(field::gpusPerNode)},
        u"One worker per GPU, as a plain number: Slurm's own variable may hold a type or be unset. Underscores work "
        u"with "
        "every PyTorch."_s,
        u"R14"_s);
    if (alone)
        return;
    command.piece(pad + u"--rdzv_backend=c10d"_s, nodeOrigins,
        u"The agents agree on ranks by themselves, so no node needs a number of its own."_s, u"R10"_s);
    command.piece(pad + u"--rdzv_endpoint=\"$MASTER_ADDR:$MASTER_PORT\""_s, nodeOrigins,
        u"Where they meet: the first node. With localhost each node would train alone, without any error."_s, u"R10"_s);
    command.piece(pad + u"--rdzv_id=\"$SLURM_JOB_ID\""_s, nodeOrigins,
        u"Keeps agents of another job away that happen to use the same port."_s, u"R10"_s);
    command.piece(pad + u"--max_restarts=0"_s, nodeOrigins,
        u"A failed worker ends the job at once, with its own message; restarts inside a job hide the cause."_s,
        u"R10"_s);
}

/// The program and its arguments, wrapped between words when long.
void writeProgram(ContinuedCommand& command, const LaunchPlan& plan)
{
    QString reason = u"Your program; every word arrives exactly as given, nothing is expanded."_s;
    if (plan.command.addedPython)
        reason += u" Python is put in front, since srun starts programs, not scripts."_s;
    else if (plan.command.words.first() == u"--no_python")
        reason += u" --no_python: the agent starts it as it is."_s;
    QList<FieldPath> origins{fieldPath(field::command)};
    QString line(optionColumn, u' ');
    bool empty = true;
    for (const QString& word : plan.command.words) {
        const QString quoted = scriptWord(word);
        if (!empty && line.size() + 1 + quoted.size() > lineLimit) {
            command.piece(line, origins, reason, u"R18"_s);
            reason = u"Further words of your command."_s;
            line = QString(optionColumn + 4, u' ');
            empty = true;
        }
        line += empty ? quoted : u' ' + quoted;
        empty = false;
    }
    command.piece(line, origins, reason, u"R18"_s);
}

} // namespace

void planMasks(LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    if (!startsRanksBySlurm(resolved) || !isDistributed(resolved) || !plan.profile.launch.cpuBindMasks
        || !resolved.wholeNodes || resolved.tasksPerNode() != resolved.gpusPerNode)
        return;
    ResolvedSpec oneNode = resolved; // the masks of a node are those of every node
    oneNode.nodes = 1;
    const ParallelPlan ranks = planRanks(oneNode, plan.profile);
    if (!ranks.bound)
        return;
    QStringList cores;
    for (const RankPlace& place : ranks.ranks) {
        if (place.mask.isEmpty())
            return plan.masks.clear();
        plan.masks.append(place.mask);
        cores.append(coreRanges(place.cores));
    }
    plan.maskNote = cores.join(u' ');
}

QString launchProblem(const ResolvedSpec& resolved)
{
    switch (resolved.launcher) {
    case Launcher::Torchrun:
    case Launcher::Srun:
    case Launcher::Lightning: return {};
    case Launcher::Accelerate:
    case Launcher::Deepspeed:
    case Launcher::Horovod: break;
    }
    return u"No launch line is written for the launcher %1 yet: choose torchrun or srun"_s.arg(
        toText(resolved.launcher));
}

void writeRendezvous(ScriptBuilder& builder, const LaunchPlan& plan)
{
    const ResolvedSpec& resolved = plan.resolved;
    if (!needsAddress(resolved))
        return;
    const QList<FieldPath> origins{fieldPath(field::nodes), fieldPath(field::launcher)};
    builder.heading(u"Meeting point of all ranks: the first node, a port that other jobs do not use"_s, origins);
    builder.line(u"MASTER_ADDR=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n 1p)\""_s, origins,
        u"The first node's name, asked for here once: in a task or a container every rank would name itself. sed reads "
        "to the end; head would break a long list's pipe and, with pipefail, end the job."_s,
        u"R11"_s);
    if (!plan.profile.launch.masterAddressSuffix.isEmpty()) {
        builder.line(u"MASTER_ADDR=\"$MASTER_ADDR\""_s + scriptWord(plan.profile.launch.masterAddressSuffix),
            {fieldPath(field::cluster)}, u"This site's name of a node on its fast network."_s, u"R11"_s);
    }
    builder.line(u"MASTER_PORT=$((10000 + SLURM_JOB_ID % 10000))"_s, origins,
        u"A port from the job id: a fixed one collides as soon as two jobs share a node."_s, u"R12"_s);
    builder.line(u"export MASTER_ADDR MASTER_PORT"_s, origins,
        u"Tasks see exported variables only; these two are equal for all."_s, u"R15"_s);
    if (setsRankVariables(resolved)) {
        builder.line(u"export WORLD_SIZE=\"$SLURM_NTASKS\" LOCAL_WORLD_SIZE=%1"_s.arg(resolved.gpusPerNode),
            {fieldPath(field::nodes), fieldPath(field::gpusPerNode)},
            u"How many ranks there are, in all and on a node; counted by Slurm, so it cannot disagree with the tasks."_s,
            u"R15"_s);
    }
    builder.blank();
}

void writeMasks(ScriptBuilder& builder, const LaunchPlan& plan)
{
    if (plan.masks.isEmpty())
        return;
    const QList<FieldPath> origins{
        fieldPath(field::gpusPerNode), fieldPath(field::cpusPerGpu), fieldPath(field::launcher)};
    const QString word = plan.resolved.node.gpu.word;
    builder.heading(u"Cores next to each %1, in order of local rank: %2"_s.arg(word, plan.maskNote), origins);
    const qsizetype perLine = plan.resolved.node.gpu.perPackage > 1 ? plan.resolved.node.gpu.perPackage : 4;
    for (qsizetype i = 0; i < plan.masks.size(); i += perLine) {
        const qsizetype end = qMin(i + perLine, plan.masks.size());
        const QString group = plan.masks.mid(i, perLine).join(u',');
        const QString text
            = (i == 0 ? u"CPU_BIND_MASKS=\""_s : QString()) + group + (end == plan.masks.size() ? u"\""_s : u",\\"_s);
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
    const bool agent = usesAgent(plan.resolved);
    const int tasks = plan.resolved.tasksPerNode() * plan.resolved.nodes;
    builder.heading(agent ? u"Launch: one agent per node, which starts the workers"_s
            : tasks == 1  ? u"Launch: one process"_s
                          : u"Launch: one task per %1, started by Slurm"_s.arg(plan.resolved.node.gpu.word),
        {fieldPath(field::launcher)});
    ContinuedCommand command;
    writeOptions(command, plan);
    writeTaskWrapper(command, plan);
    writeContainer(command, plan);
    if (agent)
        writeAgent(command, plan);
    if (!hidesProgram(plan))
        writeProgram(command, plan);
    command.writeTo(builder);
}

} // namespace rankwright
