// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/candidate.h"

namespace rankwright::inline planner {

void Candidate::applyTo(JobSpec& spec) const
{
    if (needsPartition)
        spec.partition = partition;
    spec.resources.nodes = layout.nodes;
    spec.resources.gpusPerNode = layout.gpusPerNode;
    spec.resources.cpusPerGpu.reset(); // shares of the new size
    spec.resources.memoryPerNode.reset();
    spec.parallel.strategy = strategy;
    const auto degree = [](int value) { return value > 1 ? std::optional(value) : std::nullopt; };
    const bool layers = strategy == Strategy::Tensor || strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
    spec.parallel.tensor = layers ? std::optional(layout.tensor) : degree(layout.tensor);
    spec.parallel.pipeline = layers ? std::optional(layout.pipeline) : degree(layout.pipeline);
    spec.parallel.context = degree(layout.context);
    const auto shape = namedModel(spec);
    spec.parallel.expert = shape && shape->experts > 0 ? std::optional(layout.expert) : std::nullopt;
    spec.parallel.expertTensor.reset();
    spec.parallel.virtualStages = degree(layout.virtualStages);
    spec.parallel.firstStageLayers = layout.firstLayers > 0 ? std::optional(layout.firstLayers) : std::nullopt;
    spec.parallel.lastStageLayers = layout.lastLayers > 0 ? std::optional(layout.lastLayers) : std::nullopt;
    spec.training.microBatch = layout.microBatch;
    spec.training.globalBatch = layout.globalBatch();
    spec.training.activationCheckpointing = checkpointingOf(recompute);
    spec.training.offload = offload == Offload::None ? std::nullopt : std::optional(offload);
    if (spec.training.framework)
        spec.training.framework = stack;
}

} // namespace rankwright::inline planner
