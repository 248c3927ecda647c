// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/advice.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/remedies.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

// Weights and gradients in 16 bit, master weights and two moments of Adam in 32 bit: 2 + 2 + 12 bytes for each
// parameter (Rajbhandari et al. 2020, "ZeRO", arXiv 1910.02054, section 3.1).
constexpr double stateBytesPerParameter = 16;

/// In billions.
double parametersIn(double bytes) { return bytes / stateBytesPerParameter / 1e9; }

QString modelName(const PlannedRun& run)
{
    const ModelShape& shape = run.workload.shape;
    return shape.name.isEmpty() ? u"this model"_s : shape.name;
}

/// Bytes of weights, gradients and optimiser of one whole copy: what decides whether plain data parallelism can work.
double wholeStates(const DesignEstimate& estimate)
{
    Workload work = estimate.run.workload;
    work.offload = Offload::None;
    const MemoryParts parts = MemoryModel(work, stackOf(Framework::Pytorch), estimate.run.gpu).estimate(Layout()).parts;
    return parts.weights + parts.gradients + parts.optimizer;
}

QString statesSentence(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    return u"Weights, gradients and optimiser of %1 take %2; a %3 has %4."_s.arg(modelName(estimate.run),
        gibText(wholeStates(estimate)), resolved.node.gpu.word, gibText(estimate.run.gpu.usableBytes));
}

QString doesSentence(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    const Layout& layout = estimate.run.layout;
    const MemoryParts& parts = estimate.memory.parts;
    const double held = parts.weights + parts.gradients + parts.optimizer;
    const QString states = estimate.run.workload.offload == Offload::None
        ? gibText(held)
        : gibText(held) + u" (the rest in the node's memory)"_s;
    const int ranks = layout.data * layout.context;
    switch (resolved.strategy) {
    case Strategy::Single: return u"One %1 trains it alone: nothing has to be exchanged."_s.arg(resolved.node.gpu.word);
    case Strategy::Ddp:
    case Strategy::Horovod:
        return u"Each of the %1 ranks keeps a whole copy (%2) and only gradients travel, once per step: the simplest way, and the fastest while a copy fits."_s
            .arg(ranks)
            .arg(states);
    case Strategy::Zero1:
        return u"Splitting the optimiser over %1 ranks leaves %2 on each, at the traffic of plain data parallelism."_s
            .arg(ranks)
            .arg(states);
    case Strategy::Zero2:
        return u"Splitting optimiser and gradients over %1 ranks leaves %2 on each, at the traffic of plain data parallelism."_s
            .arg(ranks)
            .arg(states);
    case Strategy::Zero3:
    case Strategy::Fsdp:
        if (held < 0.01 * estimate.memory.totalBytes)
            return u"Sharded over %1 ranks they stay in the node's memory; every block is fetched when its turn comes."_s
                .arg(ranks);
        return u"Sharded over %1 ranks they take %2 on each; every block is gathered when its turn comes."_s.arg(ranks)
            .arg(states);
    case Strategy::Hsdp:
        return u"Sharded over the %1 ranks of a node they take %2 on each; between nodes only gradients travel."_s
            .arg(qMax(1, layout.shardGroup))
            .arg(states);
    case Strategy::Tensor:
        return u"Each layer is cut over %1 ranks of a node, which leaves %2 on each; they communicate in every layer."_s
            .arg(layout.tensor)
            .arg(states);
    case Strategy::Pipeline:
        return u"The layers are cut into %1 stages with %2 on the fullest; little travels, but stages wait in turn."_s
            .arg(layout.pipeline)
            .arg(states);
    case Strategy::ThreeD:
        return u"Cut over %1 tensor ranks and %2 stages, %3 are left on the fullest rank."_s.arg(layout.tensor)
            .arg(layout.pipeline)
            .arg(states);
    }
    return {};
}

QString verdictSentence(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    if (estimate.memory.verdict == FitVerdict::DoesNotFit || estimate.memory.verdict == FitVerdict::Borderline)
        return u"With %1 each rank needs %2 of %3."_s.arg(strategyWords(resolved.strategy),
            gibText(estimate.memory.totalBytes), gibText(estimate.memory.usableBytes));
    return doesSentence(estimate, resolved);
}

/// A design with a candidate's layout, estimated.
Result<DesignEstimate> estimateOf(const Candidate& candidate, JobSpec spec, const ClusterProfile& profile,
    const CalibrationTable& calibrations, ResolvedSpec& resolved)
{
    candidate.applyTo(spec);
    resolved = resolve(spec, profile);
    return estimateDesign(resolved, planBatch(resolved), profile, calibrations);
}

/// Of the front the layout with the number of GPUs nearest to `factor` times that of the best; null when none has more.
const Candidate* nearestSize(const QList<Candidate>& front, int gpus, int factor)
{
    const Candidate* nearest = nullptr;
    const auto distance = [&](const Candidate& one) { return qAbs(one.layout.gpus() - gpus * factor); };
    for (const Candidate& one : front) {
        if (one.layout.gpus() > gpus && (nearest == nullptr || distance(one) < distance(*nearest)))
            nearest = &one;
    }
    return nearest;
}

QString times(double ratio) { return humanNumber(ratio, ratio < 3 ? 2 : ratio < 20 ? 1 : 0) + u" times"_s; }

QString alternativeText(const Candidate& other, const Candidate& best, const QString& gpuWord)
{
    const QString size = other.layout.nodes == 1
        ? u"%1 %2s of one node"_s.arg(other.layout.gpusPerNode).arg(gpuWord)
        : u"%1 nodes with %2 %3s"_s.arg(other.layout.nodes).arg(other.layout.gpusPerNode).arg(gpuWord);
    QString text = u"%1 on %2: %3 as fast"_s.arg(
        strategyWords(other.strategy), size, times(other.tokensPerSecond / qMax(1e-9, best.tokensPerSecond)));
    if (other.cost && best.cost && *best.cost > 0)
        text += u", at %1 the cost"_s.arg(times(*other.cost / *best.cost));
    if (other.offload != Offload::None)
        text += u", offloading to the node's memory"_s;
    return text + u", %1 of %2."_s.arg(gibText(other.memoryBytes), gibText(other.usableBytes));
}

Error nothingFits(const SearchResult& found, const ResolvedSpec& resolved)
{
    const QString most = found.rejected.isEmpty() ? QString() : found.rejected.first().reason;
    const bool batch = most.startsWith(u"cannot split the global batch");
    return {Fault::Invalid,
        u"No layout of this model can be recommended on %1"_s.arg(resolved.spec.resources.nodes
                ? counted(resolved.worldSize(), resolved.node.gpu.word)
                : u"any number of %1s"_s.arg(resolved.node.gpu.word)),
        most.isEmpty() ? QString() : u"most layouts "_s + most,
        batch ? u"Choose a global batch that is a multiple of the number of GPUs."_s
              : u"Allow more nodes, a shorter sequence or a smaller model."_s};
}

} // namespace

QString strategyWords(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single: return u"one process"_s;
    case Strategy::Pipeline: return u"pipeline parallelism"_s;
    case Strategy::Tensor: return u"tensor parallelism"_s;
    case Strategy::ThreeD: return u"3D parallelism"_s;
    default: return strategyName(strategy);
    }
}

QString strategySummary(const ResolvedSpec& resolved)
{
    const NodeShape& node = resolved.node;
    const int ranks = resolved.worldSize();
    const double bytes = double(node.gpu.memory.count);
    const QString memory = node.gpu.memory.count > 0 ? humanBytes(node.gpu.memory, 0) : u"an unknown amount"_s;
    const QString one = humanNumber(parametersIn(bytes), 1);
    const QString all = humanNumber(parametersIn(bytes * ranks), 0);
    QStringList speeds;
    if (const auto inner = node.fastestLink(true))
        speeds.append(u"%1 GB/s inside a package"_s.arg(humanNumber(*inner)));
    else if (const auto outer = node.fastestLink(false))
        speeds.append(u"%1 GB/s between %2s"_s.arg(humanNumber(*outer), node.gpu.word));
    if (resolved.nodes > 1 && node.nicGigabytesPerSecond)
        speeds.append(u"%1 GB/s out of each node"_s.arg(humanNumber(*node.nicGigabytesPerSecond)));
    const QString over
        = speeds.isEmpty() ? u"over links whose speed is not published"_s : u"at %1"_s.arg(speeds.join(u", "_s));
    switch (resolved.strategy) {
    case Strategy::Single:
        return u"One process on one %1, nothing to exchange. With Adam in mixed precision %2 hold at most %3 billion "
               "parameters, less what activations take."_s.arg(node.gpu.word, memory, one);
    case Strategy::Ddp:
    case Strategy::Horovod:
        return u"Each of the %1 ranks keeps a whole copy: with Adam in mixed precision %2 hold at most %3 billion "
               "parameters, less what activations take. Once per step the gradients are averaged over all ranks, %4."_s
                   .arg(humanNumber(ranks), memory, one, over);
    default:
        return u"Weights, gradients and optimiser are split over %1 ranks: together their %2 each hold up to %3 "
               "billion parameters, one alone only %4. In return the pieces travel in every step, %5."_s.arg(
                   humanNumber(ranks), memory, all, one, over);
    }
}

QString strategyReason(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    return statesSentence(estimate, resolved) + u' ' + verdictSentence(estimate, resolved);
}

SearchLimits adviceLimits()
{
    SearchLimits limits;
    limits.objective = Objective::Recommended;
    limits.kept = Kept::Named;
    limits.usualSizes = true;
    limits.top = 400;
    return limits;
}

Result<Advice> advise(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const CalibrationTable& calibrations)
{
    auto advice = adviseAsNamed(resolved, batch, profile, calibrations);
    if (advice)
        return advice;
    const auto estimate = estimateDesign(resolved, batch, profile, calibrations);
    if (!estimate || mayRun(estimate->memory))
        return advice;
    const QList<Remedy> cures = remedies(resolved, profile, estimate, calibrations);
    Error error = advice.error();
    error.remedy = cures.isEmpty() ? noRemedyReason(resolved, profile, estimate)
                                   : u"%1: %2."_s.arg(cures.first().label, cures.first().effect);
    return fail(error);
}

Result<Advice> adviseAsNamed(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const CalibrationTable& calibrations)
{
    const auto found = searchLayouts(resolved, batch, profile, adviceLimits(), calibrations);
    if (!found)
        return fail(found.error());
    if (found->candidates.isEmpty())
        return fail(nothingFits(*found, resolved));
    Advice advice;
    advice.best = found->candidates.first();
    JobSpec spec = resolved.spec;
    spec.launcher.reset();
    ResolvedSpec then;
    const auto estimate = estimateOf(advice.best, spec, profile, calibrations, then);
    advice.strategy = advice.best.strategy;
    advice.launcher = resolved.spec.launcher.value_or(then.launcher);
    advice.nodes = advice.best.layout.nodes;
    advice.gpusPerNode = advice.best.layout.gpusPerNode;
    advice.reason = estimate ? strategyReason(*estimate, then) : QString();
    if (!found->opened.isEmpty())
        advice.reason = found->opened + u' ' + advice.reason;
    for (const Candidate& one : found->candidates) {
        if (one.layout.gpus() != advice.best.layout.gpus() || one.partition != advice.best.partition)
            continue;
        const bool reported = one.strategy == advice.strategy || advice.alternatives.size() >= 2
            || std::any_of(advice.alternatives.cbegin(), advice.alternatives.cend(),
                [&](const QString& text) { return text.startsWith(strategyWords(one.strategy)); });
        if (!reported)
            advice.alternatives.append(alternativeText(one, advice.best, resolved.node.gpu.word));
    }
    for (const int factor : {4, 16}) {
        if (const Candidate* larger = nearestSize(found->pareto, advice.best.layout.gpus(), factor))
            advice.alternatives.append(alternativeText(*larger, advice.best, resolved.node.gpu.word));
    }
    advice.alternatives.removeDuplicates();
    return advice;
}

} // namespace rankwright::inline planner
