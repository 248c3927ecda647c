// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"

namespace rankwright::test {

/// One published run with what the memory model says of it.
struct PredictedRun {
    RunRow row;
    QString family; ///< where it was published, in short: what is left out as a whole
    MemoryEstimate estimate; ///< for the row's own counter and stage
    MemoryEstimate worst; ///< of the worst rank: its verdict
    double error() const { return estimate.totalBytes / *row.peakBytes - 1.0; }
    bool insideBand() const { return *row.peakBytes >= estimate.lowBytes && *row.peakBytes <= estimate.highBytes; }
};

/// tests/data/planner/runs.csv: published runs, each with its source.
const QList<RunRow>& publishedRuns();
/// tests/data/planner/finetuning.csv: the same of loaded models.
const QList<RunRow>& publishedFineTuning();
/// tests/data/planner/experts.csv: the same of uneven and interleaved pipelines and of mixtures of experts; no constant
/// of the step-time model is fitted to them, no figure of a stack's memory learned from them.
const QList<RunRow>& publishedExperts();

/// All complete rows. `leaveOut`: what a stack learned from the row's own source is that of its nearest.
QList<PredictedRun> predictRuns(const QList<RunRow>& rows, bool leaveOut = false);
/// The same of publishedRuns().
QList<PredictedRun> predictRuns(bool leaveOut = false);

/// In: 0 <= share <= 1; at least one value.
double percentile(QList<double> values, double share);

/// "github:pytorch/torchtitan commit 83c879f18 (2024-03-28)" is "pytorch/torchtitan".
QString familyOf(const QString& source);

} // namespace rankwright::test
