// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/designestimate.h"

#include "models/core/quantitytext.h"
#include "models/planner/estimate/layoutcheck.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// The largest micro-batch that fits or probably fits; memory grows with it, so halving finds it.
qint64 largestMicroBatch(const MemoryModel& model, Layout layout, const Calibration& learned)
{
    const auto fits = [&](qint64 micro) {
        layout.microBatch = micro;
        return mayRun(calibrated(model.estimate(layout), learned));
    };
    if (!fits(1))
        return 0;
    qint64 good = 1, bad = 2;
    while (bad <= (qint64(1) << 20) && fits(bad)) {
        good = bad;
        bad *= 2;
    }
    while (bad - good > 1) {
        const qint64 middle = good + (bad - good) / 2;
        (fits(middle) ? good : bad) = middle;
    }
    return good;
}

QString percent(double part) { return percentText(100 * part, 0); }

/// What costs most time beside compute, when it is worth reporting.
QString limitText(const StepEstimate& step, const PlannedRun& run)
{
    if (!(step.seconds > 0))
        return {};
    const double communication = step.parts.communication / step.seconds, bubble = step.parts.bubble / step.seconds;
    const double other = step.parts.other / step.seconds;
    constexpr double worthReporting = 0.1;
    if (bubble >= worthReporting && bubble >= communication && bubble >= other)
        return u"Stages wait for the pipeline to fill and drain in %1 of the step: %2 micro-batches for %3 stages are few."_s
            .arg(percent(bubble))
            .arg(run.layout.accumulation)
            .arg(run.layout.pipeline);
    if (communication >= worthReporting && communication >= other)
        return u"Ranks wait for one another's data in %1 of the step."_s.arg(percent(communication));
    if (other >= worthReporting)
        return u"Optimiser, data loading and the like take %1 of the step."_s.arg(percent(other));
    return {};
}

QString learnedText(const Calibration& learned, const QString& cluster)
{
    const int runs = qMax(learned.memoryRuns, learned.timeRuns);
    if (runs == 0)
        return {};
    return u"%1 of yours on %2"_s.arg(counted(runs, u"run"_s), cluster);
}

/// Bands are those of runs like the published ones; further away they are wider.
void widen(DesignEstimate& estimate)
{
    const double factor = estimate.nearest ? bandFactor(estimate.nearest->distance) : bandFactor(1e9);
    const auto stretch = [factor](double middle, double& low, double& high) {
        if (middle <= 0 || low <= 0)
            return;
        low = middle / (1.0 + factor * (middle / low - 1.0));
        high = middle * (1.0 + factor * (high / middle - 1.0));
    };
    MemoryEstimate& memory = estimate.memory;
    stretch(memory.totalBytes, memory.lowBytes, memory.highBytes);
    stretch(estimate.step.seconds, estimate.step.lowSeconds, estimate.step.highSeconds);
}

Correction correction(int runs, double before, double after)
{
    return runs > 0 && before > 0 ? Correction{runs, after / before - 1} : Correction();
}

} // namespace

Result<DesignEstimate> estimateDesign(const ResolvedSpec& resolved, const BatchPlan& batch,
    const ClusterProfile& profile, const CalibrationTable& calibrations)
{
    const auto run = planRun(resolved, batch, profile);
    if (!run)
        return fail(run.error());
    if (const auto possible = checkLayout(run->workload, run->layout); !possible)
        return fail(possible.error());
    DesignEstimate estimate;
    estimate.run = *run;
    const TrainingStack& stack = stackOf(run->stack);
    const Calibration learned = learnedFor(calibrations, profile, resolved.node, run->workload, stack);
    const MemoryModel memory(run->workload, stack, run->gpu);
    const MemoryEstimate published = memory.estimate(run->layout);
    estimate.memory = calibrated(published, learned);
    if (!mayRun(estimate.memory) && estimate.memory.verdict < FitVerdict::Borderline)
        estimate.memory.verdict = FitVerdict::Borderline; // "probably fits" beside 66 of 64 GiB would mislead
    estimate.memoryCorrection = correction(learned.memoryRuns, published.totalBytes, estimate.memory.totalBytes);
    const StepEstimate publishedStep = TimeModel(run->workload, stack, run->gpu).estimate(run->layout);
    estimate.step = calibrated(publishedStep, learned);
    estimate.timeCorrection = correction(learned.timeRuns, publishedStep.seconds, estimate.step.seconds);
    estimate.nearest = nearestRun(run->workload, run->layout, stack.name, run->gpu);
    widen(estimate);
    if (estimate.memory.verdict == FitVerdict::Fits && estimate.memory.highBytes > estimate.memory.usableBytes)
        estimate.memory.verdict = FitVerdict::Probably; // "fits" beside a range that ends beyond the limit
    estimate.largestMicroBatch = largestMicroBatch(memory, run->layout, learned);
    estimate.limitedBy = limitText(estimate.step, *run);
    estimate.calibratedBy = learnedText(learned, profile.title);
    return estimate;
}

int worstRank(const Layout& layout, int stage) { return stage * layout.tensor * layout.context * layout.data; }

QString toText(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return u"fits"_s;
    case FitVerdict::Probably: return u"probably"_s;
    case FitVerdict::Borderline: return u"borderline"_s;
    case FitVerdict::DoesNotFit: return u"does-not-fit"_s;
    }
    return {};
}

} // namespace rankwright::inline planner
