// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/telemetryseries.h"

#include "models/core/units.h"

#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr quint16 notReported = 0xffff;
constexpr quint8 notReportedSmall = 0xff;
constexpr quint8 noSample = 0xfe; ///< in place of the processes: this GPU has no point at this moment
constexpr double utilizationStep = 0.01;
constexpr double memoryStep = 8.0 / 1024; ///< GiB
constexpr double powerStep = 0.2;
constexpr double temperatureStep = 0.5;

template <typename T>
T quantised(const std::optional<double>& value, double step, T most, T none)
{
    return value ? static_cast<T>(std::clamp(std::round(*value / step), 0.0, double(most))) : none;
}

float restored(quint16 cell, double step)
{
    return cell == notReported ? TelemetrySeries::unknown : static_cast<float>(cell * step);
}

bool isKept(const GpuSample& gpu) { return gpu.index >= 0 && gpu.index < TelemetrySeries::maxGpusPerNode; }

} // namespace

TelemetrySeries::TelemetrySeries(int capacity, qint64 staleAfterMs)
    : m_capacity(qMax(1, capacity)), m_staleAfterMs(staleAfterMs)
{ }

TelemetrySeries::Cell TelemetrySeries::packed(const GpuSample& gpu)
{
    Cell cell{};
    cell.utilization = quantised<quint16>(gpu.utilizationPercent, utilizationStep, notReported - 1, notReported);
    cell.memory = quantised<quint16>(value(gpu, Measure::Memory), memoryStep, notReported - 1, notReported);
    cell.power = quantised<quint16>(gpu.powerWatts, powerStep, notReported - 1, notReported);
    cell.clock = quantised<quint16>(gpu.clockMhz, 1, notReported - 1, notReported);
    cell.temperature = quantised<quint8>(gpu.temperatureCelsius, temperatureStep, noSample - 1, notReportedSmall);
    cell.processes = quantised<quint8>(value(gpu, Measure::Processes), 1, noSample - 1, notReportedSmall);
    return cell;
}

TelemetrySeries::Point TelemetrySeries::unpacked(const Moment& moment, const Cell& cell)
{
    const auto small = [](quint8 reported, double step) {
        return reported == notReportedSmall ? unknown : static_cast<float>(reported * step);
    };
    return {moment.arrivedMs, moment.takenMs != 0 ? std::optional(moment.takenMs) : std::nullopt,
        restored(cell.utilization, utilizationStep), restored(cell.memory, memoryStep), restored(cell.power, powerStep),
        small(cell.temperature, temperatureStep), restored(cell.clock, 1), small(cell.processes, 1)};
}

bool TelemetrySeries::isAbsent(const Cell& cell) { return cell.processes == noSample; }

void TelemetrySeries::setShape(const QStringList& nodes, int gpusPerNode)
{
    m_nodes.clear();
    m_rows.clear();
    m_rings.clear();
    const auto width = static_cast<std::size_t>(qBound(0, gpusPerNode, maxGpusPerNode));
    for (const QString& node : nodes) {
        if (m_rows.contains(node) || m_nodes.size() >= maxNodes)
            continue;
        m_rows.insert(node, int(m_nodes.size()));
        m_nodes.append(node);
        m_rings.emplace_back().latest.resize(width);
    }
}

bool TelemetrySeries::accepts(const NodeTick& tick) const
{
    if (tick.node.isEmpty() || (!m_rows.contains(tick.node) && m_nodes.size() >= maxNodes))
        return false;
    return std::any_of(tick.gpus.cbegin(), tick.gpus.cend(), isKept);
}

void TelemetrySeries::widen(Ring& ring, std::size_t width)
{
    const std::size_t before = ring.latest.size();
    if (width <= before)
        return;
    Cell absent{};
    absent.processes = noSample;
    std::vector<Cell> cells(ring.moments.size() * width, absent);
    for (std::size_t slot = 0; slot < ring.moments.size(); ++slot)
        std::copy_n(ring.cells.begin() + qptrdiff(slot * before), before, cells.begin() + qptrdiff(slot * width));
    ring.cells = std::move(cells);
    ring.latest.resize(width);
}

/// Where the tick's cells go: a node with many GPUs reports one moment in several lines.
int TelemetrySeries::slotFor(Ring& ring, const NodeTick& tick, qint64 arrivedMs) const
{
    const std::size_t width = ring.latest.size();
    if (!ring.moments.empty()) {
        const std::size_t newest = slotBack(ring, 0);
        const bool same = ring.moments[newest].takenMs == tick.takenMs
            && (tick.takenMs != 0 || ring.moments[newest].arrivedMs == arrivedMs);
        if (same && std::all_of(tick.gpus.cbegin(), tick.gpus.cend(), [&](const GpuSample& gpu) {
                return !isKept(gpu) || isAbsent(ring.cells[newest * width + static_cast<std::size_t>(gpu.index)]);
            }))
            return int(newest);
    }
    const int slot = ring.next;
    if (ring.moments.size() < static_cast<std::size_t>(m_capacity)) {
        if (ring.moments.size() == ring.moments.capacity()) { // not twice what is ever needed
            static constexpr std::size_t first = 64;
            const std::size_t room
                = std::clamp(2 * ring.moments.size(), first, std::max(first, static_cast<std::size_t>(m_capacity)));
            ring.moments.reserve(room);
            ring.cells.reserve(room * width);
        }
        ring.moments.push_back({});
        ring.cells.resize(ring.moments.size() * width);
    }
    const auto at = static_cast<std::size_t>(slot);
    ring.moments[at] = {arrivedMs, tick.takenMs};
    for (std::size_t gpu = 0; gpu < width; ++gpu)
        ring.cells[at * width + gpu].processes = noSample;
    ring.next = (slot + 1) % m_capacity;
    return slot;
}

std::size_t TelemetrySeries::slotBack(const Ring& ring, int back)
{
    const int count = int(ring.moments.size());
    return static_cast<std::size_t>(((ring.next - 1 - back) % count + count) % count);
}

QList<GpuAddress> TelemetrySeries::store(const NodeTick& tick, qint64 arrivedMs)
{
    QList<GpuAddress> changed;
    if (!accepts(tick))
        return changed;
    if (!m_rows.contains(tick.node)) {
        m_rows.insert(tick.node, int(m_nodes.size()));
        m_nodes.append(tick.node);
        m_rings.emplace_back();
    }
    const int row = m_rows.value(tick.node);
    Ring& ring = m_rings[static_cast<std::size_t>(row)];
    for (const GpuSample& gpu : tick.gpus) {
        if (isKept(gpu))
            widen(ring, static_cast<std::size_t>(gpu.index) + 1);
    }
    const auto slot = static_cast<std::size_t>(slotFor(ring, tick, arrivedMs));
    changed.reserve(tick.gpus.size());
    for (const GpuSample& gpu : tick.gpus) {
        if (!isKept(gpu))
            continue;
        const auto column = static_cast<std::size_t>(gpu.index);
        ring.latest[column] = {gpu, arrivedMs, true};
        ring.cells[slot * ring.latest.size() + column] = packed(gpu);
        changed.append({row, gpu.index});
    }
    return changed;
}

int TelemetrySeries::gpusOf(int node) const
{
    return node >= 0 && node < m_nodes.size() ? int(m_rings[static_cast<std::size_t>(node)].latest.size()) : 0;
}

const TelemetrySeries::Ring* TelemetrySeries::ring(GpuAddress address) const
{
    const bool inside = address.gpu >= 0 && address.gpu < gpusOf(address.node);
    return inside ? &m_rings[static_cast<std::size_t>(address.node)] : nullptr;
}

const TelemetrySeries::Latest* TelemetrySeries::latestOf(GpuAddress address) const
{
    const Ring* found = ring(address);
    if (!found || !found->latest[static_cast<std::size_t>(address.gpu)].any)
        return nullptr;
    return &found->latest[static_cast<std::size_t>(address.gpu)];
}

const GpuSample* TelemetrySeries::latest(GpuAddress address) const
{
    const Latest* found = latestOf(address);
    return found ? &found->sample : nullptr;
}

qint64 TelemetrySeries::latestArrival(GpuAddress address) const
{
    const Latest* found = latestOf(address);
    return found ? found->arrivedMs : 0;
}

bool TelemetrySeries::isStale(GpuAddress address, qint64 nowMs) const
{
    const Latest* found = latestOf(address);
    return found && nowMs - found->arrivedMs > m_staleAfterMs;
}

QList<TelemetrySeries::Point> TelemetrySeries::window(GpuAddress address, qint64 nowMs, qint64 windowMs) const
{
    QList<Point> points;
    const Ring* found = ring(address);
    if (!found)
        return points;
    const std::size_t width = found->latest.size();
    for (int back = int(found->moments.size()) - 1; back >= 0; --back) { // oldest first
        const std::size_t slot = slotBack(*found, back);
        const Moment& moment = found->moments[slot];
        const Cell& cell = found->cells[slot * width + static_cast<std::size_t>(address.gpu)];
        if (moment.arrivedMs >= nowMs - windowMs && moment.arrivedMs <= nowMs && !isAbsent(cell))
            points.append(unpacked(moment, cell));
    }
    return points;
}

std::optional<double> TelemetrySeries::mean(
    GpuAddress address, Measure measure, qint64 nowMs, qint64 windowMs, int atLeast) const
{
    const Ring* found = ring(address);
    double sum = 0;
    int count = 0;
    for (int back = 0; found && back < int(found->moments.size()); ++back) {
        const std::size_t slot = slotBack(*found, back);
        const Moment& moment = found->moments[slot];
        if (moment.arrivedMs < nowMs - windowMs)
            break;
        const Cell& cell = found->cells[slot * found->latest.size() + static_cast<std::size_t>(address.gpu)];
        const float value = isAbsent(cell) ? unknown : unpacked(moment, cell).of(measure);
        if (moment.arrivedMs <= nowMs && !std::isnan(value)) {
            sum += double(value);
            ++count;
        }
    }
    return count > 0 && count >= atLeast ? std::optional(sum / count) : std::nullopt;
}

double TelemetrySeries::coverage(GpuAddress address, qint64 fromMs, qint64 toMs) const
{
    const Ring* found = ring(address);
    if (!found || found->moments.empty())
        return 0;
    qint64 from = fromMs;
    if (int(found->moments.size()) == m_capacity) { // older points were overwritten
        const qint64 oldest = found->moments[static_cast<std::size_t>(found->next)].arrivedMs;
        if (oldest > from)
            from += (oldest - from) / 1000 * 1000;
    }
    const qint64 seconds = (toMs - from) / 1000;
    if (seconds <= 0)
        return 0;
    QSet<qint64> seen;
    for (std::size_t slot = 0; slot < found->moments.size(); ++slot) {
        const qint64 arrived = found->moments[slot].arrivedMs;
        const qint64 second = (arrived - from) / 1000;
        const bool absent = isAbsent(found->cells[slot * found->latest.size() + static_cast<std::size_t>(address.gpu)]);
        if (arrived >= from && second < seconds && !absent)
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

} // namespace rankwright::inline insight
