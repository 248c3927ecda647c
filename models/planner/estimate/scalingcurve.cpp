// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/scalingcurve.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Twice the GPUs must shorten the work at least by this share to be worth them.
constexpr double worthAShare = 0.10;
constexpr double computeHolds = 0.80; // of a step: nothing else is worth reporting
constexpr int mostPoints = 24;

ScalingLimit limitOf(const TimeParts& parts)
{
    if (parts.compute >= computeHolds * parts.total())
        return ScalingLimit::Compute;
    if (parts.communication >= std::max(parts.bubble, parts.other))
        return ScalingLimit::Communication;
    return parts.bubble >= parts.other ? ScalingLimit::Bubble : ScalingLimit::Overhead;
}

QString percent(double share) { return percentText(100 * share, 0); }

QString because(const TimeParts& parts, ScalingLimit limit, const QString& gpuWord)
{
    const double whole = parts.total();
    switch (limit) {
    case ScalingLimit::Communication:
        return u"exchanging gradients and weights takes %1 of a step"_s.arg(percent(parts.communication / whole));
    case ScalingLimit::Bubble: return u"the pipeline stands idle for %1 of a step"_s.arg(percent(parts.bubble / whole));
    case ScalingLimit::Overhead:
        return u"the optimiser and the work around a step take %1 of it"_s.arg(percent(parts.other / whole));
    case ScalingLimit::Compute: break;
    }
    return u"each %1 has too little of the batch to be busy"_s.arg(gpuWord);
}

QString seconds(double value)
{
    return value < 1 ? humanNumber(1000 * value, value < 0.1 ? 1 : 0) + u" ms"_s : humanNumber(value, 2) + u" s"_s;
}

QString sentenceOf(
    const TimeModel& model, const ScalingCurve& curve, Scaling scaling, int mostGpus, const QString& gpuWord)
{
    const ScalingPoint& last = curve.points.last();
    for (qsizetype i = 0; i + 1 < curve.points.size(); ++i) {
        const ScalingPoint& here = curve.points.at(i);
        if (here.gpus != curve.worthwhile)
            continue;
        const ScalingPoint& next = curve.points.at(i + 1);
        const TimeParts parts = model.estimate(next.layout).parts;
        if (scaling == Scaling::Weak)
            return u"Beyond %1 more will not help: with %2 the throughput is only %3 times that, because %4."_s.arg(
                counted(here.gpus, gpuWord), QString::number(next.gpus),
                humanNumber(next.tokensPerSecond / here.tokensPerSecond, 2), because(parts, next.limit, gpuWord));
        return u"Beyond %1 more will not help: with %2 a step takes %3 instead of %4, because %5."_s.arg(
            counted(here.gpus, gpuWord), QString::number(next.gpus), seconds(next.stepSeconds),
            seconds(here.stepSeconds), because(parts, next.limit, gpuWord));
    }
    if (scaling == Scaling::Strong && last.layout.globalBatch() == last.layout.data && last.gpus * 2 <= mostGpus)
        return u"Beyond %1 the global batch of %2 cannot be split any further."_s.arg(counted(last.gpus, gpuWord))
            .arg(last.layout.globalBatch());
    // Against the same layout on fewer: the efficiency of a listed layout is against the smallest of all.
    return u"Up to %1 more still help: the layout of this design is %2 times as fast there as on %3."_s.arg(
        counted(last.gpus, gpuWord), humanNumber(last.speedUp, last.speedUp < 10 ? 1 : 0),
        QString::number(curve.points.first().gpus));
}

/// One, and the layout's own number with its halves and doubles: what is said holds beside that very layout.
std::set<qint64> ranksTried(qint64 own, qint64 most)
{
    std::set<qint64> ranks{1};
    qint64 smallest = std::max<qint64>(1, own);
    while (smallest % 2 == 0)
        smallest /= 2;
    for (int point = 0; point < mostPoints && smallest <= most; ++point, smallest *= 2)
        ranks.insert(smallest);
    return ranks;
}

} // namespace

std::optional<Layout> spreadOver(const Layout& base, int dataRanks, Scaling scaling)
{
    if (dataRanks < 1)
        return std::nullopt;
    Layout layout = base;
    layout.data = dataRanks;
    const int perNode = std::max(1, base.gpusPerNode);
    layout.nodes = (layout.gpus() + perNode - 1) / perNode;
    layout.expert = std::min(base.expert, dataRanks);
    if (scaling == Scaling::Weak)
        return layout;
    const qint64 batch = base.globalBatch();
    if (batch % dataRanks != 0)
        return std::nullopt;
    const qint64 perRank = batch / dataRanks;
    // A pipeline wants many micro-batches: its micro-batch stays while it divides.
    layout.microBatch = std::min(base.microBatch, perRank);
    while (perRank % layout.microBatch != 0)
        --layout.microBatch;
    layout.accumulation = perRank / layout.microBatch;
    return layout;
}

ScalingCurve scalingCurve(const TimeModel& model, const Layout& base, Scaling scaling, int mostGpus,
    const QString& gpuWord, const MemoryModel* memory)
{
    ScalingCurve curve;
    const int modelRanks = base.tensor * base.pipeline * base.context;
    const qint64 most = std::min<qint64>(mostGpus, std::numeric_limits<int>::max() / 2);
    for (const qint64 ranks : ranksTried(base.data, most / modelRanks)) {
        if (ranks * modelRanks > most)
            break;
        const auto layout = spreadOver(base, static_cast<int>(ranks), scaling);
        if (!layout || (memory != nullptr && !mayRun(memory->estimate(*layout))))
            continue;
        const StepEstimate step = model.estimate(*layout);
        if (!(step.seconds > 0) || !std::isfinite(step.seconds))
            continue;
        ScalingPoint one;
        one.layout = *layout;
        one.gpus = layout->gpus();
        one.stepSeconds = step.seconds;
        one.tokensPerSecond = step.tokensPerSecondPerGpu * one.gpus;
        one.limit = limitOf(step.parts);
        if (!curve.points.isEmpty()) {
            const ScalingPoint& first = curve.points.first();
            one.speedUp = one.tokensPerSecond / first.tokensPerSecond;
            one.efficiency = one.speedUp * first.gpus / one.gpus;
        }
        curve.points.append(one);
    }
    if (curve.points.isEmpty() && memory != nullptr && modelRanks <= most) {
        curve.sentence = u"It fits on no number of %1s up to %2."_s.arg(gpuWord).arg(mostGpus);
        return curve;
    }
    if (curve.points.isEmpty()) {
        curve.sentence = u"The model alone needs %1, more than the %2 there are."_s.arg(counted(modelRanks, gpuWord))
                             .arg(mostGpus);
        return curve;
    }
    curve.worthwhile = curve.points.first().gpus;
    for (qsizetype i = 1; i < curve.points.size(); ++i) {
        const double shorter = 1 - curve.points.at(i - 1).tokensPerSecond / curve.points.at(i).tokensPerSecond;
        if (shorter < worthAShare)
            break;
        curve.worthwhile = curve.points.at(i).gpus;
    }
    curve.sentence = sentenceOf(model, curve, scaling, mostGpus, gpuWord);
    return curve;
}

} // namespace rankwright::inline planner
