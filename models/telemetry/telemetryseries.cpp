// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/telemetryseries.h"

#include <QSet>

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

float orNan(const std::optional<double>& value)
{
    return value ? float(*value) : std::numeric_limits<float>::quiet_NaN();
}

TelemetrySeries::Point pointOf(const GpuSample& sample, qint64 arrivedMs, qint64 takenMs)
{
    return {arrivedMs,
            takenMs,
            orNan(sample.utilizationPercent),
            orNan(TelemetrySeries::value(sample, Measure::Memory)),
            orNan(sample.powerWatts),
            orNan(sample.temperatureCelsius)};
}

} // namespace

TelemetrySeries::TelemetrySeries(int capacity, qint64 staleAfterMs)
    : m_capacity(qMax(1, capacity)), m_staleAfterMs(staleAfterMs)
{
}

void TelemetrySeries::setShape(const QStringList& nodes, int gpusPerNode)
{
    m_nodes = nodes;
    m_rows.clear();
    m_tracks.assign(size_t(nodes.size()), std::vector<Track>(size_t(qMax(0, gpusPerNode))));
    for (int row = 0; row < nodes.size(); ++row)
        m_rows.insert(nodes.at(row), row);
}

QList<GpuAddress> TelemetrySeries::store(const NodeTick& tick, qint64 arrivedMs)
{
    int row = m_rows.value(tick.node, -1);
    if (row < 0) {
        row = int(m_nodes.size());
        m_nodes.append(tick.node);
        m_rows.insert(tick.node, row);
        m_tracks.emplace_back();
    }
    std::vector<Track>& tracks = m_tracks[size_t(row)];
    QList<GpuAddress> changed;
    for (const GpuSample& sample : tick.gpus) {
        // A broken line must not ask for a million GPUs: no node has more than 256.
        if (sample.index < 0 || sample.index >= 256)
            continue;
        if (size_t(sample.index) >= tracks.size())
            tracks.resize(size_t(sample.index) + 1);
        Track& track = tracks[size_t(sample.index)];
        if (track.ring.empty())
            track.ring.resize(size_t(m_capacity));
        track.latest = sample;
        track.latestArrival = arrivedMs;
        track.ring[size_t(track.next)] = pointOf(sample, arrivedMs, tick.takenMs);
        track.next = (track.next + 1) % m_capacity;
        track.filled = qMin(track.filled + 1, m_capacity);
        changed.append({row, sample.index});
    }
    return changed;
}

const TelemetrySeries::Track* TelemetrySeries::track(GpuAddress address) const
{
    if (address.node < 0 || size_t(address.node) >= m_tracks.size())
        return nullptr;
    const std::vector<Track>& tracks = m_tracks[size_t(address.node)];
    if (address.gpu < 0 || size_t(address.gpu) >= tracks.size())
        return nullptr;
    return &tracks[size_t(address.gpu)];
}

int TelemetrySeries::gpusOf(int node) const
{
    return node < 0 || size_t(node) >= m_tracks.size() ? 0 : int(m_tracks[size_t(node)].size());
}

const GpuSample* TelemetrySeries::latest(GpuAddress address) const
{
    const Track* found = track(address);
    return found && found->latestArrival > 0 ? &found->latest : nullptr;
}

qint64 TelemetrySeries::latestArrival(GpuAddress address) const
{
    const Track* found = track(address);
    return found ? found->latestArrival : 0;
}

bool TelemetrySeries::isStale(GpuAddress address, qint64 nowMs) const
{
    const qint64 arrival = latestArrival(address);
    return arrival > 0 && nowMs - arrival > m_staleAfterMs;
}

QList<TelemetrySeries::Point> TelemetrySeries::window(GpuAddress address, qint64 nowMs, qint64 windowMs) const
{
    QList<Point> points;
    const Track* found = track(address);
    if (!found)
        return points;
    for (int back = found->filled; back > 0; --back) {
        const Point& point = found->ring[size_t((found->next - back + m_capacity) % m_capacity)];
        if (point.arrivedMs >= nowMs - windowMs && point.arrivedMs <= nowMs)
            points.append(point);
    }
    return points;
}

double TelemetrySeries::coverage(GpuAddress address, qint64 fromMs, qint64 toMs) const
{
    const qint64 seconds = (toMs - fromMs) / 1000;
    const Track* found = track(address);
    if (seconds <= 0 || !found)
        return 0;
    QSet<qint64> seen;
    for (int back = found->filled; back > 0; --back) {
        const Point& point = found->ring[size_t((found->next - back + m_capacity) % m_capacity)];
        const qint64 second = (point.arrivedMs - fromMs) / 1000;
        if (point.arrivedMs >= fromMs && second < seconds)
            seen.insert(second);
    }
    return double(seen.size()) / double(seconds);
}

std::optional<double> TelemetrySeries::value(const GpuSample& sample, Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return sample.utilizationPercent;
    case Measure::Memory:
        if (!sample.memoryUsedBytes)
            return std::nullopt;
        return double(*sample.memoryUsedBytes) / 1073741824.0;
    case Measure::Power: return sample.powerWatts;
    case Measure::Temperature: return sample.temperatureCelsius;
    }
    return std::nullopt;
}

QString toText(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return u"Utilisation"_s;
    case Measure::Memory: return u"Memory"_s;
    case Measure::Power: return u"Power"_s;
    case Measure::Temperature: return u"Temperature"_s;
    }
    return {};
}

QString unitOf(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return u"%"_s;
    case Measure::Memory: return u"GiB"_s;
    case Measure::Power: return u"W"_s;
    case Measure::Temperature: return u"°C"_s;
    }
    return {};
}

} // namespace rankwright
