// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/runmeter.h"

#include <algorithm>

namespace rankwright {

void RunMeter::take(const NodeTick& tick)
{
    for (const GpuSample& gpu : tick.gpus)
        m_peak = std::max(m_peak, gpu.memoryUsedBytes.value_or(-1));
}

void RunMeter::take(const TrainingProgress& progress)
{
    if (progress.stepSeconds)
        m_stepSeconds = progress.stepSeconds;
}

std::optional<double> RunMeter::peakBytes() const { return m_peak < 0 ? std::nullopt : std::optional(double(m_peak)); }

} // namespace rankwright
