// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/memoryhistory.h"

#include <functional>

/// Made-up curves of GPUs whose figures can be worked out by hand.
namespace rankwright::test {

inline constexpr qint64 startMs = 1'772'352'000'000; // 2026-03-01 08:00 UTC
inline constexpr qint64 gib = 1073741824;

inline GpuSample gpu(int index, std::optional<double> use, std::optional<double> watts = 300, double memoryGib = 40)
{
    GpuSample sample;
    sample.index = index;
    sample.utilizationPercent = use;
    sample.powerWatts = watts;
    sample.memoryUsedBytes = qint64(memoryGib * double(gib));
    sample.memoryTotalBytes = 64 * gib;
    return sample;
}

/// One node a second apart: `of(second)` gives its GPUs.
inline MemoryHistory curve(
    int seconds, const std::function<QList<GpuSample>(int)>& of, const QString& node = QStringLiteral("n1"))
{
    MemoryHistory history;
    for (int second = 0; second < seconds; ++second)
        history.store(NodeTick{node, startMs + second * 1000, of(second)});
    return history;
}

inline TimeSpan span(int seconds) { return {startMs, startMs + seconds * 1000}; }

} // namespace rankwright::test
