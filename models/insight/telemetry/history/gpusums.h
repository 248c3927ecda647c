// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpusample.h"

#include <array>
#include <vector>

namespace rankwright::inline insight {

/// What one GPU did in some stretches of its time, as sums that add up: those of two stretches give those of both, in
/// whatever order. Each sample counts for the time until the next one. Whole numbers throughout, so that nothing is
/// lost: times are ms; use, activity, power and clock hundredths of %, W and MHz; a sum of them is weighted by ms.
struct GpuSums {
    /// Below this a GPU counts as idle: an empty one shows 0, a display or a sampling tool a few per cent.
    static constexpr double idleBelowPercent = 5;
    static constexpr double workingPercent = 50; ///< clocks of GPUs at rest say nothing
    static constexpr double scale = 100; ///< of use, power and clock

    /// One part of the curve. Memory is in MiB.
    struct Part {
        qint64 useSum = 0, useMs = 0, memorySum = 0, memoryMs = 0, powerSum = 0, powerMs = 0;
        std::optional<qint64> mostMemory;
        bool operator==(const Part&) const = default;
        void add(const Part& other);
    };

    qint64 seenMs = 0;
    qint64 useSum = 0, useMs = 0, idleMs = 0;
    qint64 powerSum = 0; ///< twice the area of the trapezoids below the curve
    qint64 powerMs = 0;
    qint64 limitMs = 0; ///< power, its limit and use were reported
    qint64 waitingMs = 0; ///< of these: full use at less power than work takes
    qint64 clockSum = 0, clockMs = 0; ///< while it worked
    qint64 throttleKnownMs = 0, throttledMs = 0;
    /// GpuActivity's members in their order, hundredths of % by ms, while it worked.
    std::array<qint64, 4> activitySum{}, activityMs{};
    std::optional<qint64> memoryPeak, memoryTotal; ///< bytes; the newest total
    std::optional<double> hottest; ///< degrees Celsius
    bool secondaryDie = false; ///< at any time
    std::array<qint64, 101> useShares{}; ///< ms by whole per cent
    std::vector<Part> parts; ///< as the caller numbers them; empty: nothing was counted
    bool operator==(const GpuSums&) const = default;

    /// `sample` held for `ms`; `next` the one after it, null where something is missing between.
    void count(const GpuSample& sample, const GpuSample* next, qint64 ms, std::size_t part);
    /// Later sums, without their parts.
    void addWhole(const GpuSums& later);
    /// The part with that number, which is made if need be.
    Part& part(std::size_t number);
};

} // namespace rankwright::inline insight
