// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/batchplan.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/plannedrun.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Bounds that no training comes near and under which micro x ranks (at most 640 000) stays far from overflow.
constexpr qint64 mostMicro = 1'000'000'000'000;
constexpr qint64 mostGlobal = 1'000'000'000'000'000;

std::optional<qint64> sane(const std::optional<qint64>& asked, qint64 most)
{
    return asked && *asked > 0 ? std::optional(qMin(*asked, most)) : std::nullopt; // nonsense is reported by a finding
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

QString ranksText(int dataParallel) { return counted(dataParallel, u"data-parallel rank"_s); }

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

/// Goyal et al. warm up for 5 of their 90 epochs; a shorter training gets the same share of its steps.
void addWarmup(BatchPlan& plan, std::optional<double> epochs)
{
    constexpr double warmupEpochs = 5;
    constexpr double theirEpochs = 90;
    if (!plan.stepsPerEpoch || plan.globalBatch == plan.microBatch)
        return;
    const bool shorter = epochs && *epochs > 0 && *epochs < theirEpochs;
    const double share = shorter ? *epochs * warmupEpochs / theirEpochs : warmupEpochs;
    plan.warmupSteps = std::ceil(share * *plan.stepsPerEpoch);
    plan.warmupReason = shorter ? u"5/90 of the training, as in Goyal et al. 2017 (section 2.2)."_s
                                : u"The first 5 epochs, as in Goyal et al. 2017 (section 2.2)."_s;
}

void addSchedule(BatchPlan& plan, std::optional<double> samples, std::optional<double> epochs)
{
    if (samples && *samples > 0)
        plan.stepsPerEpoch = std::ceil(*samples / static_cast<double>(plan.globalBatch));
    const double factor = static_cast<double>(plan.globalBatch) / static_cast<double>(plan.microBatch);
    plan.scaleLinear = factor;
    plan.scaleSqrt = std::sqrt(factor);
    addWarmup(plan, epochs);
}

} // namespace

std::optional<double> samplesOf(const JobSpec::Training& training, qint64 sequence)
{
    if (training.datasetSamples)
        return double(*training.datasetSamples);
    if (!training.datasetTokens || sequence < 1)
        return std::nullopt;
    const double ofSample = double(sequence) * (training.packed.value_or(true) ? 1 : meanSampleShare);
    return double(*training.datasetTokens) / ofSample;
}

std::optional<double> samplesOf(const ResolvedSpec& resolved)
{
    std::optional<qint64> sequence = resolved.sequence;
    if (!sequence && resolved.spec.training.datasetTokens) {
        if (const auto shape = namedModel(resolved.spec))
            sequence = usualSequence(*shape);
    }
    return samplesOf(resolved.spec.training, sequence.value_or(0));
}

ScalingRule scalingRule(Optimizer optimizer)
{
    return optimizer == Optimizer::Sgd || optimizer == Optimizer::SgdMomentum ? ScalingRule::Linear
                                                                              : ScalingRule::SquareRoot;
}

BatchPlan planBatch(const ResolvedSpec& resolved)
{
    const auto& training = resolved.spec.training;
    BatchPlan plan;
    plan.dataParallel = resolved.dataParallel();
    planSizes(plan, sane(training.globalBatch ? training.globalBatch : resolved.globalBatch, mostGlobal),
        sane(training.microBatch ? training.microBatch : resolved.microBatch, mostMicro));
    addSchedule(plan, samplesOf(resolved), training.epochs);
    if (training.optimizer)
        plan.rule = scalingRule(*training.optimizer);
    return plan;
}

BatchPlan planOf(const BatchSolution& solution, std::optional<double> samples, std::optional<double> epochs)
{
    BatchPlan plan;
    plan.globalBatch = solution.global;
    plan.microBatch = solution.micro;
    plan.gradientAccumulation = solution.accumulation;
    plan.dataParallel = static_cast<int>(solution.ranks);
    plan.exact = solution.exact;
    plan.nearest = solution.nearest;
    plan.reason = solution.reason;
    addSchedule(plan, samples, epochs);
    return plan;
}

} // namespace rankwright::inline planner
