// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/timemodel.h"

namespace rankwright::test {

/// One published run with a measured speed and what the step-time model says of it.
struct TimedRun {
    RunRow row;
    QString family; ///< where it was published, in short: what is left out as a whole
    GpuFigures gpu;
    StepEstimate estimate;
    double measuredSeconds = 0; ///< of a step, from whatever the source gives
    double error() const { return estimate.seconds / measuredSeconds - 1.0; }
    bool insideBand() const
    {
        return measuredSeconds >= estimate.lowSeconds && measuredSeconds <= estimate.highSeconds;
    }
};

/// Seconds of a step from tokens (or images) per second, the step itself or TFLOP/s, in this order; 0: none is given.
/// TFLOP/s that count recomputation are set against model FLOPs plus one more forward pass of the blocks.
double measuredStep(const RunRow& row);

/// All complete rows with a measured speed. `leaveOut`: with constants fitted without the row's own source
/// (tests/data/planner/speeds_left_out.csv); a row whose source is not in that table is left out.
QList<TimedRun> timedRuns(bool leaveOut = false);

/// Rows of one family, model, GPU, stack, precision and batch that differ in their layout alone: what a search ranks.
QList<QList<TimedRun>> sweeps(const QList<TimedRun>& runs);

} // namespace rankwright::test
