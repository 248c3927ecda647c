// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/collectplan.h"

#include "models/cluster/remote/remoteprogram.h"
#include "models/core/hostlist.h"
#include "models/core/quantitytext.h"
#include "models/core/shellquote.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostBytesPerNode = qint64(4) << 20;
constexpr int startSeconds = 30; ///< for Slurm to begin the steps

/// `count` of them, evenly spread; first and last are among them.
QStringList spreadOver(const QStringList& nodes, qsizetype count)
{
    QStringList chosen;
    for (qsizetype i = 0; i < count; ++i)
        chosen.append(nodes.at(count <= 1 ? 0 : i * (nodes.size() - 1) / (count - 1)));
    return chosen;
}

void setBytes(CollectPlan& plan)
{
    const qint64 share = plan.limits.bytes / std::max<qint64>(1, plan.deepNodes.size());
    plan.bytesPerNode = std::min(mostBytesPerNode, share);
}

void chooseRasNodes(CollectPlan& plan)
{
    plan.rasNodes = plan.deepNodes.first(std::min<qsizetype>(1, plan.deepNodes.size()));
    if (plan.deepNodes.size() > 1) // the first one may be the one that hangs
        plan.rasNodes.append(plan.deepNodes.last());
}

/// How a rank stands, in words that are equal for ranks which do the same.
QString standOf(const RankEvidence& rank)
{
    if (!rank.now)
        return rank.hasEnded ? u"ended"_s : QString();
    const QString state = rank.now->state ? toText(*rank.now->state) : QString();
    return state + u' ' + rank.now->waitChannel;
}

bool isOddAlone(const RankEvidence& rank)
{
    const auto stands = [](const std::optional<ProcessSnapshot>& snapshot) {
        return snapshot && (snapshot->state == ProcessState::Stopped || snapshot->state == ProcessState::DiskSleep);
    };
    return rank.hasEnded || (stands(rank.before) && stands(rank.now));
}

QStringList programWords(const CollectPlan& plan)
{
    const QString deep = plan.lightNodes.isEmpty() ? u"all"_s : plan.deepNodes.join(u',');
    return {remoteProgram(u"node-ranks.sh"_s) + remoteProgram(u"node-hang.sh"_s), plan.job, deep,
        plan.rasNodes.join(u','), QString::number(plan.limits.gapMs), QString::number(plan.bytesPerNode),
        QString::number(plan.limits.seconds)};
}

} // namespace

CollectPlan collectPlan(const CollectRequest& request, const CollectLimits& limits)
{
    CollectPlan plan;
    plan.job = request.job;
    plan.ofNodes = int(request.nodes.size());
    plan.way = request.way;
    plan.oneStepForAllNodes = request.oneStepForAllNodes && request.way == SamplingWay::Step;
    plan.limits = limits;
    const qsizetype most = std::max(1, limits.deepNodes);
    if (request.nodes.size() <= most) {
        plan.deepNodes = request.nodes;
    } else {
        QSet<QString> chosen;
        for (const QString& node : request.oddNodes) {
            if (chosen.size() < most / 2 && request.nodes.contains(node))
                chosen.insert(node);
        }
        for (const QString& node : spreadOver(request.nodes, most - chosen.size()))
            chosen.insert(node);
        for (const QString& node : request.nodes) {
            if (chosen.contains(node))
                plan.deepNodes.append(node);
            else if (plan.oneStepForAllNodes)
                plan.lightNodes.append(node);
        }
        plan.note = u"The ranks on %1 of %2 were asked in full."_s.arg(
            QString::number(plan.deepNodes.size()), counted(request.nodes.size(), u"node"_s));
        plan.note += plan.lightNodes.isEmpty() ? u" Nothing is known about the others."_s
                                               : u" Only what their processes do is known about the others."_s;
    }
    setBytes(plan);
    chooseRasNodes(plan);
    return plan;
}

QStringList nodesToAskNext(const CollectPlan& plan, const HangEvidence& evidence, int most)
{
    QHash<QString, int> counts;
    for (const RankEvidence& rank : evidence.ranks)
        ++counts[standOf(rank)];
    const QSet<QString> light(plan.lightNodes.begin(), plan.lightNodes.end());
    QStringList clear, likely;
    for (const RankEvidence& rank : evidence.ranks) {
        if (!light.contains(rank.node) || clear.contains(rank.node))
            continue;
        if (isOddAlone(rank))
            clear.append(rank.node);
        else if (counts.value(standOf(rank)) * 20 < evidence.ranks.size() && !likely.contains(rank.node))
            likely.append(rank.node);
        if (clear.size() >= most)
            break;
    }
    for (const QString& node : std::as_const(likely)) {
        if (clear.size() < most && !clear.contains(node))
            clear.append(node);
    }
    return clear;
}

CollectPlan nextPlan(const CollectPlan& plan, const QStringList& nodes)
{
    CollectPlan next = plan;
    next.deepNodes = nodes;
    next.lightNodes.clear();
    next.rasNodes.clear();
    next.note.clear();
    next.ofNodes = int(nodes.size());
    setBytes(next);
    return next;
}

RemoteCommand collectCommand(const CollectPlan& plan)
{
    const QStringList program = programWords(plan);
    const QStringList alone = QStringList{u"bash"_s, u"-c"_s, program.first(), u"rankwright"_s} + program.mid(1);
    const QStringList nodes = plan.askedNodes();
    QStringList words;
    if (plan.way == SamplingWay::Step && (plan.oneStepForAllNodes || nodes.size() == 1)) {
        const QString count = QString::number(nodes.size());
        words = QStringList{u"srun"_s, u"--overlap"_s, u"--jobid="_s + plan.job, u"--nodes="_s + count,
                    u"--ntasks="_s + count, u"--ntasks-per-node=1"_s, u"--nodelist="_s + foldHostlist(nodes),
                    u"--kill-on-bad-exit=0"_s}
            + alone;
    } else {
        const bool isSsh = plan.way == SamplingWay::Ssh;
        words = QStringList{u"bash"_s, u"-c"_s, remoteProgram(u"sampling-fan.sh"_s), u"rankwright"_s,
            isSsh ? u"ssh"_s : u"step"_s, plan.job};
        // ssh hands one text to the node's login shell: there the program's words are quoted once more
        words += (isSsh ? QStringList{shellQuote(alone), {}, {}, {}, {}, {}, {}} : program) + nodes;
    }
    // What users keep in variables of srun would change the step: another program's input, labels before each line.
    RemoteCommand command = RemoteCommand::shell(
        u"unset SLURM_LABELIO SLURM_STDINMODE SLURM_STDOUTMODE SLURM_STDERRMODE SLURM_UNBUFFEREDIO SLURM_PTY_PORT "
        "SLURM_NTASKS SLURM_NPROCS SLURM_MULTI_PROG SLURM_WAIT SLURM_HOSTFILE SLURM_EXACT; exec "_s
        + shellQuote(words));
    command.interactive = true;
    command.purpose = u"Asks what the ranks of a job do at the moment"_s;
    command.urgent = true;
    command.deadlineSeconds = startSeconds + plan.limits.seconds;
    return command;
}

} // namespace rankwright::inline insight
