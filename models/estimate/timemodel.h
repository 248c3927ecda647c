// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/gpufigures.h"
#include "models/estimate/trainingstack.h"
#include "models/estimate/workload.h"

namespace rankwright {

/// Seconds of one optimiser step.
struct TimeParts {
    double compute = 0;
    double communication = 0; ///< that is not hidden behind compute
    double bubble = 0; ///< idle time of the pipeline
    double other = 0; ///< optimiser, data loading, checkpoints
    double total() const { return compute + communication + bubble + other; }
};

struct StepEstimate {
    TimeParts parts;
    double seconds = 0;
    double lowSeconds = 0; ///< nine of ten measured steps lie between low and high
    double highSeconds = 0;
    double tokensPerSecondPerGpu = 0; ///< samples (images) where a sample has no tokens
    double teraflopsPerGpu = 0; ///< model FLOPs: recomputation is not counted
    double mfu = 0; ///< of the peak at the workload's precision
};

/// Everything of (workload, stack, GPU) that does not depend on the layout, computed once: the search's inner loop.
class TimeModel {
public:
    TimeModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu);

    /// Pure arithmetic, no allocation. In: a layout that checkLayout() accepts.
    StepEstimate estimate(const Layout& layout) const;
};

} // namespace rankwright
