// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/modelfit.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/memorymodel.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr qint64 mostSamples = 4096; // beyond, a larger micro-batch gains nothing

/// By the table of stacks what a named one does; simplest first.
QList<Strategy> simplestFirst(const ResolvedSpec& resolved)
{
    const auto& framework = resolved.spec.training.framework;
    if (resolved.spec.launcher == Launcher::Horovod)
        return {Strategy::Horovod};
    if (framework == Framework::Deepspeed || resolved.spec.launcher == Launcher::Deepspeed)
        return {Strategy::Zero1, Strategy::Zero2, Strategy::Zero3};
    if (!framework)
        return {Strategy::Ddp, Strategy::Fsdp};
    QList<Strategy> known{Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Tensor};
    known.removeIf([&](Strategy strategy) { return supportOf(*framework, strategy) != Support::Yes; });
    return known.isEmpty() ? QList{Strategy::Ddp, Strategy::Fsdp} : known;
}

/// One sample a rank: the least that a strategy needs.
std::optional<MemoryEstimate> leastMemory(ResolvedSpec resolved, Strategy strategy, const ClusterProfile& profile)
{
    resolved.strategy = strategy;
    const auto& asked = resolved.spec.parallel;
    const int world = resolved.worldSize();
    resolved.tensor = qBound(1, asked.tensor.value_or(openTensorDegree(strategy, resolved.gpusPerNode)), world);
    resolved.pipeline = qBound(1,
        asked.pipeline.value_or(openPipelineDegree(strategy, resolved.nodes, resolved.gpusPerNode, resolved.tensor)),
        qMax(1, world / resolved.tensor));
    resolved.context = qBound(1, asked.context.value_or(1), qMax(1, world / (resolved.tensor * resolved.pipeline)));
    BatchPlan batch;
    batch.microBatch = batch.gradientAccumulation = 1;
    const auto run = planRun(resolved, batch, profile);
    if (!run || !checkLayout(run->workload, run->layout))
        return std::nullopt;
    return MemoryModel(run->workload, stackOf(run->stack), run->gpu).estimate(run->layout);
}

QString words(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Ddp: return u"a whole copy on each"_s;
    case Strategy::Zero1: return u"the optimiser split"_s;
    case Strategy::Zero2: return u"optimiser and gradients split"_s;
    case Strategy::Zero3:
    case Strategy::Fsdp: return u"weights, gradients and optimiser sharded"_s;
    case Strategy::Tensor: return u"each layer split within a node"_s;
    default: return u"the usual way"_s;
    }
}

} // namespace

int openTensorDegree(Strategy strategy, int gpusPerNode)
{
    return strategy == Strategy::Tensor || strategy == Strategy::ThreeD ? gpusPerNode : 1;
}

int openPipelineDegree(Strategy strategy, int nodes, int gpusPerNode, int tensor)
{
    const bool pipeline = strategy == Strategy::Pipeline;
    if (!pipeline && strategy != Strategy::ThreeD)
        return 1;
    const int degree = nodes > 1 ? nodes : pipeline ? gpusPerNode : 1;
    return nodes * gpusPerNode % (degree * qMax(1, tensor)) == 0 ? degree : 1;
}

std::optional<StrategyChoice> strategyForModel(const ResolvedSpec& soFar, const ClusterProfile& profile)
{
    if (soFar.model.isEmpty() || soFar.worldSize() < 2)
        return std::nullopt;
    std::optional<StrategyChoice> best;
    double least = 0;
    QString before;
    for (const Strategy strategy : simplestFirst(soFar)) {
        const auto memory = leastMemory(soFar, strategy, profile);
        if (!memory)
            continue;
        const QString need = gibText(memory->totalBytes);
        if (mayRun(*memory))
            return StrategyChoice{strategy,
                u"%1with %2 each %3 needs %4 of %5"_s.arg(
                    before, words(strategy), soFar.node.gpu.word, need, gibFigure(memory->usableBytes))};
        before = u"with %1 each would need %2; "_s.arg(words(strategy), need);
        if (!best || memory->totalBytes < least) {
            best = StrategyChoice{strategy,
                u"nothing fits on %1 %2s; with %3 each needs least: %4 of %5"_s.arg(QString::number(soFar.worldSize()),
                    soFar.node.gpu.word, words(strategy), need, gibFigure(memory->usableBytes))};
            least = memory->totalBytes;
        }
    }
    return best;
}

namespace {

/// Which recomputation a search may take where the design leaves it open.
enum class Recomputing { Written, Any };

/// The first way of recomputing with which the model fits on this many nodes; empty: none.
std::optional<SizeChoice> waysOf(ResolvedSpec soFar, int nodes, Recomputing allowed, const ClusterProfile& profile)
{
    using Way = std::optional<ActivationCheckpointing>;
    const bool isOpen = !soFar.spec.training.activationCheckpointing;
    QList<Way> ways{soFar.spec.training.activationCheckpointing};
    if (isOpen)
        ways << Way(ActivationCheckpointing::Selective) << Way(ActivationCheckpointing::Full);
    QList<Strategy> strategies = simplestFirst(soFar);
    if (soFar.spec.parallel.strategy)
        strategies = {*soFar.spec.parallel.strategy};
    soFar.nodes = nodes;
    for (const Way& way : std::as_const(ways)) {
        soFar.activationCheckpointing = way;
        for (const Strategy strategy : std::as_const(strategies)) {
            soFar.strategy = strategy;
            const bool isWritten = !way || !isOpen || writesRecomputing(soFar, *way);
            if (!isWritten && allowed == Recomputing::Written)
                continue;
            const auto memory = leastMemory(soFar, strategy, profile);
            if (memory && mayRun(*memory))
                return SizeChoice{nodes, way,
                    u"the fewest with which the model fits: %1 of %2 on each %3"_s.arg(
                        gibFigure(memory->totalBytes), gibText(memory->usableBytes), soFar.node.gpu.word),
                    {}, !isWritten};
        }
    }
    return std::nullopt;
}

/// More nodes never need more memory: doubling, then halving finds the fewest. Not where stages follow the number of
/// nodes: many numbers of stages cannot be had, so one after the other is tried.
std::optional<SizeChoice> fewestNodes(
    const ResolvedSpec& soFar, int most, Recomputing allowed, const ClusterProfile& profile)
{
    const auto strategy = soFar.spec.parallel.strategy;
    const bool staged = strategy == Strategy::Pipeline || strategy == Strategy::ThreeD
        || soFar.spec.parallel.pipeline.value_or(1) > 1;
    int bad = 0, good = 1;
    std::optional<SizeChoice> best = waysOf(soFar, good, allowed, profile);
    while (!best && good < most) {
        bad = good;
        good = staged ? good + 1 : qMin(most, good * 2);
        best = waysOf(soFar, good, allowed, profile);
    }
    while (best && !staged && good - bad > 1) {
        const int middle = bad + (good - bad) / 2;
        if (const auto fits = waysOf(soFar, middle, allowed, profile)) {
            best = fits;
            good = middle;
        } else {
            bad = middle;
        }
    }
    return best;
}

/// May the layers be split as well, as far as the design leaves that open and its stack knows it?
bool maySplitLayers(const ResolvedSpec& soFar)
{
    const auto& asked = soFar.spec.parallel;
    const Framework framework = soFar.spec.training.framework.value_or(Framework::Generic);
    const bool knows
        = framework == Framework::Generic || framework == Framework::Pytorch || framework == Framework::Fsdp2;
    const Launcher launcher = soFar.spec.launcher.value_or(Launcher::Torchrun);
    return knows && (launcher == Launcher::Torchrun || launcher == Launcher::Srun) && !asked.tensor && !asked.pipeline
        && !asked.context && asked.strategy.value_or(Strategy::Fsdp) == Strategy::Fsdp && soFar.gpusPerNode > 1
        && soFar.spec.training.offload.value_or(Offload::None) == Offload::None;
}

/// Sharded, and each layer split over the GPUs of a node.
std::optional<SizeChoice> fewestNodesSplit(ResolvedSpec soFar, int most, const ClusterProfile& profile)
{
    if (!maySplitLayers(soFar))
        return std::nullopt;
    soFar.spec.parallel.strategy = Strategy::Fsdp;
    soFar.spec.parallel.tensor = soFar.gpusPerNode;
    auto size = fewestNodes(soFar, most, Recomputing::Any, profile);
    if (size)
        size->tensor = soFar.gpusPerNode;
    return size;
}

constexpr int splitPays = 4; // layers are split where keeping them whole takes this many times the nodes

} // namespace

std::optional<SizeChoice> sizeForModel(const ResolvedSpec& soFar, int most, const ClusterProfile& profile)
{
    if (soFar.model.isEmpty() || soFar.spec.parallel.strategy == Strategy::Single || most < 1)
        return std::nullopt;
    auto best = fewestNodes(soFar, most, Recomputing::Written, profile);
    const bool isOpen = !soFar.spec.training.activationCheckpointing;
    if (!best && isOpen)
        best = fewestNodes(soFar, most, Recomputing::Any, profile);
    if (best && (!best->recomputingUnwritten || best->nodes < splitPays))
        return best;
    const auto split = fewestNodesSplit(soFar, best ? best->nodes / splitPays : most, profile);
    return split ? split : best;
}

std::optional<MicroBatchChoice> microBatchForModel(const ResolvedSpec& soFar, const ClusterProfile& profile)
{
    const auto& training = soFar.spec.training;
    if (soFar.model.isEmpty() || training.microBatch || !training.globalBatch || *training.globalBatch < 1)
        return std::nullopt;
    const qint64 ranks = soFar.dataParallel();
    // What cannot be split evenly becomes the nearest that can, which is what memory is asked about.
    const qint64 share = qMax<qint64>(1, (*training.globalBatch + ranks / 2) / ranks);
    BatchPlan batch;
    batch.microBatch = batch.gradientAccumulation = 1;
    const auto run = planRun(soFar, batch, profile);
    if (!run || !checkLayout(run->workload, run->layout))
        return std::nullopt;
    const MemoryModel model(run->workload, stackOf(run->stack), run->gpu);
    qint64 best = 0;
    Layout layout = run->layout;
    for (qint64 micro = 1; micro <= qMin(share, mostSamples); ++micro) {
        if (share % micro != 0)
            continue;
        layout.microBatch = micro;
        layout.accumulation = share / micro;
        if (!mayRun(model.estimate(layout)))
            break;
        best = micro;
    }
    if (best == 0)
        return MicroBatchChoice{1, u"not even one sample fits"_s};
    const QString reason = best == share ? u"all %1 samples of a rank fit at once"_s.arg(share)
                                         : u"the largest that fits and divides the %1 samples of a rank"_s.arg(share);
    return MicroBatchChoice{best, reason};
}

} // namespace rankwright::inline planner
