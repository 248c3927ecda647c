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
