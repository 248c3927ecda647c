// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runlayout.h"

#include "models/planner/estimate/gpufigures.h"
#include "models/planner/estimate/runs/runadapter.h"
#include "models/planner/estimate/runs/runstack.h"
#include "models/planner/estimate/stack/stackmemory.h"
#include "models/planner/estimate/stack/stacknames.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner::runs {

namespace {

// Under these bounds micro-batch x accumulation x ranks stays far from overflow.
constexpr qint64 mostRanks = 10'000'000;
constexpr qint64 mostMicro = 100'000;
constexpr qint64 mostPasses = 1'000'000;
constexpr qint64 guessedRanks = 8; // data-parallel ranks of a run whose GPU count is not printed
constexpr int usualChunks = 2; // of an interleaved pipeline whose chunks are not printed

/// What the columns and the words of the strategy say; empty: nothing.
struct Degrees {
    std::optional<qint64> gpus;
    std::optional<qint64> tensor;
    std::optional<qint64> pipeline;
    std::optional<qint64> context;
    std::optional<qint64> expert;
    std::optional<qint64> expertTensor;
    std::optional<qint64> data;
    std::optional<qint64> micro;
    std::optional<qint64> accumulation;
    std::optional<qint64> global;
};

std::optional<qint64> either(const std::optional<qint64>& first, const std::optional<qint64>& second)
{
    return first ? first : second;
}

Degrees degreesOf(const RunCells& cells, const RunWords& words)
{
    const QString& strategy = words.strategy;
    Degrees degrees;
    degrees.gpus = cells.count(u"n_gpus"_s, 1, mostRanks);
    const auto nodes = cells.count(u"n_nodes"_s, 1, mostRanks);
    const auto perNode = cells.count(u"gpus_per_node"_s, 1, mostRanks);
    if (!degrees.gpus && nodes && perNode)
        degrees.gpus = *nodes * *perNode;
    if (!degrees.gpus && matches(strategy, u"^single"_s))
        degrees.gpus = 1;
    degrees.tensor = either(cells.count(u"tp"_s, 1, mostRanks), numberBehind(strategy, u"(?:tp|mp)(?:/sp)?"_s));
    degrees.pipeline = either(cells.count(u"pp"_s, 1, mostRanks), numberBehind(strategy, u"pp"_s));
    degrees.context = either(cells.count(u"cp"_s, 1, mostRanks),
        either(numberBehind(strategy, u"cp"_s), numberBehind(words.notes, u"cp"_s)));
    degrees.expert = either(cells.count(u"ep"_s, 1, mostRanks),
        either(numberBehind(strategy, u"(?:ep|expert[- ]parallel(?:ism)?)"_s), numberBehind(words.notes, u"ep"_s)));
    degrees.expertTensor = either(numberBehind(strategy, u"etp"_s), numberBehind(words.source, u"etp"_s));
    degrees.data = either(cells.count(u"dp"_s, 1, mostRanks),
        either(numberBehind(strategy, u"dp"_s),
            matches(strategy, u"hsdp|hybrid"_s) ? std::nullopt : numberBehind(strategy, u"fsdp[12]? +"_s)));
    degrees.micro = cells.count(u"micro_batch"_s, 1, mostMicro);
    degrees.accumulation = cells.count(u"grad_accum"_s, 1, mostPasses);
    degrees.global = cells.count(u"global_batch"_s);
    return degrees;
}

/// A degree that a strategy names without a number is not 1.
bool namesWithoutNumber(const RunWords& words, const QString& word) { return hasWord(words.strategy, word); }

/// Tensor, pipeline and context ranks. False: one of them is not known.
bool setModelRanks(RunRow& row, const Degrees& degrees, const RunWords& words)
{
    struct Degree {
        QString word;
        QString name;
        const std::optional<qint64>& given;
        int& value;
    };
    for (const Degree& degree : {Degree{u"tp"_s, u"tensor"_s, degrees.tensor, row.layout.tensor},
             Degree{u"pp"_s, u"pipeline"_s, degrees.pipeline, row.layout.pipeline},
             Degree{u"cp"_s, u"context"_s, degrees.context, row.layout.context}}) {
        if (!degree.given && (namesWithoutNumber(words, degree.word) || has(words.strategy, degree.name))) {
            report(row.missing, u"The number of %1-parallel ranks is not given."_s.arg(degree.name));
            return false;
        }
        if (degree.given.value_or(1) > mostRanks) {
            report(row.missing, u"%1 %2-parallel ranks are not possible."_s.arg(*degree.given).arg(degree.name));
            return false;
        }
        degree.value = static_cast<int>(degree.given.value_or(1));
    }
    return true;
}

Sharding shardingOf(qint64 stage)
{
    constexpr Sharding stages[]{Sharding::None, Sharding::OptimizerStates, Sharding::Gradients, Sharding::Full};
    return stages[std::clamp<qint64>(stage, 0, 3)];
}

void setSharding(RunRow& row, const RunCells& cells, const RunWords& words)
{
    const QString& strategy = words.strategy;
    auto stage = either(cells.count(u"zero_stage"_s, 0),
        either(numberBehind(strategy, u"zero-?"_s), numberBehind(words.notes, u"zero-"_s)));
    // A table's 0 for one GPU is not a stage; DeepSpeed steps as its configuration says all the same.
    if (row.stack == stackname::deepspeed && stage == 0)
        stage = numberBehind(words.notes, u"zero-"_s);
    const bool fsdp = matches(strategy, u"fsdp|hsdp"_s);
    if (fsdp) {
        // SHARD_GRAD_OP and "no reshard" keep whole weights for the step; at rest everything is sharded.
        row.layout.sharding = Sharding::Full;
        row.layout.reshardAfterForward = stage.value_or(3) >= 3 && !matches(strategy, u"no.?reshard|shard_grad_op"_s);
    } else if (stage && *stage > 0) {
        row.layout.sharding = shardingOf(*stage);
    } else if (has(words.notes, u"deepspeed stage not"_s)) {
        row.layout.sharding = Sharding::Gradients;
        report(row.note, u"The ZeRO stage is not given: 2, that of most recipes, is assumed."_s);
    } else if (stage) {
        row.layout.sharding = shardingOf(*stage);
    } else if (matches(strategy, u"distributed optimi"_s) || row.stack == stackname::nemo) { // NeMo's recipes always do
        row.layout.sharding = Sharding::OptimizerStates;
    } else if (has(strategy, u"zero"_s)) {
        report(row.missing, u"The ZeRO stage is not given."_s);
    }
    if (matches(strategy, u"hsdp|hybrid"_s))
        row.layout.shardGroup = static_cast<int>(
            std::clamp<qint64>(either(numberBehind(strategy, u"shard"_s), numberBehind(strategy, u"fsdp[12]?"_s))
                                   .value_or(row.layout.gpusPerNode),
                1, mostRanks));
}

void setOffload(RunRow& row, const RunWords& words)
{
    const QString text = words.strategy + u' ' + words.notes;
    if (!matches(text, u"(?<!act )(?<!activation )off-?load"_s)
        || matches(words.strategy, u"offload none|no offload"_s))
        return;
    const QString& strategy = words.strategy;
    if (!matches(strategy, u"off-?load"_s) && !matches(words.notes, u"(optimizer|params?|cpu)[a-z+ ]* off-?load"_s))
        return;
    const bool parameters = matches(text, u"full (cpu )?off-?load|params? off-?load|\\+ ?params?|optimizer\\+params?"_s)
        || (row.layout.sharding == Sharding::Full && matches(strategy, u"cpu off-?load"_s));
    row.workload.offload = parameters && row.layout.sharding == Sharding::Full ? Offload::OptimizerAndParameters
                                                                               : Offload::OptimizerStates;
}

void setPipeline(RunRow& row, const RunWords& words)
{
    Layout& layout = row.layout;
    if (layout.pipeline <= 1)
        return;
    const QString text = words.strategy + u' ' + words.notes;
    if (has(text, u"gpipe"_s)) {
        layout.schedule = PipelineSchedule::GPipe;
        return;
    }
    qint64 chunks = 1;
    if (const auto layers = numberBehind(text, u"layers/stage"_s)) {
        chunks = row.workload.shape.layers / std::max<qint64>(1, layout.pipeline * *layers);
    } else if (const auto said = numberBehind(text, u"vpp"_s)) {
        chunks = *said;
    } else if (has(text, u"interleaved"_s)) {
        chunks = numberBehind(text, u"m"_s).value_or(0);
        if (chunks == 0) {
            chunks = usualChunks;
            report(row.note, u"The chunks of the interleaved pipeline are not given: 2 are assumed."_s);
        }
    }
    layout.virtualStages = static_cast<int>(std::clamp<qint64>(chunks, 1, 1000));
    if (layout.virtualStages > 1)
        layout.schedule = PipelineSchedule::Interleaved;
}

void setTensor(RunRow& row, const RunWords& words)
{
    Layout& layout = row.layout;
    if (layout.tensor <= 1)
        return;
    const QString text = words.strategy + u' ' + words.checkpointing;
    layout.sequenceParallel = hasWord(text, u"sp"_s) || matches(text, u"sequence.?parallel"_s);
    layout.asyncTensor = hasWord(words.strategy, u"async"_s) || matches(words.notes, u"async.?tp|tp.comm.overlap"_s);
    // torchtitan's tensor parallelism is built on sequence parallelism, NeMo's recipes switch it on; Megatron-Core's
    // functional tests list every switch, its benchmarks overlap the collectives, which needs it.
    const bool listed = matches(words.source, u"test_cases|functional"_s);
    if ((isFsdp(row.stack) && row.stack != stackname::fsdp1) || row.stack == stackname::nemo
        || (row.stack == stackname::megatronCore && !listed))
        layout.sequenceParallel = true;
}

/// Data-parallel ranks from the GPUs, or from the batch, or assumed.
void setData(RunRow& row, const Degrees& degrees)
{
    Layout& layout = row.layout;
    const double allRanks = double(layout.tensor) * layout.pipeline * layout.context;
    if (allRanks > double(mostRanks)) {
        report(row.missing, u"%1 tensor, pipeline and context ranks are not possible."_s.arg(allRanks, 0, 'g', 3));
        layout = Layout();
        return;
    }
    const auto modelRanks = static_cast<qint64>(allRanks);
    if (degrees.gpus && *degrees.gpus < modelRanks) {
        report(row.missing,
            u"Tensor × pipeline × context ranks are %1, more than the %2 GPUs."_s.arg(modelRanks).arg(*degrees.gpus));
        return;
    }
    qint64 data = degrees.data.value_or(0);
    if (data == 0 && degrees.gpus)
        data = std::max<qint64>(1, *degrees.gpus / modelRanks);
    if (data == 0 && degrees.global && degrees.micro && degrees.accumulation)
        data = std::max<qint64>(1, *degrees.global / (*degrees.micro * *degrees.accumulation));
    if (data > 0 && degrees.gpus && data * modelRanks != *degrees.gpus)
        report(row.note, u"%1 GPUs are given, the degrees make %2."_s.arg(*degrees.gpus).arg(data * modelRanks));
    if (data == 0) {
        const qint64 passes = degrees.global && degrees.micro ? *degrees.global / *degrees.micro : 1;
        const qint64 expert = degrees.expert.value_or(1);
        const bool shared = layout.sharding != Sharding::None || expert > 1;
        data = shared ? std::max(expert, std::clamp<qint64>(passes, 1, guessedRanks)) : 1;
        report(row.note, u"The number of GPUs is not given: %1 data-parallel ranks are assumed."_s.arg(data));
        report(row.missingForTime, u"The number of GPUs is not given."_s);
    }
    layout.data = static_cast<int>(std::min(data, mostRanks));
    layout.expert = static_cast<int>(std::clamp<qint64>(degrees.expert.value_or(1), 1, mostRanks));
    layout.expertTensor = static_cast<int>(std::clamp<qint64>(degrees.expertTensor.value_or(0), 0, layout.tensor));
}

/// Of a rank's share of the global batch: one sample at a time where a model is cut over GPUs, a few where it is not.
qint64 guessedMicro(qint64 share, const Layout& layout)
{
    const qint64 most = layout.tensor * layout.pipeline > 1 ? 1 : 4;
    for (qint64 micro = most; micro > 1; --micro)
        if (share % micro == 0)
            return micro;
    return 1;
}

/// Nodes for as many GPUs as the degrees make, where the table says none or others.
void fitMachine(Layout& layout)
{
    const qint64 ranks = qint64(layout.data) * layout.tensor * layout.pipeline * layout.context;
    if (qint64(layout.nodes) * layout.gpusPerNode == ranks)
        return;
    layout.gpusPerNode = static_cast<int>(std::min<qint64>(layout.gpusPerNode, ranks));
    while (ranks % layout.gpusPerNode != 0)
        --layout.gpusPerNode;
    layout.nodes = static_cast<int>(ranks / layout.gpusPerNode);
}

void setBatch(RunRow& row, const Degrees& degrees, const RunWords& words)
{
    Layout& layout = row.layout;
    auto micro = degrees.micro;
    auto accumulation = degrees.accumulation;
    if (!micro && degrees.global && accumulation)
        micro = std::max<qint64>(1, *degrees.global / (*accumulation * layout.data));
    if (!micro && degrees.global) {
        micro = guessedMicro(*degrees.global / layout.data, layout);
        if (*micro < *degrees.global / layout.data) { // else one sample per rank is all that it can be
            report(row.missingForMemory, u"The micro-batch is not given."_s);
            report(row.note, u"The micro-batch is not given: %1 is assumed."_s.arg(*micro));
        }
    }
    if (!micro && isFineTuning(words, row.stack)) {
        // Where the length is not known either, the tokens of one long sample stand for those of a pass.
        micro = row.lengthAssumed ? 1 : static_cast<qint64>(stackMemory(row.stack).usualMicroBatch);
        row.lengthAssumed = true;
        report(row.note, u"The micro-batch is not given: %1 is assumed."_s.arg(*micro));
        report(row.missingForTime, u"The micro-batch is not given."_s);
    }
    if (!micro) {
        report(row.missing, u"The micro-batch is not given."_s);
        return;
    }
    if (!accumulation && degrees.global)
        accumulation = std::max<qint64>(1, *degrees.global / (*micro * layout.data));
    if (!accumulation) {
        accumulation = layout.pipeline > 1 ? 4 * layout.pipeline : 1;
        if (layout.pipeline > 1)
            report(row.missingForTime, u"The number of micro-batches of a step is not given."_s);
        report(row.note, u"The accumulation is not given: %1 is assumed."_s.arg(*accumulation));
    }
    // PyTorch's pipelines cut one local batch: torchtitan's default was as many micro-batches as there are stages until
    // 2025 (pipeline_parallel_microbatches), then one sample each (pipeline_parallel_microbatch_size).
    if (layout.pipeline > 1 && isFsdp(row.stack) && *accumulation == 1 && *micro > 1) {
        const qint64 stages = qint64(layout.pipeline) * layout.virtualStages;
        accumulation = row.stack == stackname::fsdp2Of2024 ? std::min(*micro, stages) : *micro;
        micro = *micro / *accumulation;
        report(row.note, u"The local batch is cut into %1 micro-batches of %2."_s.arg(*accumulation).arg(*micro));
    }
    if (matches(words.notes, u"gradient accumulation used"_s) && !degrees.global && !degrees.accumulation)
        report(row.note, u"Gradients were accumulated, how often is not given."_s);
    if (*micro > mostMicro || *accumulation > mostPasses) {
        report(row.missing, u"The batch is beyond what is ever trained."_s);
        return;
    }
    layout.microBatch = *micro;
    layout.accumulation = *accumulation;
}

} // namespace

void readLayout(RunRow& row, const RunCells& cells, const RunWords& words)
{
    const Degrees degrees = degreesOf(cells, words);
    Layout& layout = row.layout;
    const GpuFigures gpu = gpuFigures(row.gpu);
    const qint64 perNode
        = cells.count(u"gpus_per_node"_s, 1, mostRanks).value_or(gpu.key.isEmpty() ? 8 : gpu.gpusPerNode);
    const qint64 gpus = std::min(degrees.gpus.value_or(perNode), mostRanks);
    layout.gpusPerNode = static_cast<int>(std::clamp<qint64>(std::min(perNode, gpus), 1, mostRanks));
    layout.nodes = static_cast<int>(std::clamp<qint64>(
        cells.count(u"n_nodes"_s, 1, mostRanks).value_or((gpus + layout.gpusPerNode - 1) / layout.gpusPerNode), 1,
        mostRanks));
    if (!setModelRanks(row, degrees, words))
        return;
    setSharding(row, cells, words);
    setOffload(row, words);
    setPipeline(row, words);
    setTensor(row, words);
    setData(row, degrees);
    fitMachine(layout);
    setBatch(row, degrees, words);
    // Megatron writes its TensorBoard figures on the last rank alone (megatron/training/global_vars.py).
    if (isMegatron(row.stack) && has(words.notes, u"golden value"_s))
        row.stage = layout.pipeline - 1;
    if (row.workload.shape.layers > 0 && layout.pipeline > row.workload.shape.layers)
        report(row.missing,
            u"%1 pipeline stages are more than the model's %2 layers."_s.arg(layout.pipeline)
                .arg(row.workload.shape.layers));
    const double ranks = double(layout.data) * layout.tensor * layout.pipeline * layout.context;
    if (ranks > double(mostRanks)) {
        report(row.missing, u"%1 GPUs are not possible."_s.arg(ranks, 0, 'g', 3));
        layout = Layout();
    }
}

} // namespace rankwright::inline planner::runs
