// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/estimate/calibration.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

// How much n runs weigh against none: n / (n + k), k = (scatter of runs of one kind / scatter between kinds)^2. From
// the published runs: step times of one kind scatter by 8 % around a common factor that itself scatters by 20 %; peaks
// by 5 % around 12 %.
constexpr double timePrior = 0.16;
constexpr double memoryPrior = 0.17;

// Beyond this a measurement tells of another job (or unit) rather than of the model.
constexpr double mostFactor = 8.0;

/// Logarithm of measured / predicted; empty when one of them is no usable number.
std::optional<double> logRatio(double predicted, std::optional<double> measured)
{
    if (!measured || !(predicted > 0) || !(*measured > 0) || !std::isfinite(predicted) || !std::isfinite(*measured))
        return std::nullopt;
    const double ratio = *measured / predicted;
    if (ratio > mostFactor || ratio < 1 / mostFactor)
        return std::nullopt;
    return std::log(ratio);
}

/// The median: one odd run among several moves nothing.
double middle(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const qsizetype half = values.size() / 2;
    return values.size() % 2 ? values.at(half) : (values.at(half - 1) + values.at(half)) / 2;
}

double scaleOf(const QList<double>& logs, double prior)
{
    if (logs.isEmpty())
        return 1;
    const double runs = static_cast<double>(logs.size());
    return std::exp(middle(logs) * runs / (runs + prior));
}

/// A band after n runs: what is left of it is the scatter within a kind.
double narrowed(double half, int runs, double prior)
{
    return runs == 0 ? half : half * std::sqrt((prior + prior / runs) / (1 + prior));
}

} // namespace

Calibration calibrate(const QList<MeasuredRun>& runs)
{
    QList<double> times;
    QList<double> peaks;
    for (const MeasuredRun& run : runs) {
        if (const auto time = logRatio(run.predictedSeconds, run.measuredSeconds))
            times.append(*time);
        if (const auto peak = logRatio(run.predictedBytes, run.measuredBytes))
            peaks.append(*peak);
    }
    return {scaleOf(peaks, memoryPrior), scaleOf(times, timePrior), static_cast<int>(peaks.size()),
        static_cast<int>(times.size())};
}

Calibration CalibrationTable::of(const QString& cluster, const QString& family, const QString& stack) const
{
    QList<MeasuredRun> same;
    for (const MeasuredRun& run : runs) {
        if (run.cluster == cluster && run.family == family && run.stack == stack)
            same.append(run);
    }
    return calibrate(same);
}

StepEstimate calibrated(const StepEstimate& estimate, const Calibration& calibration)
{
    if (calibration.timeRuns == 0 || !(estimate.seconds > 0))
        return estimate;
    const double scale = calibration.timeScale;
    const double half = narrowed(estimate.highSeconds / estimate.seconds - 1, calibration.timeRuns, timePrior);
    StepEstimate step = estimate;
    for (double* part : {&step.parts.compute, &step.parts.communication, &step.parts.bubble, &step.parts.other})
        *part *= scale;
    step.seconds *= scale;
    step.lowSeconds = step.seconds / (1 + half);
    step.highSeconds = step.seconds * (1 + half);
    for (double* rate : {&step.tokensPerSecondPerGpu, &step.teraflopsPerGpu, &step.mfu})
        *rate /= scale;
    return step;
}

MemoryEstimate calibrated(const MemoryEstimate& estimate, const Calibration& calibration)
{
    if (calibration.memoryRuns == 0 || !(estimate.totalBytes > 0))
        return estimate;
    // Weights, gradients and optimiser states are counted exactly: what a measurement corrects is the rest, if that
    // can take it all.
    MemoryEstimate memory = estimate;
    const double states = memory.parts.weights + memory.parts.gradients + memory.parts.optimizer;
    const double rest = estimate.totalBytes - states;
    const double total = estimate.totalBytes * calibration.memoryScale;
    const double factor = rest > 0 ? (total - states) / rest : 0.0;
    const bool inRest = factor > 0.25 && factor < 4;
    const double stateFactor = inRest ? 1.0 : calibration.memoryScale;
    const double restFactor = inRest ? factor : calibration.memoryScale;
    for (double* part : {&memory.parts.weights, &memory.parts.gradients, &memory.parts.optimizer})
        *part *= stateFactor;
    for (double* part : {&memory.parts.activations, &memory.parts.temporary, &memory.parts.overhead})
        *part *= restFactor;
    memory.totalBytes = total;
    const double below
        = narrowed(estimate.totalBytes / std::max(estimate.lowBytes, 1.0) - 1, calibration.memoryRuns, memoryPrior);
    const double above = narrowed(estimate.highBytes / estimate.totalBytes - 1, calibration.memoryRuns, memoryPrior);
    memory.lowBytes = total / (1 + below);
    memory.highBytes = total * (1 + above);
    memory.verdict = fitVerdict(total, memory.usableBytes);
    return memory;
}

} // namespace rankwright
