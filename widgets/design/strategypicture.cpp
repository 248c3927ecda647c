// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/strategypicture.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using Picture = StrategyPicture;

/// In powers of ten, as links are rated.
QString gigabytes(double bytes)
{
    const double value = bytes / 1e9;
    return value < 0.1 ? tr("%1 MB").arg(humanNumber(bytes / 1e6, bytes < 1e7 ? 1 : 0))
                       : tr("%1 GB").arg(humanNumber(value, value < 10 ? 1 : 0));
}

double computeBytes(Precision precision)
{
    return precision == Precision::Fp32 || precision == Precision::Tf32 ? 4 : 2;
}

/// What a rank sends per step. A ring all-reduce of G bytes sends 2 (N-1)/N G (Patarasuk and Yuan 2009), ZeRO-1 and -2
/// the same in two halves, ZeRO-3 gathers the weights twice and scatters the gradients once (Rajbhandari et al. 2020,
/// 1910.02054, section 7) in every pass.
QString exchangeText(const PlannedRun& run, const Picture::Data& data)
{
    if (data.ranks <= 1)
        return tr("One rank: nothing travels.");
    const auto share = [](double bytes, int ranks) { return bytes * (ranks - 1) / ranks; };
    const Layout& layout = run.layout;
    const double weights
        = double(run.parameters.total) * computeBytes(run.workload.precision) / (layout.tensor * layout.pipeline);
    const double gradients = data.whole[1];
    switch (layout.sharding) {
    case Sharding::None:
        return tr("Ring all-reduce of the gradients: each rank sends %1 per step.")
            .arg(gigabytes(2 * share(gradients, data.ranks)));
    case Sharding::OptimizerStates:
    case Sharding::Gradients:
        return tr("Gradients go to the rank that owns them, new weights come back: %1 sent by each rank per step.")
            .arg(gigabytes(share(gradients, data.ranks) + share(weights, data.ranks)));
    case Sharding::Full: break;
    }
    const int group = qMax(1, data.shardGroup);
    const double gathers = layout.reshardAfterForward ? 2 : 1;
    const double pass = gathers * share(weights, group) + share(gradients, group);
    const QString within
        = tr("Each layer's weights are gathered just before use, gradients scattered: %1 sent by each rank "
             "per pass.")
              .arg(gigabytes(pass));
    if (group >= data.ranks)
        return within;
    return within + tr(" Between the groups %1 per step.").arg(gigabytes(2 * share(data.each[1], data.ranks / group)));
}

Picture::Data dataOf(const DesignEstimate& estimate)
{
    const Layout& layout = estimate.run.layout;
    const MemoryParts& parts = estimate.memory.parts;
    Picture::Data data;
    data.ranks = qMax(1, layout.data * layout.context);
    const int group = layout.shardGroup > 0 ? qMin(layout.shardGroup, data.ranks) : data.ranks;
    data.sharded = {layout.sharding == Sharding::Full, layout.sharding >= Sharding::Gradients,
        layout.sharding >= Sharding::OptimizerStates};
    data.shardGroup = layout.sharding == Sharding::None ? 1 : group;
    data.each = {parts.weights, parts.gradients, parts.optimizer};
    for (size_t row = 0; row < 3; ++row)
        data.whole[row] = data.each[row] * (data.sharded[row] ? group : 1);
    if (data.shardGroup > 1 && data.shardGroup < data.ranks)
        data.groupWord = data.shardGroup == layout.gpusPerNode ? tr("node") : tr("group");
    data.exchange = exchangeText(estimate.run, data);
    return data;
}

Picture::Tensor tensorOf(const PlannedRun& run)
{
    const ModelShape& shape = run.workload.shape;
    Picture::Tensor tensor;
    tensor.ranks = run.layout.tensor;
    tensor.heads = shape.heads;
    tensor.hidden = shape.hidden;
    tensor.qkv = shape.queryWidth() + 2 * shape.keyWidth();
    tensor.ffn = shape.ffn;
    tensor.gated = shape.gatedMlp;
    // Two all-reduces in the forward and two in the backward pass of a layer, each of the layer's output (Shoeybi et
    // al. 2019, 1909.08053, section 3).
    const double message = double(run.layout.microBatch) * double(run.workload.sequence) * double(shape.hidden)
        * computeBytes(run.workload.precision);
    tensor.caption
        = tr("Each rank: %1 of %2 heads, %3 of %4 MLP columns. Four exchanges of %5 per layer belong on a node's fast "
             "links.")
              .arg(humanNumber(double(shape.heads) / tensor.ranks), humanNumber(shape.heads),
                  humanNumber(double(shape.ffn) / tensor.ranks, 0), humanNumber(double(shape.ffn)), gigabytes(message));
    return tensor;
}

Picture::Pipeline pipelineOf(const PlannedRun& run)
{
    const Layout& layout = run.layout;
    Picture::Pipeline pipeline;
    const int layers = run.workload.shape.layers;
    const int stages = layout.pipeline;
    int next = 1;
    const StageLayers cut = stageLayers(layers, layout);
    for (int stage = 0; stage < stages; ++stage) {
        const int count = cut.of(stage, stages);
        QString extra;
        if (stage == 0)
            extra = tr("embedding");
        if (stage + 1 == stages)
            extra = tr("output");
        pipeline.stages.append({next, next + count - 1, extra});
        next += count;
    }
    pipeline.microBatches = layout.accumulation;
    pipeline.virtualStages = layout.schedule == PipelineSchedule::Interleaved ? qMax(1, layout.virtualStages) : 1;
    pipeline.schedule = layout.schedule;
    pipeline.backwardPerForward = run.workload.recompute == Recompute::Full ? 3 : 2;
    pipeline.idleShare = pipelineIdleShare(stages, layout.accumulation, pipeline.virtualStages);
    pipeline.caption
        = tr("%1 micro-batches through %2 stages: %3 of the time a stage waits.%4")
              .arg(humanNumber(double(layout.accumulation)), humanNumber(stages), shareText(pipeline.idleShare),
                  layout.accumulation < 4 * stages
                      ? tr(" Four micro-batches per stage would bring it to %1.")
                            .arg(shareText(pipelineIdleShare(stages, 4LL * stages, pipeline.virtualStages)))
                      : QString());
    return pipeline;
}

QString titleOf(const PlannedRun& run, const ResolvedSpec& resolved)
{
    const QString word = resolved.node.gpu.word;
    const QString name = strategyName(resolved.strategy);
    if (run.layout.tensor * run.layout.pipeline > 1)
        return tr("%1: %2").arg(name, EstimateText::degreesInWords(run.layout));
    return tr("%1 over %2 %3s").arg(name, humanNumber(run.layout.gpus()), word);
}

} // namespace

StrategyPicture strategyPicture(
    const Result<DesignEstimate>& estimate, const ResolvedSpec& resolved, const BatchPlan& batch)
{
    StrategyPicture picture;
    if (!estimate) {
        picture.title = strategyName(resolved.strategy);
        picture.unknown = EstimateText::verdictSummary(estimate);
        picture.phases = {stepPhases(motionFigures(resolved, batch, estimate)), resolved.worldSize(), picture.unknown};
        return picture;
    }
    const PlannedRun& run = estimate->run;
    picture.title = titleOf(run, resolved);
    picture.order = {qMax(1, run.layout.tensor), qMax(1, run.layout.context), qMax(1, run.layout.data),
        qMax(1, run.layout.pipeline)};
    if (run.layout.data * run.layout.context > 1 || !picture.order.splitsModel())
        picture.data = dataOf(*estimate);
    if (run.layout.tensor > 1)
        picture.tensor = tensorOf(run);
    if (run.layout.pipeline > 1)
        picture.pipeline = pipelineOf(run);
    return picture;
}

} // namespace rankwright
