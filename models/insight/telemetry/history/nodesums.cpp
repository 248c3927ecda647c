// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/nodesums.h"

#include "models/insight/telemetry/telemetryseries.h"

namespace rankwright::inline insight {

std::optional<NodeSums> NodeSums::of(const QList<NodeTick>& ticks)
{
    if (ticks.isEmpty())
        return {};
    NodeSums sums;
    sums.first = ticks.first();
    sums.last = ticks.last();
    for (qsizetype i = 0; i + 1 < ticks.size(); ++i) {
        const NodeTick& tick = ticks.at(i);
        const qint64 ms = ticks.at(i + 1).takenMs - tick.takenMs;
        if (ms <= 0 || ms > furthestApartMs)
            return {};
        sums.count(tick, ms, &ticks.at(i + 1), sums.place(tick.takenMs), sums.place(tick.takenMs));
    }
    return sums;
}

void NodeSums::count(const NodeTick& tick, qint64 ms, const NodeTick* next, std::size_t part, std::size_t gpuPart)
{
    if (parts.size() <= part)
        parts.resize(part + 1);
    StartSums& all = parts[part];
    for (qsizetype i = 0; i < tick.gpus.size(); ++i) {
        const GpuSample& sample = tick.gpus.at(i);
        if (sample.index < 0 || sample.index >= TelemetrySeries::maxGpusPerNode)
            continue;
        const auto index = std::size_t(sample.index);
        if (gpus.size() <= index)
            gpus.resize(index + 1);
        GpuSums& gpu = gpus[index];
        const qint64 useBefore = gpu.useSum, useMsBefore = gpu.useMs, limitBefore = gpu.limitMs;
        const bool pair = next && i < next->gpus.size() && next->gpus.at(i).index == sample.index;
        gpu.count(sample, pair ? &next->gpus.at(i) : nullptr, ms, gpuPart);
        all.seenMs += ms;
        all.useSum += gpu.useSum - useBefore;
        all.useMs += gpu.useMs - useMsBefore;
        all.limitMs += gpu.limitMs - limitBefore;
        if (sample.utilizationPercent && *sample.utilizationPercent >= GpuSums::idleBelowPercent) {
            firstWorkMs = qMin(firstWorkMs.value_or(tick.takenMs), tick.takenMs);
            lastWorkMs = qMax(lastWorkMs.value_or(tick.takenMs), tick.takenMs);
        }
    }
}

bool NodeSums::append(const NodeSums& later)
{
    const qint64 apart = later.first.takenMs - last.takenMs;
    if (apart <= 0 || apart > furthestApartMs)
        return false;
    count(last, apart, &later.first, place(last.takenMs), place(last.takenMs));
    later.addTo(gpus, [this](qint64 ms) { return std::size_t(partOf(ms) - partOf(first.takenMs)); });
    const std::size_t offset = place(later.first.takenMs);
    if (!later.parts.empty() && parts.size() < offset + later.parts.size())
        parts.resize(offset + later.parts.size());
    for (std::size_t i = 0; i < later.parts.size(); ++i)
        parts[offset + i].add(later.parts[i]);
    if (later.firstWorkMs)
        firstWorkMs = qMin(firstWorkMs.value_or(*later.firstWorkMs), *later.firstWorkMs);
    if (later.lastWorkMs)
        lastWorkMs = qMax(lastWorkMs.value_or(*later.lastWorkMs), *later.lastWorkMs);
    last = later.last;
    return true;
}

} // namespace rankwright::inline insight
