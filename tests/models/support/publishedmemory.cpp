// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/support/publishedmemory.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr double deepSpeedBuffers = 1.5; // additional_buffer_factor

} // namespace

double zeroModelStates(double parameters, int ranks, Sharding sharding, double optimizerBytes)
{
    constexpr double weights = 2.0;
    constexpr double gradients = 2.0;
    switch (sharding) {
    case Sharding::None: return (weights + gradients + optimizerBytes) * parameters;
    case Sharding::OptimizerStates: return (weights + gradients + optimizerBytes / ranks) * parameters;
    case Sharding::Gradients: return (weights + (gradients + optimizerBytes) / ranks) * parameters;
    case Sharding::Full: return (weights + gradients + optimizerBytes) * parameters / ranks;
    }
    return 0.0;
}

ZeroNeeds deepSpeedZero2Needs(double parameters, int gpusPerNode, int nodes, bool offload)
{
    const double gpus = static_cast<double>(gpusPerNode) * nodes;
    if (offload)
        return {2.0 * parameters, parameters * std::max(4.0 * gpus, 16.0) * deepSpeedBuffers};
    return {4.0 * parameters + 16.0 * parameters / gpus, parameters * 4.0 * gpusPerNode * deepSpeedBuffers};
}

ZeroNeeds deepSpeedZero3Needs(double parameters, double largestLayer, int gpusPerNode, int nodes, Offload offload)
{
    const double gpus = static_cast<double>(gpusPerNode) * nodes;
    const double layer = 4.0 * largestLayer;
    const double nodeShare = 1.0 / nodes;
    switch (offload) {
    case Offload::OptimizerAndParameters:
        return {layer, parameters * std::max(4.0 * gpusPerNode, 18.0 * nodeShare) * deepSpeedBuffers};
    case Offload::OptimizerStates:
        return {layer + 2.0 * parameters / gpus,
            parameters * std::max(4.0 * gpusPerNode, 16.0 * nodeShare) * deepSpeedBuffers};
    case Offload::Activations:
    case Offload::None: break;
    }
    return {layer + 18.0 * parameters / gpus, parameters * 4.0 * gpusPerNode * deepSpeedBuffers};
}

double publishedActivations(
    double tokens, double hidden, double heads, double sequence, int tensor, bool sequenceParallel, Recompute recompute)
{
    if (recompute == Recompute::Full)
        return 2.0 * tokens * hidden;
    const double scores = recompute == Recompute::None ? 5.0 * heads * sequence / hidden : 0.0;
    if (sequenceParallel)
        return tokens * hidden * (34.0 + scores) / tensor;
    return tokens * hidden * (10.0 + 24.0 / tensor + scores / tensor);
}

} // namespace rankwright
