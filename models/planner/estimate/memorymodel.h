// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/stack/trainingstack.h"
#include "models/planner/estimate/workload.h"

namespace rankwright::inline planner {

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
    double heldBytes = 0; ///< what the verdict compares with usableBytes: near the limit the allocator gives cache back
    double usableBytes = 0;
    double hostBytesPerNode = 0; ///< what offloading needs in the node's memory; 0: nothing is offloaded
    int worstStage = 0; ///< pipeline stage of the worst rank, 0 based
    FitVerdict verdict = FitVerdict::Fits;
};

/// Whether a layout is worth proposing: it fits or probably fits, and is not expected to show more than is usable.
bool mayRun(const MemoryEstimate& memory);
/// How a need in bytes compares with the usable bytes of a GPU.
FitVerdict fitVerdict(double bytes, double usableBytes);

/// What of (workload, stack) does not depend on the layout. Parameters are counts, the rest bytes (per parameter, per
/// token or per token and vocabulary element); "split" is divided over the tensor ranks, "whole" is not, unless
/// sequence parallelism divides it.
struct MemoryTerms {
    double layers = 1; ///< of an encoder-decoder both sides
    double splitParameters = 0; ///< of one block
    double wholeParameters = 0; ///< of one block: norms, router, output biases
    double expertParameters = 0; ///< of one block, all experts
    double embedding = 0;
    double head = 0; ///< of its own; 0: tied
    double tiedHead = 0; ///< copy of the embedding that the last stage of a pipeline holds
    double otherParameters = 0;
    double vocabulary = 0; ///< logits for one token; 0: none worth counting

    double weightBytes = 0;
    double gradientBytes = 0;
    double gradientCopyBytes = 0;
    double blockGradientBytes = 0; ///< of the block whose backward pass runs
    double optimizerBytes = 0; ///< with master weights
    bool frozen = false; ///< a base that is not trained; `weightBytes` is then of the adapters alone ...
    double frozenBlockBytes = 0; ///< ... and these are of the base: matrices of the blocks ...
    double frozenExpertBytes = 0; ///< ... their experts ...
    double unpackedBytes = 0; ///< of an expert's parameter of the block that computes
    double frozenTableBytes = 0; ///< ... tables, head and norms
    double computeBytes = 0; ///< of a gathered or cast weight, and of an activation element
    double castBytes = 0; ///< autocast's copies of weights
    bool quantised = false; ///< the frozen base
    double reduceBuffers = 0; ///< bytes
    double frozenCastBytes = 0; ///< of a frozen block that is not recomputed

    double keptWhole = 0, keptSplit = 0; ///< of one layer, kept until its backward pass
    double liveWhole = 0, liveSplit = 0; ///< of the one block that is recomputed
    double boundary = 0; ///< input of one block, whole
    double keptBoundary = 0; ///< the same as it is kept when the block is recomputed
    double ring = 0; ///< per token: keys and values on their way round the context-parallel ranks, sent and received
    double samplesBytes = 0; ///< per sample: convolutional models, which have no tokens
    double lossBytes = 0, lossBytesLocal = 0; ///< per token and vocabulary element
    double lossWhole = 0; ///< per token beside the logits
    double lossChunk = 0; ///< tokens of a chunk; 0: the loss is not cut by tokens
    double headGradientBytes = 0; ///< per head parameter: what a chunked loss adds up
};

/// Everything of (workload, stack, GPU) that does not depend on the layout, computed once: the search's inner loop.
/// Formulas and their sources: docs/planner.md, "Memory".
class MemoryModel {
public:
    MemoryModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu);

    /// The worst rank's peak. Pure arithmetic, no allocation. In: a layout that checkLayout() accepts.
    MemoryEstimate estimate(const Layout& layout, MemoryCounter counter = MemoryCounter::VendorTool) const;
    /// The same without its band (low and high are 0): for comparing many layouts.
    MemoryEstimate withoutBand(const Layout& layout, MemoryCounter counter = MemoryCounter::VendorTool) const;
    /// The same of one pipeline stage (0 based), where a log reports that one alone.
    MemoryEstimate estimateStage(
        const Layout& layout, int stage, MemoryCounter counter = MemoryCounter::VendorTool) const;
    /// Of one stage; for the picture of every rank's total.
    MemoryParts stage(const Layout& layout, int stage, MemoryCounter counter = MemoryCounter::VendorTool) const;

private:
    struct Rank;
    struct Buffers;
    struct Peaks;
    Rank rankOf(const Layout& layout, int stage) const;
    Buffers buffersOf(const Layout& layout, const Rank& rank) const;
    Peaks peaksOf(const Layout& layout, int stage) const;
    MemoryEstimate finish(const Layout& layout, int stage, const Peaks& peaks, MemoryCounter counter) const;
    void addBand(MemoryEstimate& estimate, const Layout& layout, MemoryCounter counter) const;
    MemoryParts partsOf(const Layout& layout, const Peaks& peaks, MemoryCounter counter) const;
    double hostBytes(const Layout& layout) const;

    MemoryTerms m_terms;
    StackMemory m_stack;
    // Of the workload: a copy of it would carry the shape's texts along.
    double m_sequence = 1;
    bool m_packed = true;
    Offload m_offload = Offload::None;
    bool m_offloadActivations = false;
    bool m_offloadGradients = false;
    bool m_fullRecompute = false;
    bool m_float8Cache = false;
    bool m_float8Eager = false;
    bool m_foreach = false;
    bool m_paged = false;
    bool m_wholeBase = false;
    bool m_assumedShape = false;
    double m_usableBytes = 0;
    double m_contextBytes = 0;
};

} // namespace rankwright::inline planner
