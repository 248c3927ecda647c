// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// What an hour of a job costs in the site's own unit, by its first billing account: the figure of the design's bill.
struct JobPrice {
    QString unit; ///< "GPU-hours", "GPU BU"
    double perHour = 0;
    bool isAtLeast = false; ///< cores or memory are billed besides, and what the job has of them is not known
    QString source; ///< of the formula
    bool operator==(const JobPrice&) const = default;
};

/// A job that Slurm has, by what `squeue` reports of it.
struct JobSize {
    QString partition; ///< as Slurm names it
    QString qos; ///< empty: not reported
    std::optional<int> nodes;
    std::optional<int> gpus; ///< of all nodes
};

/// The price of a job; `design`: what it was launched from, which knows cores and memory as well (it counts only while
/// the job has its size). Empty: the site publishes no formula, or size or partition are not known.
std::optional<JobPrice> jobPrice(const ClusterProfile& profile, const JobSize& job, const JobSpec* design = nullptr);

} // namespace rankwright::inline planner
