// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// What a job's nodes had beside their GPUs, of evenly spread looks at some of them. Empty: not reported.
struct NodeUsage {
    std::optional<double> received, sent; ///< bytes a second of one node, mean
    std::optional<double> linkShare; ///< 0..1 of what its links can carry, mean of the busier direction
    std::optional<double> someWait; ///< 0..1 of the time: some process waited for input or output, mean
    std::optional<double> waitingLooks; ///< 0..1 of the looks: a process of the job waited for a file
    std::optional<qint64> mostHeld; ///< bytes held by processes of the job, on the fullest node
    std::optional<qint64> memoryLimit; ///< of the job on that node
    bool operator==(const NodeUsage&) const = default;
};

/// At most 16 nodes, the first and the last among them, at 32 moments each: cheap for jobs of any size.
NodeUsage nodeUsage(const TelemetryHistory& history, TimeSpan job);

} // namespace rankwright::inline insight
