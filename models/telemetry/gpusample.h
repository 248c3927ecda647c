// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankwright {

/// One reading of one GPU. Empty = the tool did not tell (never 0): e.g. power on the second die of an MI250X.
struct GpuSample {
    int index = 0; ///< as the tool numbers it within the job's allocation
    QString name;
    std::optional<double> utilizationPercent; ///< share of time in which any kernel ran
    std::optional<qint64> memoryUsedBytes;
    std::optional<qint64> memoryTotalBytes;
    std::optional<double> powerWatts; ///< of the package on MI250X
    std::optional<double> powerCapWatts;
    std::optional<double> temperatureCelsius; ///< edge, else junction
    bool secondaryDie = false; ///< power is told on the package's other die
    bool operator==(const GpuSample&) const = default;
};

/// All GPUs of one node at one moment.
struct NodeTick {
    QString node;
    qint64 takenMs = 0; ///< node's clock, ms since 1970; 0 when the stream did not tell
    QList<GpuSample> gpus;
    bool operator==(const NodeTick&) const = default;
};

} // namespace rankwright
