// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// What a rank of a generated script says of its place before the program starts (script rule R43): one line from rank
/// 0, and one from each other rank that is not where the plan has it.
///
///     rankwright: rank 5 of 16 on node n1: cores 0-63 instead of 9-15, device 5
struct RankReport {
    int rank = 0;
    int worldSize = 1;
    QString node;
    QString cores; ///< that the rank may really use: "49-55"
    QString plannedCores; ///< empty: none are planned, or they are the real ones
    bool coresPlanned = false; ///< the plan names cores for this rank
    bool comparable = true; ///< false: the node has not got the planned cores, so nothing is said of the binding
    QString device; ///< number or name of the device that the program takes; empty: it sees none of this number
    QString plannedDevice; ///< empty: none is planned, or it is the real one
    bool operator==(const RankReport&) const = default;

    bool coresDiffer() const { return comparable && !plannedCores.isEmpty(); }
    bool deviceDiffers() const { return device.isEmpty() || !plannedDevice.isEmpty(); }
    bool isAsPlanned() const { return comparable && coresPlanned && !coresDiffer() && !deviceDiffers(); }
};

/// A line of a log, without its line end; empty if it is not such a report. Leading tags are allowed: " 3: " (srun
/// --label), "[rank0]: ", "[default0]:" (torchrun).
std::optional<RankReport> readRankReport(const QString& line);

/// "Rank 5 on n1 is on cores 0-63 instead of 9-15."; "Bound as planned." for one that is as planned.
QString rankReportText(const RankReport& report);

} // namespace rankwright::inline insight
