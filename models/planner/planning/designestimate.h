// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/plannedrun.h"
#include "models/planner/estimate/calibration.h"
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/nearestrun.h"
#include "models/planner/estimate/timemodel.h"

namespace rankwright::inline planner {

/// What a user's own runs changed in a figure.
struct Correction {
    int runs = 0; ///< 0: nothing was corrected
    double share = 0; ///< -0.06: 6 % less than published figures alone would say
    bool operator==(const Correction&) const = default;
};

/// What is expected of a design, before anything is submitted.
struct DesignEstimate {
    PlannedRun run;
    MemoryEstimate memory;
    StepEstimate step;
    qint64 largestMicroBatch = 0; ///< that still fits or probably fits; 0: not even one sample does
    QString limitedBy; ///< what costs most time beside compute, one sentence; empty: nothing worth reporting
    Correction memoryCorrection; ///< of memory.totalBytes
    Correction timeCorrection; ///< of step.seconds
    std::optional<NearestRun> nearest; ///< the published run that is most like it; bands are as wide as it is far away
    QString calibratedBy; ///< "2 runs of yours on LUMI"; empty: published figures alone
};

/// Pure, under 20 microseconds. Error: why none can be made ("No model is named ...", "... cannot be split").
Result<DesignEstimate> estimateDesign(const ResolvedSpec& resolved, const BatchPlan& batch,
    const ClusterProfile& profile, const CalibrationTable& calibrations = {});

/// The first rank of a pipeline stage, in the order of Megatron and torchtitan: tensor ranks are neighbours, then
/// context, then data, stages last.
int worstRank(const Layout& layout, int stage);

/// "fits", "probably", "borderline", "does-not-fit": the words of the headless answers.
QString toText(FitVerdict verdict);

} // namespace rankwright::inline planner
