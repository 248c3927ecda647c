// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/gpuvalue.h"

#include "models/core/quantitytext.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 wholeRingMs = 86'400'000; // more than any ring holds

GpuAddress sourceOf(const TelemetrySeries& series, GpuAddress gpu, Measure measure, int gpusPerPackage)
{
    return measure == Measure::Power ? powerDie(series, gpu, gpusPerPackage) : gpu;
}

} // namespace

GpuAddress powerDie(const TelemetrySeries& series, GpuAddress gpu, int gpusPerPackage)
{
    const int dies = std::max(1, gpusPerPackage);
    const int first = gpu.gpu / dies * dies;
    for (int die = first; dies > 1 && die < std::min(first + dies, series.gpusOf(gpu.node)); ++die) {
        const GpuSample* sample = series.latest({gpu.node, die});
        if (sample && sample->powerWatts)
            return {gpu.node, die};
    }
    return gpu;
}

GpuValue valueAt(const TelemetrySeries& series, GpuAddress gpu, Measure measure, qint64 atMs, int gpusPerPackage)
{
    const GpuAddress source = sourceOf(series, gpu, measure, gpusPerPackage);
    const GpuSample* sample = series.latest(source);
    GpuValue answer;
    if (!sample)
        return answer;
    if (series.latestArrival(source) <= atMs) {
        answer.value = TelemetrySeries::value(*sample, measure);
        answer.takenMs = series.latestArrival(source);
    } else {
        const QList<TelemetrySeries::Point> before = series.window(source, atMs, wholeRingMs);
        if (before.isEmpty())
            return answer;
        const float value = before.last().of(measure);
        answer.value = std::isnan(value) ? std::nullopt : std::optional(double(value));
        answer.takenMs = before.last().arrivedMs;
    }
    answer.ageMs = atMs - answer.takenMs;
    answer.stale = answer.ageMs > series.freshForMs();
    return answer;
}

std::optional<double> valueIn(const NodeTick& tick, int gpu, Measure measure, int gpusPerPackage)
{
    const int dies = measure == Measure::Power ? std::max(1, gpusPerPackage) : 1;
    std::optional<double> value;
    for (const GpuSample& sample : tick.gpus) {
        if (sample.index / dies == gpu / dies && !value) // power: whichever die reports it
            value = TelemetrySeries::value(sample, measure);
    }
    return value;
}

GpuValue meanUntil(
    const TelemetrySeries& series, GpuAddress gpu, Measure measure, qint64 atMs, qint64 spanMs, int gpusPerPackage)
{
    const GpuAddress source = sourceOf(series, gpu, measure, gpusPerPackage);
    GpuValue answer = valueAt(series, gpu, measure, atMs, gpusPerPackage);
    answer.value = series.mean(source, measure, atMs, spanMs);
    answer.spanMs = spanMs;
    return answer;
}

GpuValue nodeValueAt(const TelemetrySeries& series, int node, Measure measure, qint64 atMs, int gpusPerPackage)
{
    const int step = measure == Measure::Power ? std::max(1, gpusPerPackage) : 1;
    GpuValue fresh;
    GpuValue all;
    fresh.gpus = all.gpus = 0;
    const auto add = [](GpuValue& sum, const GpuValue& one) {
        sum.value = sum.value.value_or(0) + *one.value;
        sum.takenMs = sum.gpus == 0 ? one.takenMs : std::min(sum.takenMs, one.takenMs);
        sum.ageMs = std::max(sum.ageMs, one.ageMs);
        sum.stale = sum.stale || one.stale;
        ++sum.gpus;
    };
    for (int gpu = 0; gpu < series.gpusOf(node); gpu += step) {
        const GpuValue one = valueAt(series, {node, gpu}, measure, atMs, gpusPerPackage);
        if (!one.value)
            continue;
        add(all, one);
        if (!one.stale)
            add(fresh, one);
    }
    GpuValue mean = fresh.gpus > 0 ? fresh : all;
    if (mean.gpus > 0)
        mean.value = *mean.value / mean.gpus;
    return mean;
}

QString howMade(const GpuValue& value, const QString& gpuWord)
{
    if (!value.value)
        return {};
    if (value.gpus > 1)
        return u"mean of %1"_s.arg(counted(value.gpus, gpuWord));
    if (value.spanMs > 0)
        return u"mean of %1 s"_s.arg(double(value.spanMs) / 1000, 0, 'g', 3);
    return {};
}

} // namespace rankwright::inline insight
