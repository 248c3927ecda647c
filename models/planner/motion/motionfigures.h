// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"

namespace rankwright::inline planner {

/// The figures of a design that moving pictures are drawn from. What needs a named model is empty without one.
struct MotionFigures {
    QString gpuWord; ///< "GPU", or as the site says
    Strategy strategy = Strategy::Ddp;
    int gpus = 1;
    int data = 1; ///< ranks that see different data, context ranks among them
    int tensor = 1;
    int pipeline = 1;
    int shardGroup = 1; ///< ranks that share one copy of the states out
    Sharding sharding = Sharding::None;
    bool gathersTwice = true; ///< weights are dropped behind the forward pass
    int virtualStages = 1;
    qint64 globalBatch = 1;
    qint64 microBatch = 1;
    qint64 accumulation = 1;
    std::optional<int> cores; ///< beside a GPU, for loading
    std::optional<int> layers;
    // Bytes. The first three are of one copy as far as tensor and pipeline ranks share it, before sharding.
    std::optional<double> weights;
    std::optional<double> gradients;
    std::optional<double> optimizer;
    std::optional<double> layerWeights; ///< of one layer, as they are gathered; split over tensor ranks
    std::optional<double> activations; ///< kept of one micro-batch
    std::optional<double>
        boundary; ///< a layer's output for one micro-batch: between stages, and summed by tensor ranks
    std::optional<double> stepSeconds;
    bool operator==(const MotionFigures&) const = default;
};

/// From what follows from a design; an estimate that failed leaves what needs a model empty.
MotionFigures motionFigures(
    const ResolvedSpec& resolved, const BatchPlan& batch, const Result<DesignEstimate>& estimate);

} // namespace rankwright::inline planner
