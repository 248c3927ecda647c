// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/gpuwindow.h"

#include "models/core/units.h"
#include "models/insight/telemetry/waitingpower.h"

#include <algorithm>

namespace rankwright::inline insight {

namespace {

constexpr float workUse = 20; // %
constexpr float idleUse = 5;
constexpr int workSamples = 3;
constexpr int weakWorkSamples = 8; // above idleUse
// Drivers keep some memory for themselves: 4 MiB to 600 MiB were seen on idle GPUs.
constexpr qint64 vacantBytes = qint64(bytesPerGib);
constexpr qint64 markEveryMs = 30'000;
constexpr float markRise = 0.002F; // of the memory
constexpr qint64 mostErrors = qint64(1) << 48;
constexpr float clockMemory = 0.8F; // share that a mean keeps from sample to sample

float orNotReported(const std::optional<double>& value) { return value ? float(*value) : notReported; }

} // namespace

void GpuWindow::addSample(const GpuSample& sample, qint64 ms)
{
    if (m_firstMs == 0)
        m_firstMs = ms;
    m_lastMs = ms;
    Point& point = m_ring[size_t(m_next)];
    point = {ms, orNotReported(sample.utilizationPercent), orNotReported(sample.powerWatts)};
    m_next = (m_next + 1) % int(m_ring.size());
    m_filled = std::min(m_filled + 1, int(m_ring.size()));
    m_secondary = sample.secondaryDie;
    m_processes = sample.processes;
    if (sample.powerCapWatts && *sample.powerCapWatts > 0)
        m_cap = float(*sample.powerCapWatts);
    if (isReported(point.use)) {
        m_reportsUse = true;
        m_busySamples += point.use > idleUse ? 1 : 0;
        m_workStreak = point.use >= workUse ? m_workStreak + 1 : 0;
        m_busyStreak = point.use > idleUse ? m_busyStreak + 1 : 0;
        if (m_firstWorkMs == 0 && (m_workStreak >= workSamples || m_busyStreak >= weakWorkSamples))
            m_firstWorkMs = ms;
        if (m_firstWorkMs > 0) {
            m_useSum += double(point.use);
            ++m_useCount;
        }
    }
    addMemory(sample, ms);
    addSpeed(sample, ms);
    addErrors(sample, ms);
    addActivity(sample);
}

void GpuWindow::addMemory(const GpuSample& sample, qint64 ms)
{
    if (!sample.memoryUsedBytes)
        return;
    m_used = *sample.memoryUsedBytes;
    if (sample.memoryTotalBytes)
        m_total = *sample.memoryTotalBytes;
    m_peak = std::max(m_peak, m_used);
    if (m_total <= 0 || ms - m_markMs < markEveryMs)
        return;
    m_markMs = ms;
    std::copy_backward(m_marks.begin(), m_marks.end() - 1, m_marks.end());
    m_marks[0] = float(double(m_peak) / double(m_total));
}

void GpuWindow::addSpeed(const GpuSample& sample, qint64 ms)
{
    m_temperature = orNotReported(sample.temperatureCelsius);
    if (sample.clockMhz && sample.utilizationPercent && double(*sample.utilizationPercent) >= fullUsePercent) {
        const auto clock = float(*sample.clockMhz);
        m_clock = isReported(m_clock) ? clockMemory * m_clock + (1 - clockMemory) * clock : clock;
    }
    m_throttle = sample.throttle;
    const bool slowed
        = sample.throttle && sample.throttle->testAnyFlags(Throttles(Throttle::Thermal) | Throttle::Hardware);
    if (!slowed)
        m_throttledSinceMs = 0;
    else if (m_throttledSinceMs == 0)
        m_throttledSinceMs = ms;
}

void GpuWindow::addErrors(const GpuSample& sample, qint64 ms)
{
    if (!sample.memoryErrors)
        return;
    // fewer than before: its driver was loaded again and counts from 0
    const qint64 rise = m_errorCount ? *sample.memoryErrors - *m_errorCount : 0;
    m_errorCount = sample.memoryErrors;
    if (rise <= 0)
        return;
    m_newErrors = std::min(m_newErrors + rise, mostErrors);
    if (m_errorsRoseMs == 0)
        m_errorsRoseMs = ms;
}

void GpuWindow::addActivity(const GpuSample& sample)
{
    if (sample.utilizationPercent.value_or(0) < fullUsePercent)
        return;
    const auto blend = [](std::optional<double>& mean, const std::optional<double>& now) {
        mean = mean && now ? std::optional(double(clockMemory) * *mean + (1 - double(clockMemory)) * *now) : now;
    };
    blend(m_activity.memory, sample.activity.memory);
    blend(m_activity.compute, sample.activity.compute);
    blend(m_activity.occupancy, sample.activity.occupancy);
    blend(m_activity.tensor, sample.activity.tensor);
}

GpuWindow::Recent GpuWindow::recent(qint64 fromMs) const
{
    Recent recent;
    float use = 0;
    float power = 0;
    int powers = 0;
    for (int back = 1; back <= m_filled; ++back) {
        const Point& point = m_ring[size_t((m_next - back + int(m_ring.size())) % int(m_ring.size()))];
        if (point.ms < fromMs)
            break;
        if (isReported(point.use)) {
            use += point.use;
            recent.leastUse = recent.samples == 0 ? point.use : std::min(recent.leastUse, point.use);
            recent.mostUse = recent.samples == 0 ? point.use : std::max(recent.mostUse, point.use);
            ++recent.samples;
        }
        if (isReported(point.power)) {
            power += point.power;
            ++powers;
        }
    }
    if (recent.samples > 0)
        recent.use = use / float(recent.samples);
    if (powers > 0)
        recent.power = power / float(powers);
    return recent;
}

std::optional<bool> GpuWindow::isVacant() const
{
    if (m_processes)
        return *m_processes == 0;
    if (m_used < 0)
        return std::nullopt;
    return m_used < vacantBytes;
}

bool GpuWindow::isMemoryGrowing() const
{
    if (m_marks.back() <= 0)
        return false;
    for (size_t mark = 0; mark + 1 < m_marks.size(); ++mark) {
        if (m_marks[mark] - m_marks[mark + 1] < markRise)
            return false;
    }
    return true;
}

} // namespace rankwright::inline insight
