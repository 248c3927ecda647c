// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/calibration.h"

#include "models/core/quantitytext.h"
#include "models/core/statistics.h"
#include "models/core/units.h"

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// How much n runs weigh against none: n / (n + k), k = (scatter of runs of one kind / scatter between kinds)^2. Runs of
// one kind scatter by 8 % (time) and 5 % (peaks) around a common factor; how far that factor is from 1 is what the band
// says beyond it: wide for a stack never seen, narrow for one with many published runs.
constexpr double timeScatter = 0.08;
constexpr double memoryScatter = 0.05;
constexpr double usualSpread = 0.35; // of a prediction that did not keep its band
constexpr double normal90 = 1.645; // standard deviations within which nine of ten lie

/// A spread of 0 is that of a prediction that did not keep its band.
double priorOf(QList<double> spreads, double scatter)
{
    if (spreads.isEmpty())
        return 0;
    const double spread = median(spreads);
    const double whole = std::log1p(spread > 0 && std::isfinite(spread) ? spread : usualSpread) / normal90;
    const double between = whole * whole - scatter * scatter;
    return scatter * scatter / std::max(between, 0.1 * scatter * scatter);
}

// Beyond this a measurement belongs to another job (or unit) rather than to the model.
constexpr double mostFactor = 4.0;
// What activations, temporaries and overhead together may be corrected by, either way.
constexpr double mostRest = 2.0;
// Highest share of the peak that a correction may lead to: published runs reach 0.64 (tests/data/planner/runs.csv).
constexpr double mostMfu = 0.70;
// Samples of the vendor tool and model shapes are rounded.
constexpr double rounding = 0.99;

/// Logarithm of measured / predicted; empty when one of them is not a usable number.
std::optional<double> logRatio(double predicted, std::optional<double> measured)
{
    if (!measured || !(predicted > 0) || !(*measured > 0) || !std::isfinite(predicted) || !std::isfinite(*measured))
        return std::nullopt;
    const double ratio = *measured / predicted;
    if (ratio > mostFactor || ratio < 1 / mostFactor)
        return std::nullopt;
    return std::log(ratio);
}

/// By the median: one outlier among several runs changes nothing.
double scaleOf(QList<double> logs, double prior)
{
    if (logs.isEmpty())
        return 1;
    const double runs = static_cast<double>(logs.size());
    return std::exp(median(logs) * runs / (runs + prior));
}

double statesOf(const MemoryParts& parts) { return parts.weights + parts.gradients + parts.optimizer; }

bool isFigure(std::optional<double> value) { return value && *value > 0 && std::isfinite(*value); }

} // namespace

QString contradiction(const MeasuredRun& run)
{
    if (isFigure(run.measuredBytes)) {
        const double peak = *run.measuredBytes;
        if (run.exactBytes && peak < *run.exactBytes * rounding)
            return u"its peak of %1 is less than weights, gradients and optimiser states of the design take (%2)"_s.arg(
                gibText(peak), gibText(*run.exactBytes));
        if (run.gpuBytes && peak * rounding > *run.gpuBytes)
            return u"its peak of %1 is more than the GPU has (%2)"_s.arg(gibText(peak), gibText(*run.gpuBytes));
        if (run.predictedBytes > 0 && peak > run.predictedBytes * mostFactor)
            return u"its peak of %1 is over four times what the design needs (%2)"_s.arg(
                gibText(peak), gibText(run.predictedBytes));
    }
    if (isFigure(run.measuredSeconds)) {
        const double seconds = *run.measuredSeconds;
        if (run.shortestSeconds && seconds < *run.shortestSeconds * rounding)
            return u"its step of %1 s is shorter than what the design's needs at the GPUs' peak (%2 s)"_s.arg(
                humanNumber(seconds, 3), humanNumber(*run.shortestSeconds, 3));
        if (run.predictedSeconds > 0 && seconds > run.predictedSeconds * mostFactor)
            return u"its step of %1 s is over four times as long as the design's (%2 s)"_s.arg(
                humanNumber(seconds, 3), humanNumber(run.predictedSeconds, 3));
    }
    return {};
}

Calibration calibrate(const QList<MeasuredRun>& runs)
{
    QList<double> times, timeSpreads;
    QList<double> peaks, peakSpreads;
    for (const MeasuredRun& run : runs) {
        if (!contradiction(run).isEmpty())
            continue;
        if (const auto time = logRatio(run.predictedSeconds, run.measuredSeconds)) {
            times.append(*time);
            timeSpreads.append(run.timeSpread.value_or(0));
        }
        if (!run.exactBytes || !run.measuredBytes)
            continue;
        const double rest = run.predictedBytes - *run.exactBytes;
        if (const auto peak = logRatio(rest, *run.measuredBytes - *run.exactBytes)) {
            peaks.append(*peak);
            peakSpreads.append(run.memorySpread.value_or(0) * run.predictedBytes / rest); // the states do not scatter
        }
    }
    return {scaleOf(peaks, priorOf(peakSpreads, memoryScatter)), scaleOf(times, priorOf(timeSpreads, timeScatter)),
        static_cast<int>(peaks.size()), static_cast<int>(times.size())};
}

Calibration CalibrationTable::of(const QString& cluster, const QString& family, const QString& stack) const
{
    QList<MeasuredRun> same;
    if (!used)
        return {};
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
    const double fastest = estimate.mfu / std::max(estimate.mfu, mostMfu);
    const double scale = std::max(calibration.timeScale, fastest);
    StepEstimate step = estimate;
    for (double* part : {&step.parts.compute, &step.parts.communication, &step.parts.bubble, &step.parts.other})
        *part *= scale;
    for (double* seconds : {&step.seconds, &step.lowSeconds, &step.highSeconds})
        *seconds *= scale;
    for (double* rate : {&step.tokensPerSecondPerGpu, &step.teraflopsPerGpu, &step.mfu})
        *rate /= scale;
    return step;
}

MemoryEstimate calibrated(const MemoryEstimate& estimate, const Calibration& calibration)
{
    if (calibration.memoryRuns == 0 || !(estimate.totalBytes > 0))
        return estimate;
    const double scale = std::clamp(calibration.restScale, 1 / mostRest, mostRest);
    const double states = statesOf(estimate.parts);
    const auto corrected = [&](double bytes) { return bytes > states ? states + (bytes - states) * scale : bytes; };
    MemoryEstimate memory = estimate;
    for (double* part : {&memory.parts.activations, &memory.parts.temporary, &memory.parts.overhead})
        *part *= scale;
    memory.totalBytes = corrected(estimate.totalBytes);
    const double change = memory.totalBytes / estimate.totalBytes;
    memory.lowBytes = std::max(std::min(states, memory.totalBytes), estimate.lowBytes * change);
    memory.highBytes = estimate.highBytes * change;
    memory.heldBytes = corrected(estimate.heldBytes);
    memory.verdict = fitVerdict(memory.heldBytes, memory.usableBytes);
    return memory;
}

} // namespace rankwright::inline planner
