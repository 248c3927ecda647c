// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/assumptions.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/estimate/memorymodel.h"

namespace rankwright::inline planner {

/// One layout that the search found.
struct Candidate {
    QString cluster; ///< name of its profile
    QString partition; ///< name of the entry
    bool needsPartition = false; ///< its size alone would be put into another
    QString gpu; ///< as the site names the kind: "NVIDIA H100"
    Strategy strategy = Strategy::Ddp;
    Framework stack = Framework::Generic;
    Layout layout;
    Recompute recompute = Recompute::None;
    Offload offload = Offload::None;
    double memoryBytes = 0; ///< of the worst rank, as the vendor tool would show it
    double usableBytes = 0;
    FitVerdict verdict = FitVerdict::Fits;
    double stepSeconds = 0;
    double computeShare = 0; ///< 0..1 of the step
    double tokensPerSecond = 0; ///< of the whole job; samples where a sample has no tokens
    double mfu = 0;
    std::optional<double> cost; ///< in the site's unit, for `costOf`; empty: the site publishes no formula
    std::optional<double> totalSeconds; ///< of all that `costOf` names, checkpoints and restarts included
    std::optional<double> totalCost; ///< for that time
    double efficiency = 1; ///< speed of one GPU against the best small layout of its kind of GPU (up to four times the
                           ///< GPUs of the smallest that fits), at most 1
    bool recommended = false;
    bool pareto = false; ///< none is both faster and cheaper
    QString why; ///< one sentence
    QList<Assumption> assumes; ///< every switch that the figures rely on

    /// Writes this layout into a design: one edit. The global batch stays when the design names one.
    void applyTo(JobSpec& spec) const;
    bool operator==(const Candidate&) const = default;
};

} // namespace rankwright::inline planner
