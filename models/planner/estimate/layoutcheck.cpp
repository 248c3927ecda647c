// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/layoutcheck.h"

#include "models/planner/estimate/stagelayers.h"

#include <QStringList>

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr qint64 mostGpus = 10'000'000;
constexpr qint64 mostBatch = 1'000'000'000;
constexpr qint64 mostTokens = 1'000'000'000;

Unexpected<Error> refuse(const QString& what, const QString& remedy) { return fail(Fault::Invalid, what, {}, remedy); }

/// Divisors of `whole` next to `part`: "4 or 8".
QString divisorsNear(qint64 whole, qint64 part)
{
    QStringList near;
    for (qint64 lower = std::min(part, whole); lower >= 1 && near.isEmpty(); --lower)
        if (whole % lower == 0)
            near.append(QString::number(lower));
    for (qint64 upper = std::max<qint64>(part, 0) + 1; upper <= whole && upper <= 4 * part + 64; ++upper)
        if (whole % upper == 0) {
            near.append(QString::number(upper));
            break;
        }
    return near.join(u" or "_s);
}

struct Count {
    QStringView name;
    qint64 value;
    qint64 most;
};

Result<void> checkCounts(const Layout& layout)
{
    for (const Count& count : {Count{u"nodes", layout.nodes, mostGpus},
             Count{u"GPUs per node", layout.gpusPerNode, 1024}, Count{u"data-parallel ranks", layout.data, mostGpus},
             Count{u"tensor-parallel ranks", layout.tensor, mostGpus},
             Count{u"pipeline stages", layout.pipeline, mostGpus},
             Count{u"context-parallel ranks", layout.context, mostGpus},
             Count{u"expert-parallel ranks", layout.expert, mostGpus},
             Count{u"chunks per pipeline stage", layout.virtualStages, 100'000},
             Count{u"samples in a micro-batch", layout.microBatch, mostBatch},
             Count{u"micro-batches in a step", layout.accumulation, mostBatch}}) {
        if (count.value < 1 || count.value > count.most)
            return refuse(u"The number of %1 is %2."_s.arg(count.name.toString()).arg(count.value),
                u"Give a whole number from 1 to %1."_s.arg(count.most));
    }
    if (layout.shardGroup < 0)
        return refuse(u"The states cannot be sharded over %1 GPUs."_s.arg(layout.shardGroup),
            u"Give 0 for all data-parallel ranks, or the GPUs of a node."_s);
    return {};
}

Result<void> checkRanks(const Layout& layout)
{
    const double ranks = double(layout.data) * layout.tensor * layout.pipeline * layout.context;
    const double gpus = double(layout.nodes) * layout.gpusPerNode;
    if (ranks > double(mostGpus) || gpus > double(mostGpus))
        return refuse(u"%1 GPUs are more than any machine has."_s.arg(std::max(ranks, gpus), 0, 'g', 3),
            u"Check the number of nodes and the parallel degrees."_s);
    if (ranks > gpus)
        return refuse(
            u"The layout needs %1 GPUs (data × tensor × pipeline × context), the job has %2."_s.arg(ranks, 0, 'f', 0)
                .arg(gpus, 0, 'f', 0),
            u"Ask for more nodes, or lower a degree."_s);
    const qint64 model = qint64(layout.tensor) * layout.pipeline * layout.context;
    if (std::fmod(gpus, double(model)) != 0)
        return refuse(u"%1 GPUs cannot be split into groups of %2 (tensor × pipeline × context)."_s.arg(gpus, 0, 'f', 0)
                          .arg(model),
            u"Take degrees whose product divides the number of GPUs, such as %1."_s.arg(
                divisorsNear(static_cast<qint64>(gpus), model)));
    if (ranks != gpus)
        return refuse(u"The layout uses %1 of the job's %2 GPUs."_s.arg(ranks, 0, 'f', 0).arg(gpus, 0, 'f', 0),
            u"Take %1 data-parallel ranks."_s.arg(static_cast<qint64>(gpus) / model));
    const qint64 sharers = qint64(layout.data) * layout.context;
    if (layout.shardGroup > sharers || (layout.shardGroup > 0 && sharers % layout.shardGroup != 0))
        return refuse(
            u"%1 data-parallel ranks cannot shard their states in groups of %2."_s.arg(sharers).arg(layout.shardGroup),
            u"Take a group of %1."_s.arg(divisorsNear(sharers, layout.shardGroup)));
    return {};
}

Result<void> checkTensor(const ModelShape& shape, const Layout& layout)
{
    if (layout.sequenceParallel && layout.tensor == 1)
        return refuse(u"Sequence parallelism needs tensor-parallel ranks, and there is 1."_s,
            u"Switch it off, or take more tensor-parallel ranks."_s);
    if (layout.tensor == 1)
        return {};
    if (shape.family == ModelFamily::Convolution || shape.family == ModelFamily::Diffusion)
        return refuse(u"A convolutional model cannot be split over %1 tensor-parallel ranks."_s.arg(layout.tensor),
            u"Take 1 and spread the data instead."_s);
    if (shape.heads % layout.tensor != 0)
        return refuse(
            u"%1 attention heads cannot be split over %2 tensor-parallel ranks."_s.arg(shape.heads).arg(layout.tensor),
            u"Take %1 tensor-parallel ranks."_s.arg(divisorsNear(shape.heads, layout.tensor)));
    return {};
}

Result<void> checkPipeline(const ModelShape& shape, const Layout& layout)
{
    if (layout.pipeline == 1)
        return layout.virtualStages == 1
            ? Result<void>()
            : refuse(u"A pipeline of one stage cannot be interleaved."_s, u"Take 1 chunk per stage, or more stages."_s);
    const qint64 layers = qint64(shape.layers) * (shape.family == ModelFamily::EncoderDecoder ? 2 : 1);
    if (shape.family == ModelFamily::Convolution || shape.family == ModelFamily::Diffusion)
        return refuse(u"A convolutional model is not trained in %1 pipeline stages."_s.arg(layout.pipeline),
            u"Take 1 stage and spread the data instead."_s);
    if (qint64(layout.pipeline) * layout.virtualStages > layers)
        return refuse(u"%1 layers cannot fill %2 pipeline stages of %3 chunks."_s.arg(layers)
                          .arg(layout.pipeline)
                          .arg(layout.virtualStages),
            u"Take at most %1 stages × chunks."_s.arg(layers));
    if (layout.firstLayers < 0 || layout.lastLayers < 0 || layout.firstLayers > layers || layout.lastLayers > layers)
        return refuse(
            u"A pipeline stage of %1 layers is not possible in a model of %2."_s
                .arg(layout.firstLayers < 0 || layout.firstLayers > layers ? layout.firstLayers : layout.lastLayers)
                .arg(layers),
            u"Leave the layers of the first and last stage open, or give 1 to %1."_s.arg(layers));
    if (layout.virtualStages > 1 || layout.firstLayers > 0 || layout.lastLayers > 0)
        return checkStageLayers(static_cast<int>(layers), layout);
    return {};
}

Result<void> checkExperts(const ModelShape& shape, const Layout& layout)
{
    if (layout.expert == 1)
        return {};
    if (shape.experts == 0)
        return refuse(u"The model has no experts to spread over %1 ranks."_s.arg(layout.expert),
            u"Take 1 expert-parallel rank."_s);
    if (shape.experts % layout.expert != 0)
        return refuse(
            u"%1 experts cannot be spread over %2 expert-parallel ranks."_s.arg(shape.experts).arg(layout.expert),
            u"Take %1 expert-parallel ranks."_s.arg(divisorsNear(shape.experts, layout.expert)));
    if (layout.expertTensor < 0 || (layout.expertTensor > 0 && layout.tensor % layout.expertTensor != 0))
        return refuse(
            u"%1 tensor-parallel ranks cannot split each expert %2 ways."_s.arg(layout.tensor).arg(layout.expertTensor),
            u"Take 1: each expert stays whole."_s);
    const qint64 ranks = qint64(layout.data) * layout.context * layout.tensor / layout.expertSplit();
    if (ranks % layout.expert != 0)
        return refuse(
            u"%1 expert-parallel ranks do not divide the %2 ranks that hold one pipeline stage."_s.arg(layout.expert)
                .arg(ranks),
            u"Take %1 expert-parallel ranks."_s.arg(divisorsNear(ranks, layout.expert)));
    return {};
}

} // namespace

Result<void> checkWorkload(const Workload& workload)
{
    if (const auto shape = checkShape(workload.shape); !shape)
        return shape;
    if (workload.sequence < 1 || workload.sequence > mostTokens)
        return refuse(u"A sample has %1 tokens."_s.arg(workload.sequence),
            u"Give a sequence length from 1 to %1."_s.arg(mostTokens));
    if (!(workload.trainedFraction >= 0 && workload.trainedFraction <= 1))
        return refuse(u"The trained share of the parameters is %1."_s.arg(workload.trainedFraction),
            u"Give a share between 0 and 1; 1 trains everything."_s);
    if (!(workload.frozenBytesPerParameter >= 0 && workload.frozenBytesPerParameter <= 8))
        return refuse(u"A frozen parameter takes %1 bytes."_s.arg(workload.frozenBytesPerParameter),
            u"Give 2 for bf16, about 0.55 for nf4."_s);
    const Adapter& adapter = workload.adapter;
    const bool byRank = adapter.method == AdapterMethod::Lora || adapter.method == AdapterMethod::Dora;
    const qint64 widest = std::max({workload.shape.hidden, workload.shape.ffn, workload.shape.queryWidth()});
    if (byRank && adapter.rank > std::max<qint64>(widest, 1))
        return refuse(
            u"Adapters of rank %1 are larger than the matrices beside which they are trained."_s.arg(adapter.rank),
            u"Give a rank such as 8 to 64."_s);
    return {};
}

Result<void> checkSpread(const Workload& workload, const Layout& layout)
{
    if (const auto counts = checkCounts(layout); !counts)
        return counts;
    if (const auto ranks = checkRanks(layout); !ranks)
        return ranks;
    if (const auto tensor = checkTensor(workload.shape, layout); !tensor)
        return tensor;
    if (const auto pipeline = checkPipeline(workload.shape, layout); !pipeline)
        return pipeline;
    if (const auto experts = checkExperts(workload.shape, layout); !experts)
        return experts;
    if (workload.sequence % layout.context != 0)
        return refuse(u"%1 tokens of a sample cannot be split over %2 context-parallel ranks."_s.arg(workload.sequence)
                          .arg(layout.context),
            u"Take %1 context-parallel ranks."_s.arg(divisorsNear(workload.sequence, layout.context)));
    return {};
}

Result<void> checkLayout(const Workload& workload, const Layout& layout)
{
    if (const auto known = checkWorkload(workload); !known)
        return known;
    return checkSpread(workload, layout);
}

} // namespace rankwright::inline planner
