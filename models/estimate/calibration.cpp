// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/estimate/calibration.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

// How much n runs weigh against none: n / (n + k), k = (scatter of runs of one kind / scatter between kinds)^2. Runs of
// one kind scatter by 8 % (time) and 5 % (peaks) around a common factor; how far that factor is from 1 is what the band
// says beyond it: wide for a stack never seen, narrow for one with many published runs.
constexpr double timeScatter = 0.08;
constexpr double memoryScatter = 0.05;
constexpr double usualSpread = 0.35; // of a prediction that did not keep its band
constexpr double normal90 = 1.645; // nine of ten lie within so many standard deviations

double priorOf(QList<double> spreads, double scatter)
{
    if (spreads.isEmpty())
        return 0;
    std::sort(spreads.begin(), spreads.end());
    const double spread = spreads.at(spreads.size() / 2);
    const double whole = std::log1p(spread > 0 && std::isfinite(spread) ? spread : usualSpread) / normal90;
    const double between = whole * whole - scatter * scatter;
    return scatter * scatter / std::max(between, 0.1 * scatter * scatter);
}

// Beyond this a measurement belongs to another job (or unit) rather than to the model.
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

/// The median: one outlier among several runs changes nothing.
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

/// A band after n runs: what the runs of one kind scatter, and what n runs leave open of their common factor.
double narrowed(double half, int runs, double scatter)
{
    const double left = normal90 * scatter * std::sqrt(1 + 1.0 / std::max(1, runs));
    return std::min(half, std::expm1(left));
}

} // namespace

Calibration calibrate(const QList<MeasuredRun>& runs)
{
    QList<double> times, timeSpreads;
    QList<double> peaks, peakSpreads;
    for (const MeasuredRun& run : runs) {
        if (const auto time = logRatio(run.predictedSeconds, run.measuredSeconds)) {
            times.append(*time);
            timeSpreads.append(run.timeSpread);
        }
        if (const auto peak = logRatio(run.predictedBytes, run.measuredBytes)) {
            peaks.append(*peak);
            peakSpreads.append(run.memorySpread);
        }
    }
    return {scaleOf(peaks, priorOf(peakSpreads, memoryScatter)), scaleOf(times, priorOf(timeSpreads, timeScatter)),
        static_cast<int>(peaks.size()), static_cast<int>(times.size())};
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
    const double half = narrowed(estimate.highSeconds / estimate.seconds - 1, calibration.timeRuns, timeScatter);
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
        = narrowed(estimate.totalBytes / std::max(estimate.lowBytes, 1.0) - 1, calibration.memoryRuns, memoryScatter);
    const double above = narrowed(estimate.highBytes / estimate.totalBytes - 1, calibration.memoryRuns, memoryScatter);
    memory.lowBytes = total / (1 + below);
    memory.highBytes = total * (1 + above);
    memory.verdict = fitVerdict(total, memory.usableBytes);
    return memory;
}

} // namespace rankwright
