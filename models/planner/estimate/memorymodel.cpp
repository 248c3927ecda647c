// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/memorymodel.h"

#include "models/planner/estimate/memoryterms.h"
#include "models/planner/estimate/stagelayers.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline planner {

namespace {

// Share of the usable memory that the allocator and the context are predicted to take, and what became of 661 published
// runs: up to 80 % four of 461 ran out of memory, up to 110 % fourteen of 175, beyond that sixteen of 25. Between 80
// and 95 % most failures lie above 87 %.
constexpr double surely = 0.80;
constexpr double probably = 0.87;
constexpr double hardly = 1.10;
// Near the limit the allocator gives its cache back and tries again: only this share of it counts against the card.
constexpr double mostFragmentation = 1.2;
// DeepSpeed's factor for what CPU offloading needs beside the states (additional_buffer_factor).
constexpr double hostBuffers = 1.5;
// Width of the band of a model that is known by its parameter count alone, as a share.
constexpr double shapeSpread = 0.25;

/// Micro-batches in flight on a stage (GPipe; PipeDream-flush 1F1B and interleaved: arXiv:2104.04473, section 2.2).
double inFlight(const Layout& layout, int stage)
{
    const double passes = static_cast<double>(layout.accumulation);
    const int stages = layout.pipeline;
    if (stages == 1)
        return 1.0;
    if (layout.schedule == PipelineSchedule::GPipe)
        return passes;
    if (layout.schedule == PipelineSchedule::Interleaved && layout.virtualStages > 1) {
        const double chunks = layout.virtualStages;
        const double deepest = (2.0 * (stages - 1 - stage) + (chunks - 1.0) * stages + 1.0) / chunks;
        return std::min(passes, deepest);
    }
    return std::min(passes, static_cast<double>(stages - stage));
}

} // namespace

/// What is in memory at the worst moment of a step on one stage.
struct MemoryModel::Peaks {
    // Resident
    double weights = 0;
    double optimizer = 0;
    double gradientCopy = 0;
    double gradients = 0;
    double loading = 0; ///< reserved for quantising the base, before the first step
    double offloaded = 0; ///< activations that are in the node's memory
    // At the moment that decides: `early`, as the allocator counts; `late`, with all gradients resident, as what it has
    // reserved does: their segments cannot be used again for the loss.
    struct Moment {
        double gradients = 0;
        double activations = 0;
        double temporary = 0;
        double bytes = 0;
    };
    Moment early, late;
};

/// Who one rank is, and which parameters it holds.
struct MemoryModel::Rank {
    bool first = false;
    bool last = false;
    bool full = false; ///< weights are sharded
    bool gathered = false; ///< and gathered block by block
    double tensor = 1;
    double wholeShare = 1; ///< of what sequence parallelism divides
    double ranks = 1; ///< that share out states
    double expertRanks = 1;
    double layers = 1;
    double block = 0; ///< parameters of one block with its experts
    double head = 0; ///< of the output projection, also a tied one
    double dense = 0;
    double tables = 0; ///< of `dense` what is never quantised: embedding, head, norms
    double root = 0; ///< of `tables` embedding and head
    double experts = 0;
    double all() const { return dense + experts; }
    double sharded(double bytes) const { return bytes * (dense / ranks + experts / expertRanks); }
};

/// Temporary bytes of the moments of a step.
struct MemoryModel::Buffers {
    double working = 0; ///< gathered or cast weights, buckets
    double loss = 0; ///< logits, their gradient, the head's gathered weights
    double headBackward = 0; ///< the head's 16-bit gradient and what is reduced in fp32
    double blockBackward = 0; ///< the same of one block
    double step = 0; ///< optimiser
};

MemoryModel::MemoryModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu)
    : m_terms(memoryTerms(workload, stack.memory)), m_stack(stack.memory),
      m_sequence(static_cast<double>(workload.sequence)), m_packed(workload.packed), m_offload(workload.offload),
      m_offloadActivations(workload.offloadActivations), m_offloadGradients(workload.offloadGradients),
      m_fullRecompute(workload.recompute == Recompute::Full),
      m_float8Cache(workload.float8 != Float8::None && !workload.compiled && stack.memory.float8CacheBytes > 0),
      m_float8Eager(savesFloat8Casts(workload, stack.memory)),
      m_foreach(stack.memory.foreachOptimizer && !workload.fusedOptimizer
          && (workload.optimizer == Optimizer::AdamW || workload.optimizer == Optimizer::SgdMomentum)),
      m_paged(isPaged(workload.optimizer)), m_wholeBase(workload.adapter.wholeBase),
      m_assumedShape(workload.shape.assumed), m_usableBytes(gpu.usableBytes),
      m_contextBytes(gpu.contextBytes * stack.memory.contextShare)
{ }

MemoryModel::Rank MemoryModel::rankOf(const Layout& layout, int stage) const
{
    const MemoryTerms& terms = m_terms;
    Rank rank;
    rank.first = stage == 0;
    rank.last = stage == layout.pipeline - 1;
    rank.full = layout.sharding == Sharding::Full;
    rank.tensor = layout.tensor;
    rank.wholeShare = layout.sequenceParallel ? 1.0 / rank.tensor : 1.0;
    rank.ranks = layout.shardGroup > 0 ? static_cast<double>(layout.shardGroup)
                                       : static_cast<double>(layout.data) * static_cast<double>(layout.context);
    // Ranks that hold the same experts: those of a stage, over expert and expert-tensor ranks.
    rank.expertRanks = std::max(1.0, rank.ranks * rank.tensor / (layout.expert * layout.expertSplit()));
    rank.gathered = rank.full && (rank.ranks > 1 || m_offload == Offload::OptimizerAndParameters);
    rank.layers = stageLayers(static_cast<int>(terms.layers), layout).of(stage, layout.pipeline);
    const double block = terms.splitParameters / rank.tensor + terms.wholeParameters;
    const double expertBlock = terms.expertParameters / (double(layout.expertSplit()) * layout.expert);
    rank.block = block + expertBlock;
    rank.head = rank.last ? (terms.head + terms.tiedHead) / rank.tensor : 0.0;
    // A tied embedding is held again by the last stage of a pipeline.
    const double heldHead = rank.first ? terms.head : terms.head + terms.tiedHead;
    rank.dense = rank.layers * block + (rank.first ? terms.embedding / rank.tensor : 0.0)
        + (rank.last ? heldHead / rank.tensor + terms.otherParameters : 0.0);
    rank.root = (rank.first ? terms.embedding / rank.tensor : 0.0) + (rank.last ? heldHead / rank.tensor : 0.0);
    rank.tables = rank.root + rank.layers * terms.wholeParameters + (rank.last ? terms.otherParameters : 0.0);
    rank.experts = rank.layers * expertBlock;
    return rank;
}

MemoryModel::Buffers MemoryModel::buffersOf(const Layout& layout, const Rank& rank) const
{
    const MemoryTerms& terms = m_terms;
    const double compute = terms.computeBytes;
    const double all = rank.all();
    const bool piped = layout.pipeline > 1;
    Buffers buffers;
    const double most = m_stack.liveElements > 0 ? m_stack.liveElements : 2.0 * rank.block;
    if (rank.gathered && terms.frozen) {
        // Gathered as they are stored; nothing of the base is reduced.
        const bool held = !layout.reshardAfterForward || (m_stack.frozenUnsharded && !m_fullRecompute);
        const double stored = m_wholeBase ? 0.0 : terms.frozenBlockBytes;
        buffers.working = stored * (held ? rank.layers * rank.block : std::min(2.0 * rank.block, most));
        buffers.loss = m_stack.rootGathered ? 0.0 : terms.frozenTableBytes * rank.head;
        buffers.working += m_stack.rootGathered ? terms.frozenTableBytes * rank.root : 0.0;
        buffers.blockBackward = terms.blockGradientBytes * std::min(rank.block, most);
    } else if (rank.gathered) {
        const bool rooted = m_stack.rootGathered && (m_stack.ownTables <= 0 || terms.vocabulary < m_stack.ownTables);
        if (!layout.reshardAfterForward || (piped && !m_stack.masterWeights)) {
            // PyTorch keeps gathered weights, and in a pipeline whole fp32 gradients, over all micro-batches.
            buffers.working = compute * all + (piped ? terms.gradientBytes * all : 0.0);
        } else {
            buffers.working = compute * std::min(2.0 * rank.block, most); // the current block and the next one
            buffers.loss = compute * rank.head;
        }
        if (rooted && layout.reshardAfterForward) {
            // One unit: gathered for the whole step, the head's gradient waits for the embedding's.
            buffers.working += compute * rank.root;
            buffers.loss = 0.0;
        }
        buffers.blockBackward = (compute + terms.blockGradientBytes) * std::min(rank.block, most)
            + (rooted ? terms.blockGradientBytes * rank.head : 0.0);
        buffers.headBackward = 6.0 * rank.head;
    } else if (!rank.full) {
        buffers.working = terms.castBytes * all + terms.frozenCastBytes * rank.layers * rank.block;
    }
    buffers.working += terms.reduceBuffers;
    buffers.working += terms.unpackedBytes * terms.expertParameters / (rank.tensor * layout.expert);
    if (!rank.gathered && terms.gradientBytes <= 0.0)
        buffers.blockBackward = terms.blockGradientBytes * rank.block;
    if (layout.sharding == Sharding::None && layout.data > 1 && !m_stack.bucketIsView)
        buffers.working += terms.gradientBytes * all;
    if (layout.sharding == Sharding::OptimizerStates || layout.sharding == Sharding::Gradients)
        buffers.working
            += 2.0 * std::min(m_stack.bucketElements, all) * (piped ? m_stack.bucketCopies : m_stack.bucketCopiesAlone);
    if (m_float8Cache)
        buffers.working += m_stack.float8CacheBytes * all;
    if (m_float8Eager)
        buffers.working += m_stack.float8EagerBytes * rank.layers * rank.block;
    const double tokens = m_sequence * static_cast<double>(layout.microBatch) / layout.context;
    if (layout.context > 1)
        buffers.working += tokens * terms.ring / rank.tensor;
    if (rank.last && terms.vocabulary > 0) {
        const double perElement = layout.tensor > 1 ? terms.lossBytesLocal : terms.lossBytes;
        const double rows = terms.lossChunk > 0 ? std::min(tokens, terms.lossChunk) : tokens;
        buffers.loss += rows * terms.vocabulary / rank.tensor * perElement + terms.headGradientBytes * rank.head
            + tokens * terms.lossWhole;
    }
    buffers.step
        = rank.full ? 4.0 * std::min(m_stack.subGroupElements, rank.sharded(1.0)) : m_stack.reduceCopyBytes * all;
    buffers.step += m_stack.masterWeights && !rank.gathered ? buffers.working : 0.0;
    if (m_foreach)
        buffers.step
            += layout.sharding == Sharding::None ? terms.gradientBytes * all : rank.sharded(terms.gradientBytes);
    return buffers;
}

MemoryModel::Peaks MemoryModel::peaksOf(const Layout& layout, int stage) const
{
    const MemoryTerms& terms = m_terms;
    const Rank rank = rankOf(layout, stage);
    const Buffers buffers = buffersOf(layout, rank);
    const auto states = [&](double bytes, Sharding from) {
        return layout.sharding >= from ? rank.sharded(bytes) : bytes * rank.all();
    };
    Peaks peaks;
    const bool unsynchronised
        = m_stack.wholeGradients && rank.gathered && layout.accumulation > 1 && layout.pipeline == 1;
    peaks.weights = states(terms.weightBytes, Sharding::Full);
    peaks.loading = terms.quantised ? m_stack.quantisingBytes * rank.all() : 0.0;
    if (terms.frozen) {
        const double ranks = rank.full ? rank.ranks : 1.0;
        const bool shared = rank.full && !m_wholeBase;
        peaks.weights += terms.frozenTableBytes * rank.tables / ranks
            + terms.frozenBlockBytes * (rank.dense - rank.tables) / (shared ? ranks : 1.0)
            + terms.frozenExpertBytes * rank.experts / (shared ? rank.expertRanks : 1.0);
    }
    // Without a reduction in each pass whole gradients are added up on every rank (accelerate's no_sync).
    peaks.gradients
        = unsynchronised ? terms.gradientBytes * rank.all() : states(terms.gradientBytes, Sharding::Gradients);
    if (m_offload == Offload::None && m_paged) {
        // unified memory: what the allocator's counters do not see
    } else if (m_offload == Offload::None) {
        peaks.optimizer = states(terms.optimizerBytes, Sharding::OptimizerStates);
        peaks.gradientCopy
            = states(terms.gradientCopyBytes, m_stack.gradientCopySharded ? Sharding::OptimizerStates : Sharding::Full);
    } else {
        if (layout.sharding >= Sharding::Gradients || m_offloadGradients)
            peaks.gradients = 0;
        if (rank.full && m_offload == Offload::OptimizerAndParameters)
            peaks.weights = 0;
    }

    const double samples = static_cast<double>(layout.microBatch);
    const double tokens = m_sequence * samples / layout.context;
    const double boundary = tokens * terms.boundary * rank.wholeShare;
    const double layer = tokens * (terms.keptWhole * rank.wholeShare + terms.keptSplit / rank.tensor);
    double kept = rank.layers * inFlight(layout, stage) * layer;
    double live = tokens * (terms.liveWhole * rank.wholeShare + terms.liveSplit / rank.tensor);
    const double made = kept;
    if (m_stack.hostCheckpoints && rank.full && m_fullRecompute)
        kept = std::min(kept, 2.0 * boundary);
    if (m_offloadActivations) {
        live = std::max(live, layer);
        kept = (1.0 - m_stack.offloadedShare) * kept + m_stack.offloadedShare * std::min(kept, 3.0 * boundary);
    }
    peaks.offloaded = made - kept;
    if (m_fullRecompute && terms.frozen && rank.gathered && m_stack.heldInputGradients)
        live += rank.layers * boundary; // FSDP1's hooks of units without trainable parameters hold what reached them
    kept += (rank.first && !terms.frozen ? boundary : 0.0) + samples * terms.samplesBytes;

    const bool plain = layout.sharding == Sharding::None && m_stack.masterWeights;
    const bool accumulates = layout.accumulation > 1 && layout.pipeline == 1;
    const double early = m_stack.gradientsResident || plain || accumulates ? peaks.gradients : 0.0;
    const double base = peaks.weights + peaks.optimizer + peaks.gradientCopy + m_stack.workspaceBytes;
    const auto worst = [&](double gradients) {
        Peaks::Moment moment{peaks.gradients, 0.0, buffers.step, base + peaks.gradients + buffers.step};
        const auto offer = [&](double activations, double temporary) {
            const double bytes = base + gradients + activations + temporary;
            if (bytes > moment.bytes)
                moment = {gradients, activations, temporary, bytes};
        };
        offer(kept, buffers.working + std::max(buffers.loss, buffers.headBackward));
        offer(kept + live, buffers.working + buffers.blockBackward);
        return moment;
    };
    peaks.early = worst(early);
    peaks.late = worst(peaks.gradients);
    return peaks;
}

MemoryParts MemoryModel::partsOf(const Layout& layout, const Peaks& peaks, MemoryCounter counter) const
{
    const Peaks::Moment& moment = counter == MemoryCounter::Allocated ? peaks.early : peaks.late;
    MemoryParts parts;
    parts.weights = peaks.weights;
    parts.optimizer = peaks.optimizer;
    parts.gradients = moment.gradients + peaks.gradientCopy;
    parts.activations = moment.activations;
    parts.temporary = moment.temporary + m_stack.workspaceBytes;
    if (counter != MemoryCounter::Allocated)
        parts.overhead = std::max(moment.bytes * m_stack.reservedRatio, peaks.loading) - moment.bytes;
    if (counter == MemoryCounter::VendorTool)
        parts.overhead += m_contextBytes + (layout.gpus() > 1 ? m_stack.collectiveBytes : 0.0);
    return parts;
}

double MemoryModel::hostBytes(const Layout& layout) const
{
    if (m_offload == Offload::None && !m_paged)
        return 0.0;
    const MemoryTerms& terms = m_terms;
    const double all = terms.layers * (terms.splitParameters + terms.wholeParameters + terms.expertParameters)
        + terms.embedding + terms.head + terms.otherParameters;
    const double bytes = terms.optimizerBytes + std::max(terms.gradientBytes, 4.0)
        + (m_offload == Offload::OptimizerAndParameters ? terms.weightBytes + terms.frozenBlockBytes : 0.0);
    if (m_offload == Offload::None) // unified memory: room for the states, should all of them leave
        return terms.optimizerBytes * all * std::max(1, layout.gpusPerNode);
    const double nodes = std::max(1, layout.nodes);
    const double copies = layout.sharding == Sharding::None ? std::max(1, layout.gpusPerNode) : 1.0 / nodes;
    return hostBuffers * bytes * all * copies;
}

FitVerdict fitVerdict(double bytes, double usableBytes)
{
    return bytes <= surely * usableBytes  ? FitVerdict::Fits
        : bytes <= probably * usableBytes ? FitVerdict::Probably
        : bytes <= hardly * usableBytes   ? FitVerdict::Borderline
                                          : FitVerdict::DoesNotFit;
}

bool mayRun(const MemoryEstimate& memory)
{
    return memory.verdict <= FitVerdict::Probably && memory.totalBytes <= memory.usableBytes;
}

MemoryEstimate MemoryModel::finish(const Layout& layout, int stage, const Peaks& peaks, MemoryCounter counter) const
{
    MemoryEstimate result;
    result.parts = partsOf(layout, peaks, counter);
    result.totalBytes = result.parts.total();
    result.usableBytes = m_usableBytes;
    result.hostBytesPerNode = hostBytes(layout) + peaks.offloaded * layout.gpusPerNode;
    result.worstStage = stage;
    const double context = m_contextBytes + (layout.gpus() > 1 ? m_stack.collectiveBytes : 0.0);
    result.heldBytes = peaks.early.bytes * std::min(mostFragmentation, m_stack.reservedRatio) + context;
    result.verdict = fitVerdict(result.heldBytes, m_usableBytes);
    return result;
}

void MemoryModel::addBand(MemoryEstimate& estimate, const Layout& layout, MemoryCounter counter) const
{
    double spread = counter == MemoryCounter::Allocated ? m_stack.spreadAllocated
        : counter == MemoryCounter::Reserved            ? m_stack.spreadReserved
                                                        : m_stack.spreadVendorTool;
    if (m_assumedShape)
        spread = std::sqrt(spread * spread + shapeSpread * shapeSpread);
    estimate.lowBytes = estimate.totalBytes / (1.0 + spread);
    if (!m_packed) { // the peak is that of the longest sample; an epoch of short ones stays below
        MemoryModel usual = *this;
        usual.m_packed = true;
        usual.m_sequence *= paddedSampleShare;
        estimate.lowBytes = std::min(estimate.lowBytes,
            usual.partsOf(layout, usual.peaksOf(layout, estimate.worstStage), counter).total() / (1.0 + spread));
    }
    estimate.highBytes = estimate.totalBytes * (1.0 + spread);
}

MemoryEstimate MemoryModel::withoutBand(const Layout& layout, MemoryCounter counter) const
{
    // Stages between the second and the last hold no more than the second: fewer micro-batches, no tables.
    int worst = 0;
    Peaks peaks = peaksOf(layout, 0);
    const auto bytes = [counter](const Peaks& some) {
        return counter == MemoryCounter::Allocated ? some.early.bytes : some.late.bytes;
    };
    for (const int stage : {1, layout.pipeline - 1}) {
        if (stage <= worst || stage >= layout.pipeline)
            continue;
        if (const Peaks other = peaksOf(layout, stage); bytes(other) > bytes(peaks)) {
            peaks = other;
            worst = stage;
        }
    }
    return finish(layout, worst, peaks, counter);
}

MemoryEstimate MemoryModel::estimate(const Layout& layout, MemoryCounter counter) const
{
    MemoryEstimate result = withoutBand(layout, counter);
    addBand(result, layout, counter);
    return result;
}

MemoryEstimate MemoryModel::estimateStage(const Layout& layout, int stage, MemoryCounter counter) const
{
    MemoryEstimate result = finish(layout, stage, peaksOf(layout, stage), counter);
    addBand(result, layout, counter);
    return result;
}

MemoryParts MemoryModel::stage(const Layout& layout, int stage, MemoryCounter counter) const
{
    return partsOf(layout, peaksOf(layout, stage), counter);
}

} // namespace rankwright::inline planner
