// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplingplan.h"

#include <QLocale>

#include <algorithm>
#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int assumedGpus = 8;
constexpr int shortestMs = 100;
constexpr int manyNodes = 256; ///< from here on the ranks' lines, which change little, come more seldom

// Bytes of the lines as they come from MI250X and H100 nodes (docs/telemetry.md).
constexpr double headBytes = 36;
constexpr double gpuBytes = 57;
constexpr double rankBytes = 100;
constexpr double resourceBytes = 150; ///< of a line about what the node has beside its GPUs
constexpr int gpusPerLine = 10;

int ranksEvery(int nodes, int intervalMs) { return std::max(intervalMs, nodes > manyNodes ? 10000 : 3000); }

double bytesPerNode(int gpus, int nodes, int intervalMs)
{
    const int lines = (gpus + gpusPerLine - 1) / gpusPerLine;
    const double tick = headBytes * lines + gpuBytes * gpus;
    const double ranks = 2 * headBytes + rankBytes * gpus + resourceBytes;
    return tick * 1000 / intervalMs + ranks * 1000 / ranksEvery(nodes, intervalMs);
}

QString grouped(qint64 number) { return QLocale(QLocale::English, QLocale::UnitedKingdom).toString(number); }

QString seconds(int ms)
{
    return ms == 1000 ? u"every second"_s : u"every %1 s"_s.arg(QString::number(double(ms) / 1000, 'g', 3));
}

QList<int> spread(int count, int of)
{
    QList<int> chosen;
    for (int i = 0; i < count; ++i)
        chosen.append(count <= 1 ? 0 : int((qint64(i) * (of - 1) + (count - 1) / 2) / (count - 1)));
    return chosen;
}

} // namespace

QString toText(SamplingWay way)
{
    switch (way) {
    case SamplingWay::Step: return u"Slurm steps"_s;
    case SamplingWay::Ssh: return u"ssh to the nodes"_s;
    case SamplingWay::Here: return u"on this machine"_s;
    }
    return {};
}

SamplingPlan samplingPlan(const SamplingRequest& request, const SamplingLimits& limits)
{
    const int nodes = request.way == SamplingWay::Here ? 1 : std::max(1, request.nodes);
    const int gpus = request.gpusPerNode.value_or(0) > 0 ? *request.gpusPerNode : assumedGpus;
    const bool eachNodeOne
        = request.way == SamplingWay::Ssh || (request.way == SamplingWay::Step && !request.oneStepForAllNodes);
    const int reachable = eachNodeOne ? std::min(nodes, std::max(1, limits.steps)) : nodes;
    const int wanted = request.intervalMs ? std::max(shortestMs, *request.intervalMs) : 1000;

    SamplingPlan plan;
    plan.ofNodes = nodes;
    plan.intervalMs = wanted;
    for (const int interval : std::array{1000, 2000, 3000, 4000}) {
        if (reachable * bytesPerNode(gpus, reachable, plan.intervalMs) <= limits.bytesPerSecond)
            break;
        if (interval <= limits.longestMs)
            plan.intervalMs = std::max(plan.intervalMs, interval);
    }
    int watched = reachable;
    while (watched > 1 && watched * bytesPerNode(gpus, watched, plan.intervalMs) > limits.bytesPerSecond)
        watched = std::min(watched - 1, int(limits.bytesPerSecond / bytesPerNode(gpus, watched, plan.intervalMs)));
    plan.nodes = spread(std::max(1, watched), nodes);
    plan.ranksEveryMs = ranksEvery(watched, plan.intervalMs);
    plan.bytesPerSecond = watched * bytesPerNode(gpus, watched, plan.intervalMs);
    plan.steps = request.way != SamplingWay::Step ? 0 : request.oneStepForAllNodes ? 1 : watched;

    QString which = nodes == 1 ? u"The node is"_s : u"All %1 nodes are"_s.arg(grouped(nodes));
    if (request.way == SamplingWay::Here)
        which = u"This machine is"_s;
    QStringList why;
    if (plan.isPart()) {
        which = u"%1 of %2 nodes, evenly spread, are"_s.arg(grouped(watched), grouped(nodes));
        if (eachNodeOne && nodes > limits.steps)
            why.append(u"each node takes %1 of its own, and %2 are as many as we start"_s.arg(
                request.way == SamplingWay::Ssh ? u"an ssh"_s : u"a Slurm step"_s, grouped(limits.steps)));
    }
    if (plan.intervalMs > wanted || watched < reachable)
        why.append(u"all of them %1 would send %2 kB/s"_s.arg(
            seconds(wanted), grouped(qRound64(reachable * bytesPerNode(gpus, reachable, wanted) / 1000))));
    plan.text = which + u" sampled "_s + seconds(plan.intervalMs);
    if (!why.isEmpty())
        plan.text += u": "_s + why.join(u"; "_s);
    plan.text += u'.';
    return plan;
}

QStringList watchedNodes(const SamplingPlan& plan, const QStringList& nodes)
{
    QStringList chosen;
    for (const int index : plan.nodes)
        if (index < nodes.size())
            chosen.append(nodes.at(index));
    return chosen;
}

} // namespace rankwright::inline insight
