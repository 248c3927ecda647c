// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/runmeter.h"

#include <algorithm>

namespace rankwright {

void RunMeter::addTick(const NodeTick& tick)
{
    for (const GpuSample& gpu : tick.gpus)
        m_peak = std::max(m_peak, gpu.memoryUsedBytes); // one that is not known is the least
}

void RunMeter::addProgress(const TrainingProgress& progress)
{
    if (progress.stepSeconds)
        m_stepSeconds = progress.stepSeconds;
}

std::optional<double> RunMeter::peakBytes() const { return m_peak ? std::optional(double(*m_peak)) : std::nullopt; }

} // namespace rankwright
