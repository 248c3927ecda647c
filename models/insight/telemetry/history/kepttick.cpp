// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/kepttick.h"

#include "models/insight/telemetry/telemetryseries.h"

#include <algorithm>

namespace rankwright::inline insight {

namespace {

constexpr qint64 year2000 = 946'684'800'000;
constexpr qint64 year2100 = 4'102'444'800'000;

bool has(const NodeTick& tick, int index)
{
    return std::any_of(
        tick.gpus.cbegin(), tick.gpus.cend(), [index](const GpuSample& gpu) { return gpu.index == index; });
}

} // namespace

bool isPlausibleTime(qint64 ms) { return ms >= year2000 && ms < year2100; }

std::optional<NodeTick> keptTick(const NodeTick& tick, qint64 arrivedMs)
{
    NodeTick kept{tick.node, isPlausibleTime(tick.takenMs) ? tick.takenMs : arrivedMs, {}};
    if (kept.node.isEmpty() || !isPlausibleTime(kept.takenMs))
        return std::nullopt;
    NodeTick whole = tick;
    whole.gpus.removeIf(
        [](const GpuSample& gpu) { return gpu.index < 0 || gpu.index >= TelemetrySeries::maxGpusPerNode; });
    if (!addGpus(kept, whole))
        return std::nullopt;
    return kept;
}

bool addGpus(NodeTick& tick, const NodeTick& more)
{
    bool added = false;
    for (const GpuSample& gpu : more.gpus) {
        if (has(tick, gpu.index))
            continue;
        tick.gpus.append(gpu);
        added = true;
    }
    return added;
}

} // namespace rankwright::inline insight
