// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/telemetryseries.h"

#include <QSet>

#include <algorithm>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr double bytesPerGib = 1073741824.0;

float orNan(const std::optional<double>& value)
{
    return value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
}

bool isKept(const GpuSample& gpu) { return gpu.index >= 0 && gpu.index < TelemetrySeries::maxGpusPerNode; }

} // namespace

TelemetrySeries::TelemetrySeries(int capacity, qint64 staleAfterMs)
    : m_capacity(qMax(1, capacity)), m_staleAfterMs(staleAfterMs)
{ }

void TelemetrySeries::setShape(const QStringList& nodes, int gpusPerNode)
{
    m_nodes.clear();
    m_rows.clear();
    m_tracks.clear();
    const auto width = static_cast<std::size_t>(qBound(0, gpusPerNode, maxGpusPerNode));
    for (const QString& node : nodes) {
        if (m_rows.contains(node) || m_nodes.size() >= maxNodes)
            continue;
        m_rows.insert(node, int(m_nodes.size()));
        m_nodes.append(node);
        m_tracks.emplace_back(width);
    }
}

bool TelemetrySeries::accepts(const NodeTick& tick) const
{
    if (tick.node.isEmpty() || (!m_rows.contains(tick.node) && m_nodes.size() >= maxNodes))
        return false;
    return std::any_of(tick.gpus.cbegin(), tick.gpus.cend(), isKept);
}

QList<GpuAddress> TelemetrySeries::store(const NodeTick& tick, qint64 arrivedMs)
{
    QList<GpuAddress> changed;
    if (!accepts(tick))
        return changed;
    if (!m_rows.contains(tick.node)) {
        m_rows.insert(tick.node, int(m_nodes.size()));
        m_nodes.append(tick.node);
        m_tracks.emplace_back();
    }
    const int row = m_rows.value(tick.node);
    auto& tracks = m_tracks[static_cast<std::size_t>(row)];
    for (const GpuSample& gpu : tick.gpus) {
        if (!isKept(gpu))
            continue;
        const auto column = static_cast<std::size_t>(gpu.index);
        if (column >= tracks.size())
            tracks.resize(column + 1);
        Track& track = tracks[column];
        track.latest = gpu;
        track.latestArrival = arrivedMs;
        const Point point{arrivedMs, tick.takenMs, orNan(gpu.utilizationPercent), orNan(value(gpu, Measure::Memory)),
            orNan(gpu.powerWatts), orNan(gpu.temperatureCelsius), orNan(gpu.clockMhz),
            orNan(value(gpu, Measure::Processes))};
        if (track.filled < m_capacity) {
            track.ring.push_back(point);
            ++track.filled;
        } else {
            track.ring[static_cast<std::size_t>(track.next)] = point;
        }
        track.next = (track.next + 1) % m_capacity;
        changed.append({row, gpu.index});
    }
    return changed;
}

int TelemetrySeries::gpusOf(int node) const
{
    return node >= 0 && node < m_nodes.size() ? int(m_tracks[static_cast<std::size_t>(node)].size()) : 0;
}

const TelemetrySeries::Track* TelemetrySeries::track(GpuAddress address) const
{
    if (address.gpu < 0 || address.gpu >= gpusOf(address.node))
        return nullptr;
    return &m_tracks[static_cast<std::size_t>(address.node)][static_cast<std::size_t>(address.gpu)];
}

const GpuSample* TelemetrySeries::latest(GpuAddress address) const
{
    const Track* found = track(address);
    return found && found->filled > 0 ? &found->latest : nullptr;
}

qint64 TelemetrySeries::latestArrival(GpuAddress address) const
{
    const Track* found = track(address);
    return found ? found->latestArrival : 0;
}

bool TelemetrySeries::isStale(GpuAddress address, qint64 nowMs) const
{
    const Track* found = track(address);
    return found && found->filled > 0 && nowMs - found->latestArrival > m_staleAfterMs;
}

QList<TelemetrySeries::Point> TelemetrySeries::window(GpuAddress address, qint64 nowMs, qint64 windowMs) const
{
    QList<Point> points;
    const Track* found = track(address);
    if (!found)
        return points;
    // oldest first: behind the newest once the ring is full
    const int oldest = found->filled < m_capacity ? 0 : found->next;
    for (int i = 0; i < found->filled; ++i) {
        const Point& point = found->ring[static_cast<std::size_t>((oldest + i) % m_capacity)];
        if (point.arrivedMs >= nowMs - windowMs && point.arrivedMs <= nowMs)
            points.append(point);
    }
    return points;
}

std::optional<double> TelemetrySeries::mean(
    GpuAddress address, Measure measure, qint64 nowMs, qint64 windowMs, int atLeast) const
{
    const Track* found = track(address);
    double sum = 0;
    int count = 0;
    for (int i = 1; found && i <= found->filled; ++i) {
        const Point& point = found->ring[static_cast<std::size_t>((found->next - i + m_capacity) % m_capacity)];
        if (point.arrivedMs < nowMs - windowMs)
            break;
        const float value = point.of(measure);
        if (point.arrivedMs <= nowMs && !std::isnan(value)) {
            sum += double(value);
            ++count;
        }
    }
    return count > 0 && count >= atLeast ? std::optional(sum / count) : std::nullopt;
}

double TelemetrySeries::coverage(GpuAddress address, qint64 fromMs, qint64 toMs) const
{
    const Track* found = track(address);
    if (!found || found->filled == 0)
        return 0;
    qint64 from = fromMs;
    if (found->filled == m_capacity) { // older points were overwritten
        const qint64 oldest = found->ring[static_cast<std::size_t>(found->next)].arrivedMs;
        if (oldest > from)
            from += (oldest - from) / 1000 * 1000;
    }
    const qint64 seconds = (toMs - from) / 1000;
    if (seconds <= 0)
        return 0;
    QSet<qint64> seen;
    for (const Point& point : found->ring) {
        const qint64 second = (point.arrivedMs - from) / 1000;
        if (point.arrivedMs >= from && second < seconds)
            seen.insert(second);
    }
    return double(seen.size()) / double(seconds);
}

float TelemetrySeries::Point::of(Measure measure) const
{
    switch (measure) {
    case Measure::Utilization: return utilization;
    case Measure::Memory: return memoryGib;
    case Measure::Power: return power;
    case Measure::Temperature: return temperature;
    case Measure::Clock: return clock;
    case Measure::Processes: return processes;
    }
    return utilization;
}

std::optional<double> TelemetrySeries::value(const GpuSample& sample, Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return sample.utilizationPercent;
    case Measure::Memory:
        return sample.memoryUsedBytes ? std::optional<double>(double(*sample.memoryUsedBytes) / bytesPerGib)
                                      : std::nullopt;
    case Measure::Power: return sample.powerWatts;
    case Measure::Temperature: return sample.temperatureCelsius;
    case Measure::Clock: return sample.clockMhz;
    case Measure::Processes: return sample.processes ? std::optional<double>(*sample.processes) : std::nullopt;
    }
    return {};
}

QString toText(Measure measure)
{
    switch (measure) {
    case Measure::Utilization: return u"Utilisation"_s;
    case Measure::Memory: return u"Memory"_s;
    case Measure::Power: return u"Power"_s;
    case Measure::Temperature: return u"Temperature"_s;
    case Measure::Clock: return u"Clock"_s;
    case Measure::Processes: return u"Processes"_s;
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
    case Measure::Clock: return u"MHz"_s;
    case Measure::Processes: return {};
    }
    return {};
}

} // namespace rankwright
