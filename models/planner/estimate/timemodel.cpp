// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/timemodel.h"

#include "models/planner/estimate/stagelayers.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

/// The layout as doubles and what follows from it at once.
struct TimeModel::Ranks {
    double micro = 1; // b
    double passes = 1; // m
    double tensor = 1; // t
    double pipeline = 1; // p
    double context = 1; // c
    double replicas = 1; // data times context ranks: those that hold the same weights
    double expert = 1;
    double expertSplit = 1; // ranks that split each expert
    double chunks = 1; // v
    double perNode = 1;
    double linked = 1; // GPUs that NVLink joins: those of a node, or more
    double nodes = 1;
    double tokens = 1; // of a micro-batch on one rank
    double shard = 1; // ranks over which states are sharded
    double sequenceSplit = 1;
    double reduceRing = 1; // bytes/s among the replicas
    double gatherRing = 1;
    double tensorDoublings = 0;
    double shardDoublings = 0;
    bool evenSplit = true; // the width divides into multiples of 8
    bool fourScores = true; // score matrices of a rank come in fours
    bool tensorInNode = true;
    bool gathers = false; // weights are sharded and gathered block by block
    bool reshards = true;
    bool asyncTensor = false;
    bool sharded = false; // optimiser states at least
};

namespace {

/// Base 2 logarithm; 0 up to 1. From a table: the search asks for it several times for each layout.
double doublings(double ranks)
{
    static const std::array<double, 4097> table = [] {
        std::array<double, 4097> logs{};
        for (size_t i = 2; i < logs.size(); ++i)
            logs[i] = std::log2(static_cast<double>(i));
        return logs;
    }();
    if (ranks <= 1)
        return 0;
    if (ranks < 4096) {
        const auto below = static_cast<size_t>(ranks);
        return table[below] + (table[below + 1] - table[below]) * (ranks - static_cast<double>(below));
    }
    return std::log2(ranks);
}

double power(double base, double exponent) // a whole exponent
{
    double value = 1;
    for (double i = 0; i < exponent; ++i)
        value *= base;
    return value;
}

/// Share of the tokens none of whose experts is on one certain node. With groups of experts a token goes to some of the
/// groups alone (arXiv:2412.19437, node-limited routing); each node holds equally many of them, or a part of one.
double missedNode(const TimeWork& work, double nodes)
{
    const double here = work.groups / nodes;
    if (here <= 0 || (here > 1 && here != std::floor(here)))
        return power(1 - 1 / nodes, work.topK);
    const double chosen = work.groupsPerToken;
    if (here <= 1)
        return 1 - chosen / work.groups * (1 - power(1 - here / chosen, work.topK));
    double missed = 0;
    double share = 1; // of the tokens, with `taken` of this node's groups; first those with none
    for (double i = 0; i < chosen; ++i)
        share *= std::max(0.0, work.groups - here - i) / (work.groups - i);
    if (share <= 0) // more groups are chosen than the others have: a token always comes here
        return power(1 - 1 / nodes, work.topK);
    for (double taken = 0; taken <= std::min(here, chosen); ++taken) {
        missed += share * power(1 - taken / chosen, work.topK);
        share *= (here - taken) * (chosen - taken) / ((taken + 1) * (work.groups - here - chosen + taken + 1));
    }
    return missed;
}

/// max() with a soft corner: what is nearly as long as the other still costs something.
double softMax(double a, double b)
{
    const double a2 = a * a;
    const double b2 = b * b;
    return std::sqrt(std::sqrt(a2 * a2 + b2 * b2));
}

} // namespace

TimeModel::TimeModel(const Workload& workload, const TrainingStack& stack, const GpuFigures& gpu)
    : TimeModel(workload, stackSpeed(stack.name, gpu.gpuClass), stackKind(stack.name), gpu)
{ }

TimeModel::TimeModel(const Workload& workload, const StackSpeed& speed, const QString& kind, const GpuFigures& gpu)
    : m_speed(speed),
      m_work(timeWork(workload, speed, gpu, kind == u"megatron" ? StackKernels::Megatron : StackKernels::Plain)),
      m_memoryBandwidth(std::max(gpu.memoryBandwidth, 1e9)), m_nodeBus(std::max(gpu.nodeBusBandwidth, 1e8)),
      m_network(std::max(gpu.networkBandwidth, 1e8)), m_nodeRing(m_nodeBus * speed.nodeBus),
      m_networkRing(m_network * speed.network), m_gatherRing(m_network * speed.gatherNetwork),
      m_host(std::max(gpu.hostBandwidth, 1e9)), m_linkedGpus(gpu.linkedGpus), m_offload(workload.offload),
      m_offloadActivations(workload.offloadActivations)
{ }

TimeModel::Ranks TimeModel::ranksOf(const Layout& layout) const
{
    Ranks ranks;
    ranks.micro = static_cast<double>(layout.microBatch);
    ranks.passes = static_cast<double>(layout.accumulation);
    ranks.tensor = layout.tensor;
    ranks.pipeline = layout.pipeline;
    ranks.context = layout.context;
    ranks.replicas = static_cast<double>(layout.data) * layout.context;
    ranks.expert = std::max(1, layout.expert);
    ranks.expertSplit = layout.expertSplit();
    ranks.chunks = std::max(1, layout.virtualStages);
    ranks.perNode = std::max(1, layout.gpusPerNode);
    ranks.linked = std::max<double>(ranks.perNode, m_linkedGpus);
    ranks.nodes = std::max(1.0, ranks.replicas * ranks.tensor * ranks.pipeline / ranks.perNode);
    ranks.tokens = ranks.micro * m_work.sequence / ranks.context;
    ranks.shard = layout.shardGroup > 0 ? std::min<double>(layout.shardGroup, ranks.replicas) : ranks.replicas;
    ranks.sequenceSplit = layout.sequenceParallel ? ranks.tensor : 1.0;
    const qint64 split = m_work.width / layout.tensor;
    ranks.evenSplit = split * layout.tensor == m_work.width && split % 8 == 0;
    const qint64 scores = layout.microBatch * m_work.headCount;
    ranks.fourScores = scores % (4 * static_cast<qint64>(layout.tensor)) == 0;
    ranks.tensorDoublings = doublings(layout.tensor);
    ranks.shardDoublings = doublings(ranks.shard);
    ranks.tensorInNode = ranks.tensor <= ranks.linked;
    ranks.gathers = layout.sharding == Sharding::Full && ranks.shard > 1;
    ranks.reshards = layout.reshardAfterForward;
    ranks.asyncTensor = layout.asyncTensor;
    ranks.sharded = layout.sharding != Sharding::None;
    // The tensor ranks of a node each have a ring of their own and share the network cards.
    const bool spans = ranks.replicas * ranks.tensor > ranks.linked;
    const bool shardSpans = ranks.shard * ranks.tensor > ranks.linked;
    const double cards = ranks.linked / ranks.perNode / ranks.tensor;
    ranks.reduceRing = spans ? std::min(m_nodeRing, m_networkRing * cards) : m_nodeRing;
    ranks.gatherRing = shardSpans ? std::min(m_nodeRing, m_gatherRing * cards) : m_nodeRing;
    return ranks;
}

double TimeModel::computeOf(const Ranks& ranks) const
{
    const TimeWork& work = m_work;
    double linear = 0;
    double experts = 0;
    double elementwise = 0;
    double attention = 0;
    if (work.convolution > 0) {
        linear = 2 * ranks.micro * work.convolution / (work.peak * m_speed.convolutionEfficiency);
        elementwise = m_speed.convolutionTraffic * ranks.micro * work.featureMaps * work.bytes / m_memoryBandwidth;
    } else {
        const double size = std::cbrt(ranks.tokens * work.hidden * work.denseWidth / ranks.tensor);
        const double efficiency = m_speed.linearEfficiency * size / (size + work.rollOff);
        const bool aligned = work.alignedHeads && ranks.evenSplit;
        linear = 2 * ranks.tokens * work.linear / ranks.tensor / (work.peak * work.float8 * efficiency)
            * (aligned ? 1.0 : 1 + m_speed.misaligned);
        if (work.experts > 0) {
            // Each rank's experts get their share of the tokens of all ranks that share one set.
            const double rows
                = ranks.expert * ranks.expertSplit * ranks.tokens / ranks.tensor * work.topK / work.experts;
            const double one = std::cbrt(rows * work.hidden * work.ffn / ranks.expertSplit);
            experts = 2 * ranks.tokens * work.expertLinear / ranks.tensor
                / (work.peak * work.groupedFloat8 * m_speed.linearEfficiency * m_speed.expertEfficiency * one
                    / (one + work.expertRollOff));
        }
        attention = 2 * ranks.tokens * work.sequence * (work.queryWidth + work.valueWidth) / ranks.tensor * work.causal
            / (work.peak * m_speed.attentionEfficiency);
        if (work.materialisedScores)
            attention += m_speed.scoreTraffic * work.heads * work.sequence * ranks.tokens / ranks.tensor * work.bytes
                / m_memoryBandwidth;
        elementwise = m_speed.elementwise * work.fused * work.wideStream * ranks.tokens * work.bytes
            * (8 * work.hidden / ranks.sequenceSplit + work.blockElements / ranks.tensor) / m_memoryBandwidth;
    }
    const double adapters = work.adapterTraffic * ranks.tokens / ranks.tensor / m_memoryBandwidth;
    const double unpacking = work.dequantiseBytes * work.weights / ranks.tensor / m_memoryBandwidth;
    return adapters * (3 + work.recomputeElementwise) + unpacking * (2 + work.recomputeLinear)
        + linear * (work.forwards + work.recomputeLinear) + experts * (work.forwards + work.recomputeExperts)
        + elementwise * (3 + work.recomputeElementwise) + attention * (3 + work.recomputeAttention);
}

double TimeModel::launchOf(const Ranks& ranks) const
{
    double launch = m_work.launch * (1 + m_speed.backwardLaunch + m_work.recomputePasses)
        * (1 + m_speed.tensorLaunch * ranks.tensorDoublings) * (1 + m_speed.contextLaunch * doublings(ranks.context));
    // Megatron's fused softmax works on four score matrices at a time; else a chain of kernels takes its place.
    if (m_work.megatronSoftmax && !ranks.fourScores)
        launch *= m_speed.unfusedSoftmax;
    return launch;
}

double TimeModel::collectivesOf(const Ranks& ranks) const
{
    const TimeWork& work = m_work;
    const double latency = m_speed.collectiveLatency * (ranks.tensorInNode ? 1 : 2);
    const double activations = work.bytes * ranks.tokens * work.hidden;
    double seconds = 0;
    if (ranks.tensor > 1) {
        // Whole experts take the tokens as the sequence-parallel ranks hold them: only attention gathers and scatters.
        const double split = work.experts > 0 && ranks.expertSplit == 1 ? 0.5 : 1.0;
        const double ring = ranks.tensorInNode ? m_nodeRing : std::min(m_nodeBus, m_networkRing);
        constexpr double hidden = 0.4; // of asynchronous tensor parallelism
        seconds += split * work.collectives * (latency + 2 * (ranks.tensor - 1) / ranks.tensor * activations / ring)
            * (ranks.asyncTensor || m_speed.overlapsTensor ? 1 - hidden : 1.0);
    }
    if (ranks.context > 1) {
        constexpr double shown = 0.3; // the ring of keys and values runs beside the attention
        const double link = ranks.tensor * ranks.context <= ranks.linked ? m_nodeBus : m_network / ranks.perNode;
        seconds += shown * 2 * (ranks.context - 1) * (latency + 4 * work.keyWidth * ranks.tokens / ranks.tensor / link);
    }
    return seconds + dispatchOf(ranks);
}

/// All-to-all of a micro-batch's tokens to their experts and back, forward and backward. Of the expert ranks, which are
/// neighbours, those of a node share its links; what leaves the node goes over a card of each GPU.
double TimeModel::dispatchOf(const Ranks& ranks) const
{
    if (ranks.expert <= 1)
        return 0;
    const TimeWork& work = m_work;
    const double group = ranks.expert * ranks.expertSplit;
    const double nodes = std::max(1.0, group / ranks.linked);
    const double inNode = group / nodes;
    const double token = work.bytes * ranks.tokens * work.hidden / ranks.tensor;
    double across = (nodes - 1) / nodes * work.topK * token / ranks.expertSplit;
    if (m_speed.dispatchesByNode && nodes > 1) {
        across = std::min(across, (nodes - 1) * (1 - missedNode(work, nodes)) * token);
    }
    const double inside = (inNode - 1) / inNode / nodes * work.topK * token;
    const double latency = m_speed.collectiveLatency * (nodes > 1 ? 4 : 2);
    const double one = latency + std::max(inside / m_nodeRing, across * ranks.perNode / m_networkRing);
    // Hidden where the stack overlaps it. Megatron Bridge's comparison of Qwen3 30B-A3B on 16 H100 with and without
    // (skills/nemo-mbridge-perf-expert-parallel-overlap at 067f987): 3.72 s of 24.71 s are saved; without, 9.079 ms are
    // 0.11 % of the communication, which is therefore 8.25 s.
    constexpr double overlapped = 0.45;
    return (work.recomputeExperts == 1 ? 6 : 4) * one * (m_speed.dispatchesByNode ? 1 - overlapped : 1);
}

/// Weights of one block on a rank, and how many of them the optimiser of a rank steps.
double TimeModel::blockWeights(const Ranks& ranks) const
{
    return (m_work.weights - m_work.expertWeights) / ranks.tensor
        + m_work.expertWeights / (ranks.expertSplit * ranks.expert);
}

double TimeModel::gathersOf(const Ranks& ranks) const
{
    if (!ranks.gathers)
        return 0;
    const double share = (ranks.shard - 1) / ranks.shard * blockWeights(ranks);
    const double latency = m_speed.collectiveLatency * (1 + 0.15 * ranks.shardDoublings);
    const double gather = share * m_work.gatherBytes / ranks.gatherRing + latency;
    const double reduce = (share * m_work.gradientBytes / ranks.gatherRing + latency) * m_work.trained;
    return gather * (ranks.reshards ? 2 : 1) + reduce;
}

TimeModel::Block TimeModel::block(const Ranks& ranks) const
{
    const double compute = computeOf(ranks);
    const double launch = launchOf(ranks);
    const double busy = softMax(compute + collectivesOf(ranks), launch);
    const double gathers = gathersOf(ranks);
    Block block;
    block.pure = softMax(compute, launch);
    block.whole = std::max(busy, gathers) + (1 - m_speed.gatherOverlap) * std::min(busy, gathers);
    if (m_offloadActivations) // two hidden states in 16 bit out and back, three of them in all
        block.whole += 12 * ranks.tokens * m_work.hidden / m_host;
    return block;
}

TimeModel::Block TimeModel::head(const Ranks& ranks) const
{
    Block head;
    if (m_work.vocab <= 0)
        return head;
    constexpr double wide = 0.9; // of the best efficiency: a wide product with a short side
    const double weights = m_work.vocab * m_work.hidden / ranks.tensor;
    head.pure = 6 * ranks.tokens * weights / (m_work.peak * m_speed.linearEfficiency * wide)
        + m_speed.lossTraffic * m_work.fused * ranks.tokens * m_work.vocab / ranks.tensor * 2 / m_memoryBandwidth;
    head.whole = head.pure;
    if (ranks.gathers)
        head.whole += weights * m_work.gatherBytes * 3 / ranks.gatherRing * (1 - m_speed.gatherOverlap);
    return head;
}

double TimeModel::handOver(const Ranks& ranks) const
{
    if (ranks.pipeline <= 1)
        return 0;
    const bool acrossNodes = ranks.tensor * ranks.replicas >= ranks.linked;
    const double link = (acrossNodes ? m_networkRing / ranks.perNode : 0.4 * m_nodeRing) * m_speed.sendBandwidth;
    return m_speed.sendLatency + 2 * m_work.bytes * ranks.tokens * m_work.hidden / link / ranks.tensor;
}

double TimeModel::reduction(const Ranks& ranks, double forwardAndBackward) const
{
    const double replicas = ranks.replicas;
    if (replicas <= 1)
        return 0;
    const double held
        = (m_work.layers / ranks.pipeline * blockWeights(ranks) + m_work.vocab * m_work.hidden / ranks.tensor)
        * m_work.trained;
    double seconds = 0;
    if (!ranks.gathers) {
        const double latency = m_speed.collectiveLatency * 0.3 * std::max(1.0, doublings(replicas));
        seconds = 2 * (replicas - 1) / replicas * m_work.gradientBytes * held / ranks.reduceRing + 2 * latency;
    } else if (ranks.shard < replicas) {
        const double groups = replicas / ranks.shard;
        seconds = 2 * (groups - 1) / groups * 4 * held / ranks.shard / ranks.reduceRing * ranks.tensor;
    }
    constexpr double window = 0.6; // of a pass over the micro-batch is its backward part
    return seconds - m_speed.reduceOverlap * std::min(seconds, window * forwardAndBackward);
}

double TimeModel::optimizer(const Ranks& ranks) const
{
    const double shards = ranks.sharded ? std::max(1.0, ranks.shard) : 1.0;
    // Fewer ranks hold the same experts than the same attention.
    const double alike = std::max(1.0, shards * ranks.tensor / (ranks.expert * ranks.expertSplit));
    const double blocks = m_work.layers / ranks.pipeline
        * ((m_work.weights - m_work.expertWeights) / ranks.tensor / shards
            + m_work.expertWeights / (ranks.expertSplit * ranks.expert) / (ranks.sharded ? alike : 1.0));
    const double held = (blocks + m_work.vocab * m_work.hidden / ranks.tensor / shards) * m_work.trained;
    const double tensors = (ranks.gathers ? 6 : m_work.tensors) * std::ceil(m_work.layers / ranks.pipeline);
    if (m_offload == Offload::None)
        return held * m_work.optimizerBytes / (m_memoryBandwidth * m_speed.optimizerBandwidth)
            + tensors * m_speed.optimizerLaunch;
    constexpr double sockets = 2; // the processor's step; gradients go out, weights come back
    return held * (m_speed.hostOptimizer * ranks.perNode / sockets + 4 / m_host);
}

StepEstimate TimeModel::estimate(const Layout& layout) const
{
    const Ranks ranks = ranksOf(layout);
    const Block block = this->block(ranks);
    Block head = this->head(ranks);
    double whole = m_work.layers * block.whole + head.whole;
    double pure = m_work.layers * block.pure + head.pure;
    StepEstimate step;
    if (ranks.pipeline > 1) {
        // 1F1B: every micro-batch passes the slowest stage; filling and draining cost the other stages once,
        // divided by the chunks (Narayanan et al. 2021, section 2.2).
        const StageLayers cut = stageLayers(static_cast<int>(m_work.layers), layout);
        const double most = cut.most();
        const double last = cut.last;
        const double slowest = std::max(most * block.whole, last * block.whole + head.whole);
        const double slowestPure = std::max(most * block.pure, last * block.pure + head.pure);
        step.parts.bubble = std::max(0.0, whole - slowest) / ranks.chunks;
        step.parts.communication = (ranks.passes * ranks.chunks + ranks.pipeline - 1) * handOver(ranks);
        step.parts.compute = ranks.passes * slowestPure;
        step.parts.communication += ranks.passes * (slowest - slowestPure);
    } else {
        step.parts.compute = ranks.passes * pure;
        step.parts.communication = ranks.passes * (whole - pure);
    }
    if (m_offload == Offload::OptimizerAndParameters) // weights come from the node's memory for each pass
        step.parts.communication += ranks.passes * 2 * m_work.gatherBytes * m_work.layers * m_work.weights
            / ranks.pipeline / ranks.tensor / std::max(1.0, ranks.shard) / m_host;
    step.parts.communication += reduction(ranks, whole / ranks.pipeline);
    step.parts.other = optimizer(ranks) + m_speed.stepOverhead;
    step.parts.communication += step.parts.total() * m_speed.straggling * doublings(ranks.nodes);
    step.seconds = step.parts.total();
    step.lowSeconds = step.seconds / (1 + m_speed.spread);
    step.highSeconds = step.seconds * (1 + m_speed.spread);
    const double samples = ranks.micro * ranks.passes * ranks.replicas / ranks.context;
    const double gpuSeconds = step.seconds * ranks.replicas * ranks.tensor * ranks.pipeline;
    const double tokens = m_work.samplesOnly ? 1.0 : m_work.sequence * m_work.realShare;
    step.tokensPerSecondPerGpu = samples * tokens / gpuSeconds;
    step.teraflopsPerGpu = samples * m_work.modelFlops / gpuSeconds / 1e12;
    step.mfu = step.teraflopsPerGpu * 1e12 / m_work.labelPeak;
    return step;
}

} // namespace rankwright::inline planner
