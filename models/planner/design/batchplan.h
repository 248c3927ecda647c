// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/batchsolver.h"
#include "models/planner/design/resolve.h"

namespace rankwright::inline planner {

/// How a learning rate grows with the batch: in proportion (SGD: Goyal et al. 2017, arXiv:1706.02677, 2.1) or by the
/// square root of it (optimisers that divide by the gradient's size, Adam among them: Malladi et al. 2022,
/// arXiv:2205.10287, definition 5.2; LAMB: arXiv:1904.00962, 4.3).
enum class ScalingRule { Linear, SquareRoot };
ScalingRule scalingRule(Optimizer optimizer);

/// global = micro * accumulation * data-parallel ranks, solved.
struct BatchPlan {
    qint64 globalBatch = 0; ///< what will really be run: the one asked for, or the nearest that can be
    qint64 microBatch = 0;
    qint64 gradientAccumulation = 0;
    int dataParallel = 1;
    bool exact = true; ///< the global batch asked for is met
    QList<qint64> nearest; ///< valid global batches around the one asked for, ascending; empty when exact
    std::optional<double> stepsPerEpoch; ///< null without a data set size; the last, smaller step counts
    std::optional<double>
        scaleLinear; ///< learning-rate factor against one rank's batch... (Goyal et al. 2017, 1706.02677, 2.1)
    std::optional<double> scaleSqrt; ///< square-root rule (Krizhevsky 2014, 1404.5997, section 5)
    std::optional<ScalingRule> rule; ///< the optimiser's; empty: no optimiser is known
    std::optional<double> warmupSteps; ///< in which the learning rate grows to its full size; null without a data set
                                       ///< size, and where it is not scaled (Goyal et al. 2017, 2.2)
    QString warmupReason; ///< one sentence; empty with warmupSteps
    QString reason; ///< how micro-batch and accumulation were chosen, one sentence
    bool operator==(const BatchPlan&) const = default;
};

BatchPlan planBatch(const ResolvedSpec& resolved);

/// Samples of one pass over the data set: as the design says, or its tokens by the sequence length (unpacked samples
/// have meanSampleShare of it). Empty: neither is given.
std::optional<double> samplesOf(const JobSpec::Training& training, qint64 sequence);
/// With the sequence that the design means: an open one is what the model is usually trained with.
std::optional<double> samplesOf(const ResolvedSpec& resolved);

/// The same from terms that were solved by themselves; without a data set size no steps and no warm-up.
BatchPlan planOf(const BatchSolution& solution, std::optional<double> samples, std::optional<double> epochs);

} // namespace rankwright::inline planner
