// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"

#include <functional>

namespace rankwright::inline planner {

/// A change of the design after which it fits, tried out: applied by one click as one undo step.
struct Remedy {
    QString label; ///< "Use FSDP"
    QString effect; ///< "41.3 of 63.9 GiB, a step takes 2.1 s"
    std::function<void(JobSpec&)> apply;
    double memoryBytes = 0; ///< after it
    double stepSeconds = 0;
    FitVerdict verdict = FitVerdict::Fits;
};

/// What to change so that a design fits, the least intrusive first, at most five; empty when it fits, or nothing helps,
/// or nothing is known of it. `neededBytes`: what a run of it was seen to need on a GPU; where that is more than
/// estimated, every change is taken to need as much more.
QList<Remedy> remedies(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const Result<DesignEstimate>& estimate, const CalibrationTable& calibrations = {},
    std::optional<double> neededBytes = {});

/// Why remedies() finds none for a design that does not fit, with the figure of the largest job that the cluster
/// gives, and whether adapters on a frozen base would fit. Empty: it fits, or nothing is known of it.
QString noRemedyReason(
    const ResolvedSpec& resolved, const ClusterProfile& profile, const Result<DesignEstimate>& estimate);

} // namespace rankwright::inline planner
