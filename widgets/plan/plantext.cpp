// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plantext.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"
#include "models/tables/layoutmodel.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QSet>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double stepsCounted = 1000;

bool pricesKnown(const SearchResult& result)
{
    return !result.candidates.isEmpty()
        && std::all_of(result.candidates.begin(), result.candidates.end(), [](const Candidate& c) { return c.cost; });
}

double gpuHours(int gpus, double stepSeconds) { return gpus * stepSeconds * stepsCounted / 3600; }

double costOf(const Candidate& layout, bool priced)
{
    return priced ? layout.cost.value_or(0) : gpuHours(layout.layout.gpus(), layout.stepSeconds);
}

/// The design's own cost, from what a layout of the same size costs for each second of a step: all pay the same number
/// of steps.
std::optional<double> costHere(const SearchResult& result, const DesignEstimate& estimate, bool priced)
{
    const Layout& here = estimate.run.layout;
    const double seconds = estimate.step.seconds;
    if (!priced)
        return gpuHours(here.gpus(), seconds);
    const Candidate* like = nullptr;
    for (const Candidate& each : result.candidates) {
        const bool same = each.layout.nodes == here.nodes && each.layout.gpusPerNode == here.gpusPerNode;
        if (same || !like)
            like = &each;
        if (same)
            break;
    }
    if (!like || like->stepSeconds <= 0 || !like->cost)
        return {};
    const double perGpuSecond = *like->cost / (like->stepSeconds * like->layout.gpus());
    return perGpuSecond * seconds * here.gpus();
}

} // namespace

QString layoutName(const Candidate& layout, const QString& gpuWord)
{
    return QStringList{tr("%1 on %2 (%3)")
                           .arg(strategyName(layout.strategy), nodesText(layout.layout.nodes),
                               gpusText(layout.layout.gpus(), gpuWord)),
        EstimateText::degreesInWords(layout.layout)}
        .join(u", "_s);
}

PlotFigures plotFigures(const SearchResult& result, const Derived& derived)
{
    PlotFigures figures;
    const bool priced = pricesKnown(result);
    figures.costLabel = !priced   ? tr("GPU-hours for 1 000 steps")
        : result.costOf.isEmpty() ? result.costUnit
                                  : tr("%1 for %2").arg(result.costUnit, result.costOf);
    QSet<QString> seen;
    for (const auto* list : {&result.pareto, &result.candidates}) {
        for (const Candidate& each : *list) {
            const QString id = idOf(each);
            if (seen.contains(id))
                continue;
            seen.insert(id);
            figures.points.append({id, each.stepSeconds, costOf(each, priced), each.verdict, each.pareto, false, {},
                layoutName(each, derived.resolved.node.gpu.word)});
        }
    }
    // A design that does not fit buys nothing: no cost to compare with.
    if (derived.estimate && derived.estimate->memory.verdict != FitVerdict::DoesNotFit) {
        if (const auto cost = costHere(result, *derived.estimate, priced))
            figures.here = PlotPoint{{}, derived.estimate->step.seconds, *cost, derived.estimate->memory.verdict, false,
                true, tr("The design as it is"), tr("The design as it is")};
    }
    return figures;
}

SpeedupData speedupFigures(const ScalingCurve& curve, const Derived& derived)
{
    SpeedupData figures;
    figures.gpuWord = derived.resolved.node.gpu.word;
    if (!derived.estimate || curve.points.isEmpty())
        return figures;
    const StepEstimate& step = derived.estimate->step;
    // How far a step may be off says how far a ratio of two may be, at most.
    const double slower = step.highSeconds > 0 ? step.seconds / step.highSeconds : 1;
    const double faster = step.lowSeconds > 0 ? step.seconds / step.lowSeconds : 1;
    figures.here = derived.estimate->run.layout.gpus();
    const bool more = curve.worthwhile >= curve.points.last().gpus;
    figures.useful = more ? 0 : curve.worthwhile;
    const int first = curve.points.first().gpus;
    for (const ScalingPoint& point : curve.points) {
        // The first point is what all others are measured by: it has no band.
        const bool base = point.gpus == first;
        // More than ideal only where the curve itself is.
        const double ideal = qMax(point.speedUp, double(point.gpus) / first);
        figures.points.append({double(point.gpus), point.speedUp, base ? point.speedUp : point.speedUp * slower,
            base ? point.speedUp : qMin(ideal, point.speedUp * faster)});
    }
    return figures;
}

bool isLayoutOf(const Derived& derived, const Candidate& layout)
{
    if (!derived.estimate || derived.resolved.strategy != layout.strategy)
        return false;
    const Layout& here = derived.estimate->run.layout;
    const Layout& there = layout.layout;
    if (!layout.gpu.isEmpty() && layout.gpu != derived.resolved.node.gpu.model)
        return false;
    return here.nodes == there.nodes && here.gpusPerNode == there.gpusPerNode && here.data == there.data
        && here.tensor == there.tensor && here.pipeline == there.pipeline && here.context == there.context
        && here.expert == there.expert && here.virtualStages == there.virtualStages
        && here.microBatch == there.microBatch && here.accumulation == there.accumulation
        && derived.estimate->run.workload.recompute == layout.recompute
        && derived.estimate->run.workload.offload == layout.offload;
}

QString planTitle(const Derived& derived)
{
    const QString cluster = derived.profile ? derived.profile->title : QString();
    if (!derived.estimate)
        return tr("Layouts on %1").arg(cluster);
    const QString name = derived.estimate->run.workload.shape.name;
    return tr("%1 on %2")
        .arg(name.isEmpty()
                ? tr("%1 parameters").arg(EstimateText::parameters(double(derived.estimate->run.parameters.total)))
                : name,
            cluster);
}

QString searchCaption(const SearchResult& result)
{
    const QString where = result.partition.isEmpty() ? QString() : tr("in %1 only, ").arg(result.partition);
    const QString looked = where
        + tr(result.cancelled ? "stopped after %1 in %2" : "%1 examined in %2")
              .arg(humanNumber(double(result.examined)), EstimateText::time(result.elapsedSeconds));
    return result.feasible > result.candidates.size()
        ? tr("%1, the best %2 shown").arg(looked, humanNumber(double(result.candidates.size())))
        : looked;
}

QString rejectionLine(const SearchResult& result)
{
    QStringList parts;
    for (const Rejection& each : result.rejected)
        parts.append(u"%1 %2"_s.arg(humanNumber(double(each.count)), each.reason));
    return parts.isEmpty() ? QString() : tr("Ruled out: %1").arg(parts.join(u" · "_s));
}

QString layoutSummary(const Candidate& layout, const SearchResult& result, const Derived& derived)
{
    const QString word = derived.resolved.node.gpu.word;
    QStringList first{layoutName(layout, word)};
    QString step = EstimateText::time(layout.stepSeconds);
    if (derived.estimate && !isLayoutOf(derived, layout))
        step = tr("%1 instead of %2").arg(step, EstimateText::time(derived.estimate->step.seconds));
    first.append(tr("step %1").arg(step));
    first.append(tr("%1 of %2").arg(gibFigure(layout.memoryBytes), gibText(layout.usableBytes)));
    if (layout.efficiency < 0.9)
        first.append(
            tr("each %1 does %2 of what it does in the best small layout").arg(word, shareText(layout.efficiency)));
    if (layout.cost)
        first.append(result.costOf.isEmpty()
                ? amountText(*layout.cost, result.costUnit)
                : tr("%1 for %2").arg(amountText(*layout.cost, result.costUnit), result.costOf));
    const QString why = layout.why.left(1).toUpper() + layout.why.mid(1);
    return first.join(u" · "_s) + (why.isEmpty() ? QString() : u"\n"_s + why);
}

} // namespace rankwright
