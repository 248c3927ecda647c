// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/runmeter.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr std::size_t mostMarks = 512;
constexpr qint64 fewestSteps = 5; // fewer say more about the log's rhythm than about the training's

} // namespace

void RunMeter::take(const NodeTick& tick)
{
    for (const GpuSample& gpu : tick.gpus)
        m_peak = std::max(m_peak, gpu.memoryUsedBytes.value_or(-1));
}

void RunMeter::take(const TrainingProgress& progress, qint64 nowMs)
{
    if (!progress.step)
        return;
    qint64 step = *progress.step + m_epochBase;
    if (step < m_lastStep && progress.stepWithinEpoch) {
        m_epochBase = m_lastStep; // a new epoch counts from the start again
        step = *progress.step + m_epochBase;
    }
    if (step <= m_lastStep)
        return;
    m_lastStep = step;
    m_marks.push_back({step, nowMs});
    if (m_marks.size() < mostMarks)
        return;
    for (std::size_t i = 0; i < mostMarks / 2; ++i)
        m_marks[i] = m_marks[2 * i + 1];
    m_marks.resize(mostMarks / 2);
}

std::optional<double> RunMeter::peakBytes() const { return m_peak < 0 ? std::nullopt : std::optional(double(m_peak)); }

std::optional<double> RunMeter::stepSeconds() const
{
    if (m_marks.size() < 3)
        return std::nullopt;
    const std::size_t from = m_marks.size() / 2;
    if (m_marks.back().step - m_marks[from - 1].step < fewestSteps)
        return std::nullopt;
    std::vector<double> seconds;
    for (std::size_t i = from; i < m_marks.size(); ++i) {
        const double steps = double(m_marks[i].step - m_marks[i - 1].step);
        seconds.push_back(double(m_marks[i].ms - m_marks[i - 1].ms) / 1000 / steps);
    }
    std::nth_element(seconds.begin(), seconds.begin() + std::ptrdiff_t(seconds.size() / 2), seconds.end());
    return seconds[seconds.size() / 2];
}

} // namespace rankwright
