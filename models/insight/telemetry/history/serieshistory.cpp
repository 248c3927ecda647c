// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/serieshistory.h"

#include "models/core/units.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace rankwright::inline insight {

namespace {

constexpr qint64 longAgoMs = 86'400'000; // more than any ring holds
constexpr qsizetype fewNodes = 16; // all are sampled together

std::optional<double> reported(float value) { return std::isnan(value) ? std::nullopt : std::optional(double(value)); }

GpuSample sampleOf(int gpu, const TelemetrySeries::Point& point)
{
    GpuSample sample;
    sample.index = gpu;
    sample.utilizationPercent = reported(point.of(Measure::Utilization));
    if (const auto gib = reported(point.of(Measure::Memory)))
        sample.memoryUsedBytes = qint64(*gib * bytesPerGib);
    sample.powerWatts = reported(point.of(Measure::Power));
    sample.temperatureCelsius = reported(point.of(Measure::Temperature));
    sample.clockMhz = reported(point.of(Measure::Clock));
    if (const auto count = reported(point.of(Measure::Processes)))
        sample.processes = int(*count);
    return sample;
}

} // namespace

SeriesHistory::SeriesHistory(const TelemetrySeries& series, std::function<qint64()> nowMs)
    : m_series(series), m_nowMs(std::move(nowMs))
{ }

QStringList SeriesHistory::nodes() const { return m_series.nodes(); }

int SeriesHistory::gpusPerNode() const
{
    int widest = 0;
    for (int node = 0; node < m_series.nodes().size(); ++node)
        widest = std::max(widest, m_series.gpusOf(node));
    return widest;
}

QList<TelemetrySeries::Point> SeriesHistory::points(GpuAddress gpu) const
{
    return m_series.window(gpu, m_nowMs(), longAgoMs);
}

TimeSpan SeriesHistory::span() const
{
    // The first GPUs of a few say how far back the buffers reach.
    TimeSpan span;
    const qsizetype step = std::max<qsizetype>(1, m_series.nodes().size() / fewNodes);
    for (qsizetype node = 0; node < m_series.nodes().size(); node += step) {
        const QList<TelemetrySeries::Point> held = points({int(node), 0});
        if (held.isEmpty())
            continue;
        span.fromMs = span.fromMs == 0 ? held.first().arrivedMs : std::min(span.fromMs, held.first().arrivedMs);
        span.toMs = std::max(span.toMs, held.last().arrivedMs + 1);
    }
    return span;
}

QList<NodeTick> SeriesHistory::frameAt(qint64 ms, qint64 maxAgeMs) const
{
    QList<NodeTick> frame;
    for (int node = 0; node < m_series.nodes().size(); ++node) {
        NodeTick tick{m_series.nodes().at(node), 0, {}};
        for (int gpu = 0; gpu < m_series.gpusOf(node); ++gpu) {
            const QList<TelemetrySeries::Point> near = m_series.window({node, gpu}, ms, maxAgeMs);
            if (near.isEmpty())
                continue;
            tick.takenMs = std::max(tick.takenMs, near.last().arrivedMs);
            tick.gpus.append(sampleOf(gpu, near.last()));
        }
        if (!tick.gpus.isEmpty())
            frame.append(tick);
    }
    return frame;
}

QList<HistoryBucket> SeriesHistory::buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const
{
    QList<HistoryBucket> buckets;
    for (int place = 0; place < count && span.length() > 0; ++place)
        buckets.append(
            {{span.fromMs + span.length() * place / count, span.fromMs + span.length() * (place + 1) / count}, 0, 0, 0,
                0});
    for (const TelemetrySeries::Point& point : points(gpu)) {
        const float value = point.of(measure);
        if (std::isnan(value) || point.arrivedMs < span.fromMs || point.arrivedMs >= span.toMs || buckets.isEmpty())
            continue;
        HistoryBucket& into = buckets[std::min((point.arrivedMs - span.fromMs) * count / span.length(), count - 1LL)];
        into.least = into.samples == 0 ? value : std::min(into.least, value);
        into.most = into.samples == 0 ? value : std::max(into.most, value);
        into.mean = (into.mean * float(into.samples) + value) / float(into.samples + 1);
        ++into.samples;
    }
    return buckets;
}

QList<TimeSpan> SeriesHistory::gaps(qint64 longerThanMs) const
{
    std::vector<qint64> moments;
    const qsizetype step = std::max<qsizetype>(1, m_series.nodes().size() / fewNodes);
    for (qsizetype node = 0; node < m_series.nodes().size(); node += step) {
        for (const TelemetrySeries::Point& point : points({int(node), 0}))
            moments.push_back(point.arrivedMs);
    }
    std::sort(moments.begin(), moments.end());
    QList<TimeSpan> gaps;
    for (std::size_t place = 1; place < moments.size(); ++place) {
        if (moments[place] - moments[place - 1] > longerThanMs)
            gaps.append({moments[place - 1], moments[place]});
    }
    return gaps;
}

void SeriesHistory::forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const
{
    for (int node = 0; node < m_series.nodes().size(); ++node) {
        std::map<qint64, NodeTick> ticks;
        for (int gpu = 0; gpu < m_series.gpusOf(node); ++gpu) {
            for (const TelemetrySeries::Point& point : m_series.window({node, gpu}, span.toMs - 1, span.length() - 1)) {
                NodeTick& tick = ticks[point.arrivedMs];
                tick.node = m_series.nodes().at(node);
                tick.takenMs = point.arrivedMs;
                tick.gpus.append(sampleOf(gpu, point));
            }
        }
        for (const auto& [ms, tick] : ticks)
            take(tick);
    }
}

} // namespace rankwright::inline insight
