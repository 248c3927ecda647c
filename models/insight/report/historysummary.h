// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/units.h"
#include "models/insight/report/nodeusage.h"
#include "models/insight/telemetry/history/gpusums.h"
#include "models/insight/telemetry/history/telemetryhistory.h"

#include <atomic>

namespace rankwright::inline insight {

/// What one GPU did in the part of the job that was recorded. Empty = its tool never reported it.
struct GpuSummary {
    GpuAddress address;
    bool secondaryDie = false; ///< its package's power is reported on the other die
    double seenSeconds = 0;
    std::optional<double> meanUse, medianUse; ///< %, weighted by time
    std::optional<double> idleShare; ///< 0..1 of the seen time below idleBelowPercent
    std::optional<Bytes> memoryPeak, memoryTotal;
    std::optional<double> meanPower; ///< W; of the package on MI250X
    std::optional<double> energyJoules; ///< of the time in which power was reported
    std::optional<double> hottest; ///< degrees Celsius
    /// 0..1 of its time: full use at less power than work takes. Empty: power or its limit was not reported.
    std::optional<double> waitingShare;
    std::optional<double> clock; ///< MHz, mean while it worked
    std::optional<double> throttledShare; ///< 0..1 of the time seen, at least; empty: throttling was never reported
    GpuActivity activity; ///< mean while it worked
    std::optional<qint64> newErrors; ///< of its memory that could not be corrected and came while it was recorded
    bool operator==(const GpuSummary&) const = default;
};

/// All GPUs together in one stretch of the job; empty where nothing was reported.
struct CurvePoint {
    TimeSpan span;
    std::optional<double> use, leastUse, mostUse; ///< %: mean of all GPUs, of the least and of the most busy one
    std::optional<double> memory, mostMemory; ///< bytes: mean and fullest GPU
    std::optional<double> power; ///< W, all GPUs together
    bool operator==(const CurvePoint&) const = default;
};

/// A job's recording in figures. Every share says of what; `seenShare` says how much of the job is behind them.
struct HistorySummary {
    static constexpr double idleBelowPercent = GpuSums::idleBelowPercent;
    static constexpr double slowClock = 0.85; ///< of the median
    static constexpr int usualCurvePoints = 180;

    TimeSpan job; ///< the job's run time that the shares refer to
    QStringList nodes;
    int gpusPerNode = 0;
    QList<GpuSummary> gpus; ///< by node, then index; all that reported anything
    QList<TimeSpan> gaps; ///< no node reported anything (gapsWithin of the job's run time); as the plot draws them
    double seenShare = 0; ///< 0..1 of all GPUs' run time
    double powerSeenShare = 0; ///< 0..1 of all power meters' run time
    int meters = 0; ///< GPUs or packages that report power
    std::optional<double> meanUse, medianUse, idleShare, throttledShare;
    GpuActivity activity; ///< mean of all GPUs that report it, while they worked
    std::optional<qint64> newErrors; ///< of all GPUs that report them
    NodeUsage beside; ///< what the nodes had beside their GPUs
    std::optional<double> waitingShare; ///< of all GPUs that report power, as GpuSummary
    QList<GpuSummary> slowClocks; ///< ran clearly below the others' clock while they worked
    std::optional<double> slowClockShare; ///< 0..1 of the others' clock, of the slowest; empty: none did
    std::optional<Bytes> memoryPeak, memoryTotal; ///< of the fullest GPU; of one GPU
    std::optional<double> meanPower; ///< W of one meter
    std::optional<double> energyJoules; ///< of all meters, over the time in which they reported
    std::optional<qint64> firstWorkMs, lastWorkMs; ///< any GPU at work
    /// From the job's beginning to the first work of any GPU: imports, data, rendezvous. Empty: no GPU worked, or less
    /// than half of that time was recorded.
    std::optional<double> startUpSeconds;
    /// meanUse, waitingShare without the start-up; the same where none is known.
    std::optional<double> useAfterStart, waitingAfterStart;
    QList<CurvePoint> curve;
    bool operator==(const HistorySummary&) const = default;

    bool isEmpty() const { return gpus.isEmpty(); }
    double jobSeconds() const { return double(job.length()) / 1000; }
};

/// How far a sum has come, and the request that it stop: shared between the thread that sums up and the one that shows.
struct SummaryWatch {
    std::atomic<bool> cancelled{false};
    std::atomic<int> permille{0};
};

/// Goes through the whole recording once, by the sums that it keeps where it has some. `job`: when it ran, by the
/// nodes' clocks; an empty span takes the recording's own. Each sample counts until the next one of its node, unless
/// that is later than three usual intervals (at least 5 s): then the time between was not seen. Energy is power
/// integrated over the seen time (trapezoids), never filled up. The curve of jobs of more than ten minutes is of whole
/// parts of 10 s of the clock. Seconds for thousands of GPUs whose recording has no sums; `watch` (may be null) is
/// given how far it is, and a cancelled sum comes back empty.
HistorySummary summarise(const TelemetryHistory& history, TimeSpan job = {},
    int curvePoints = HistorySummary::usualCurvePoints, SummaryWatch* watch = nullptr);

} // namespace rankwright::inline insight
