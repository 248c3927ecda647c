// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFlags>
#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// What slows a GPU down below the clock that was asked for, as its tool says.
enum class Throttle : quint8 {
    None = 0,
    Power = 1, ///< the power limit (NVIDIA "SW power cap", AMD PPT)
    Thermal = 2, ///< too hot
    Hardware = 4, ///< power brake, external slowdown
};
Q_DECLARE_FLAGS(Throttles, Throttle)

/// How much of a GPU works while it is in use, per cent: use alone counts the time in which any kernel ran, however
/// small. NVIDIA GPM (Hopper and newer) and DCGM's profiling fields 1002 to 1005; AMD reports the first only.
struct GpuActivity {
    std::optional<double> memory; ///< of its memory's bandwidth (NVIDIA), of the time that it was accessed (AMD)
    std::optional<double> compute; ///< of its multiprocessors, on the average of the time: had a warp to run
    std::optional<double> occupancy; ///< of the warps that could be on them
    std::optional<double> tensor; ///< of the time in which its tensor cores could have multiplied
    bool operator==(const GpuActivity&) const = default;
};

/// One reading of one GPU. Empty = the tool did not report (never 0): e.g. power on the second die of an MI250X.
struct GpuSample {
    int index = 0; ///< as the tool numbers it within the job's allocation
    QString name;
    std::optional<double> utilizationPercent; ///< share of time in which any kernel ran
    std::optional<qint64> memoryUsedBytes;
    std::optional<qint64> memoryTotalBytes;
    std::optional<double> powerWatts; ///< of the package on MI250X
    std::optional<double> powerCapWatts;
    std::optional<double> temperatureCelsius; ///< edge, else junction
    std::optional<double> clockMhz = {}; ///< of the compute units (AMD sclk, NVIDIA SM clock)
    std::optional<Throttles> throttle = {}; ///< none set: reported that nothing slows it
    std::optional<int> processes = {}; ///< of this job that hold memory on it
    bool secondaryDie = false; ///< power is reported on the package's other die
    std::optional<qint64> memoryErrors = {}; ///< that could not be corrected, since its driver was loaded (ECC, RAS)
    GpuActivity activity = {};
    bool operator==(const GpuSample&) const = default;
};

/// All GPUs of one node at one moment.
struct NodeTick {
    QString node;
    qint64 takenMs = 0; ///< node's clock, ms since 1970; 0 when the stream did not report
    QList<GpuSample> gpus;
    bool operator==(const NodeTick&) const = default;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(Throttles)

} // namespace rankwright::inline insight
