// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"
#include "models/planner/planning/designestimate.h"

namespace rankwright::inline planner {

/// What a colleague would recommend for a model on this cluster.
struct Advice {
    Strategy strategy = Strategy::Ddp;
    Launcher launcher = Launcher::Torchrun;
    int nodes = 1;
    int gpusPerNode = 1;
    QString reason; ///< two sentences with this model's and this cluster's numbers
    QStringList alternatives; ///< a sentence each
    Candidate best;
};

/// The first that searchLayouts() finds with adviceLimits(): what the design names is kept where anything fits with it.
/// Error: as planRun(), or that no layout can run.
/// As `search` looks by default, at usual sizes alone: the first is the same one.
SearchLimits adviceLimits();
Result<Advice> advise(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const CalibrationTable& calibrations = {});
/// The same without a look at what would have to change where nothing fits; remedies() is that look.
Result<Advice> adviseAsNamed(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const CalibrationTable& calibrations = {});

/// Why the strategy of a design is right or not, in two sentences with its own figures; for the box beside the choice.
QString strategyReason(const DesignEstimate& estimate, const ResolvedSpec& resolved);

/// What a strategy means on this cluster, in two sentences: for a design whose model is not known.
QString strategySummary(const ResolvedSpec& resolved);

/// "one process", "FSDP", "ZeRO-3", "tensor parallelism": strategyName() as one says it within a sentence.
QString strategyWords(Strategy strategy);

} // namespace rankwright::inline planner
