// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/estimate/gpufigures.h"
#include "models/estimate/trainingstack.h"
#include "models/estimate/workload.h"

namespace rankwright {

/// Whose reading a figure answers: the allocator's peak, what it keeps reserved, or the vendor tool's.
enum class MemoryCounter { Allocated, Reserved, VendorTool };
enum class FitVerdict { Fits, Probably, Borderline, DoesNotFit };

/// Bytes on one rank.
struct MemoryParts {
    double weights = 0;
    double gradients = 0;
    double optimizer = 0;
    double activations = 0;
    double temporary = 0; ///< logits and loss, gathered blocks, buckets, optimiser temporaries
    double overhead = 0; ///< allocator slack, context, NCCL/RCCL
    double total() const { return weights + gradients + optimizer + activations + temporary + overhead; }
};

struct MemoryEstimate {
    MemoryParts parts; ///< of the worst rank, for the counter asked for
    double totalBytes = 0;
    double lowBytes = 0; ///< nine of ten measured peaks lie between low and high
    double highBytes = 0;
    double usableBytes = 0;
    double hostBytesPerNode = 0; ///< what offloading needs in the node's memory; 0: nothing is offloaded
    int worstStage = 0; ///< pipeline stage of the worst rank, 0 based
    FitVerdict verdict = FitVerdict::Fits;
};

/// Everything of (workload, stack, GPU) that does not depend on the layout, computed once: the search's inner loop.
class MemoryModel {
public:
    MemoryModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu);

    /// The worst rank's peak. Pure arithmetic, no allocation. In: a layout that checkLayout() accepts.
    MemoryEstimate estimate(const Layout& layout, MemoryCounter counter = MemoryCounter::VendorTool) const;
    /// Of one stage; for the picture of every rank's total.
    MemoryParts stage(const Layout& layout, int stage, MemoryCounter counter = MemoryCounter::VendorTool) const;
};

} // namespace rankwright
