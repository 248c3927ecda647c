// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/batchplan.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

// Bounds that no training comes near and under which micro x ranks (at most 640 000) stays far from overflow.
constexpr qint64 mostMicro = 1'000'000'000'000;
constexpr qint64 mostGlobal = 1'000'000'000'000'000;

std::optional<qint64> sane(const std::optional<qint64>& asked, qint64 most)
{
    return asked && *asked > 0 ? std::optional(qMin(*asked, most)) : std::nullopt; // nonsense is told by a finding
}

/// Fills in accumulation and global batch for a given micro-batch; `asked` may not be a multiple of a step.
void fitGlobal(BatchPlan& plan, qint64 asked, qint64 micro)
{
    const qint64 step = micro * plan.dataParallel;
    const qint64 below = asked / step * step;
    plan.microBatch = micro;
    plan.exact = below == asked;
    plan.globalBatch = below == asked || (below > 0 && asked - below <= below + step - asked) ? below : below + step;
    plan.gradientAccumulation = plan.globalBatch / step;
    if (!plan.exact) {
        if (below > 0)
            plan.nearest.append(below);
        plan.nearest.append(below + step);
    }
}

QString ranksText(int dataParallel)
{
    return dataParallel == 1 ? u"1 data-parallel rank"_s : u"%1 data-parallel ranks"_s.arg(dataParallel);
}

QString inexactReason(const BatchPlan& plan, qint64 asked)
{
    return u"%1 cannot be split into equal steps of %2 × %3; the nearest that can is %4."_s.arg(QString::number(asked),
        QString::number(plan.microBatch), ranksText(plan.dataParallel), QString::number(plan.globalBatch));
}

void planSizes(BatchPlan& plan, std::optional<qint64> global, std::optional<qint64> micro)
{
    const QString ranks = ranksText(plan.dataParallel);
    if (!global) {
        plan.microBatch = micro.value_or(1);
        plan.gradientAccumulation = 1;
        plan.globalBatch = plan.microBatch * plan.dataParallel;
        plan.reason = micro ? u"No global batch is given: one micro-batch of %1 on each of %2."_s.arg(*micro).arg(ranks)
                            : u"No batch is given: one sample on each of %1."_s.arg(ranks);
        return;
    }
    if (micro) {
        fitGlobal(plan, *global, *micro);
        plan.reason = plan.exact ? u"%1 = %2 × %3 × %4 accumulation steps."_s.arg(QString::number(*global),
                          QString::number(*micro), ranks, QString::number(plan.gradientAccumulation))
                                 : inexactReason(plan, *global);
        return;
    }
    // Largest micro-batch that divides: one step without accumulation keeps the GPUs busiest.
    const qint64 ranksCount = plan.dataParallel;
    const qint64 share = qBound<qint64>(1, (*global + ranksCount / 2) / ranksCount, mostMicro);
    if (*global % ranksCount == 0 && *global / ranksCount <= mostMicro) {
        fitGlobal(plan, *global, share);
        plan.reason = u"%1 / %2 = %3 samples on each, the largest micro-batch that divides; no accumulation."_s.arg(
            QString::number(*global), ranks, QString::number(plan.microBatch));
        return;
    }
    fitGlobal(plan, *global, 1);
    plan.reason = inexactReason(plan, *global);
    plan.microBatch = qMin(mostMicro, plan.globalBatch / ranksCount);
    plan.gradientAccumulation = plan.globalBatch / (plan.microBatch * ranksCount);
}

} // namespace

BatchPlan planBatch(const ResolvedSpec& resolved)
{
    const auto& training = resolved.spec.training;
    BatchPlan plan;
    plan.dataParallel = resolved.dataParallel();
    planSizes(plan, sane(training.globalBatch, mostGlobal), sane(training.microBatch, mostMicro));
    if (training.datasetSamples && *training.datasetSamples > 0)
        plan.stepsPerEpoch
            = std::ceil(static_cast<double>(*training.datasetSamples) / static_cast<double>(plan.globalBatch));
    const double factor = static_cast<double>(plan.globalBatch) / static_cast<double>(plan.microBatch);
    plan.scaleLinear = factor;
    plan.scaleSqrt = std::sqrt(factor);
    return plan;
}

} // namespace rankwright
