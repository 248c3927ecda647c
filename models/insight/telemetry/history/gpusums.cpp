// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/gpusums.h"

#include "models/insight/telemetry/waitingpower.h"

#include <algorithm>

namespace rankwright::inline insight {

namespace {

constexpr double mostReading = 1e9; // of any tool, in any unit: what is beyond it is not a reading
constexpr double bytesPerMib = 1 << 20;

qint64 fixed(double value) { return qRound64(std::clamp(value, -mostReading, mostReading) * GpuSums::scale); }

template <typename Value>
void raiseTo(std::optional<Value>& most, const std::optional<Value>& other)
{
    if (other)
        most = std::max(*other, most.value_or(*other));
}

} // namespace

void GpuSums::Part::add(const Part& other)
{
    useSum += other.useSum;
    useMs += other.useMs;
    memorySum += other.memorySum;
    memoryMs += other.memoryMs;
    powerSum += other.powerSum;
    powerMs += other.powerMs;
    raiseTo(mostMemory, other.mostMemory);
}

GpuSums::Part& GpuSums::part(std::size_t number)
{
    if (parts.size() <= number)
        parts.resize(number + 1);
    return parts[number];
}

void GpuSums::count(const GpuSample& sample, const GpuSample* next, qint64 ms, std::size_t number)
{
    Part& bin = part(number);
    seenMs += ms;
    secondaryDie = secondaryDie || sample.secondaryDie;
    if (const auto use = sample.utilizationPercent) {
        const qint64 sum = fixed(*use) * ms;
        useSum += sum;
        useMs += ms;
        bin.useSum += sum;
        bin.useMs += ms;
        useShares[std::size_t(std::clamp<qint64>(qRound64(std::clamp(*use, 0.0, 100.0)), 0, 100))] += ms;
        if (*use < idleBelowPercent)
            idleMs += ms;
    }
    if (const auto memory = sample.memoryUsedBytes) {
        const std::optional<qint64> mib = qRound64(double(*memory) / bytesPerMib);
        raiseTo(memoryPeak, memory);
        bin.memorySum += *mib * ms;
        bin.memoryMs += ms;
        raiseTo(bin.mostMemory, mib);
    }
    if (sample.memoryTotalBytes)
        memoryTotal = sample.memoryTotalBytes;
    const auto power = sample.secondaryDie ? std::nullopt : sample.powerWatts;
    if (power) {
        const qint64 now = fixed(*power);
        powerSum += (now + (next && next->powerWatts ? fixed(*next->powerWatts) : now)) * ms;
        powerMs += ms;
        bin.powerSum += now * ms;
        bin.powerMs += ms;
    }
    if (power && sample.powerCapWatts && *sample.powerCapWatts > 0 && sample.utilizationPercent) {
        const bool isFull = *sample.utilizationPercent >= fullUsePercent;
        limitMs += ms;
        if (isFull && *power < waitingPowerShare * *sample.powerCapWatts)
            waitingMs += ms;
    }
    if (sample.clockMhz && *sample.clockMhz > 0 && sample.utilizationPercent.value_or(0) >= workingPercent) {
        clockSum += fixed(*sample.clockMhz) * ms;
        clockMs += ms;
    }
    if (sample.utilizationPercent.value_or(0) >= workingPercent) {
        const GpuActivity& activity = sample.activity;
        const std::array shares{activity.memory, activity.compute, activity.occupancy, activity.tensor};
        for (std::size_t i = 0; i < shares.size(); ++i) {
            activitySum.at(i) += shares.at(i) ? fixed(*shares.at(i)) * ms : 0;
            activityMs.at(i) += shares.at(i) ? ms : 0;
        }
    }
    raiseTo(hottest, sample.temperatureCelsius);
    if (sample.throttle) {
        throttleKnownMs += ms;
        throttledMs += *sample.throttle ? ms : 0;
    }
}

void GpuSums::addWhole(const GpuSums& later)
{
    seenMs += later.seenMs;
    useSum += later.useSum;
    useMs += later.useMs;
    idleMs += later.idleMs;
    powerSum += later.powerSum;
    powerMs += later.powerMs;
    limitMs += later.limitMs;
    waitingMs += later.waitingMs;
    clockSum += later.clockSum;
    clockMs += later.clockMs;
    throttleKnownMs += later.throttleKnownMs;
    throttledMs += later.throttledMs;
    for (std::size_t i = 0; i < activitySum.size(); ++i) {
        activitySum.at(i) += later.activitySum.at(i);
        activityMs.at(i) += later.activityMs.at(i);
    }
    raiseTo(memoryPeak, later.memoryPeak);
    if (later.memoryTotal)
        memoryTotal = later.memoryTotal;
    raiseTo(hottest, later.hottest);
    secondaryDie = secondaryDie || later.secondaryDie;
    for (std::size_t percent = 0; percent < useShares.size(); ++percent)
        useShares[percent] += later.useShares[percent];
}

} // namespace rankwright::inline insight
