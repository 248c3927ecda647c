// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remoteprogram.h"
#include "models/core/hostlist.h"
#include "models/core/shellquote.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QStringList nodeSampler(GpuVendor vendor, int intervalMs, int ranksEveryMs, const QString& job)
{
    return {remoteProgram(u"node-ranks.sh"_s) + remoteProgram(u"node-resources.sh"_s)
            + remoteProgram(u"node-activity.sh"_s) + remoteProgram(u"node-sampler.sh"_s),
        vendor == GpuVendor::Nvidia ? u"nvidia"_s : u"amd"_s, QString::number(qMax(100, intervalMs)),
        remoteProgram(u"amd-figures.awk"_s), remoteProgram(u"nvidia-figures.awk"_s), job,
        QString::number(qMax(1000, ranksEveryMs))};
}

QString samplingCommand(const TelemetryFeed::Target& target)
{
    const QStringList sampler = nodeSampler(target.vendor, target.intervalMs, target.ranksEveryMs, target.job);
    const QStringList alone
        = QStringList{u"bash"_s, u"-c"_s, sampler.first(), u"rankwright"_s} + sampler.mid(1); // on the node itself
    const qsizetype nodes = target.nodes.size();
    if (target.way == SamplingWay::Here)
        return shellQuote(alone);
    // One node is one step either way; without a node list the step takes the allocation's shape.
    if (target.way == SamplingWay::Step && (target.oneStepForAllNodes || nodes <= 1)) {
        QStringList words{u"srun"_s, u"--overlap"_s, u"--jobid="_s + target.job};
        if (nodes > 0)
            words += {u"--nodes=%1"_s.arg(nodes), u"--ntasks=%1"_s.arg(nodes)};
        if (target.part)
            words += u"--nodelist="_s + foldHostlist(target.nodes);
        words += {u"--ntasks-per-node=1"_s, u"--kill-on-bad-exit=0"_s};
        return shellQuote(words + alone);
    }
    QStringList words{u"bash"_s, u"-c"_s, remoteProgram(u"sampling-fan.sh"_s), u"rankwright"_s,
        target.way == SamplingWay::Ssh ? u"ssh"_s : u"step"_s, target.job};
    // ssh hands one text to the node's login shell: there the sampler's words are quoted once more
    words += target.way == SamplingWay::Ssh ? QStringList{shellQuote(alone), {}, {}, {}, {}, {}, {}} : sampler;
    return shellQuote(words + target.nodes);
}

} // namespace rankwright::inline insight
