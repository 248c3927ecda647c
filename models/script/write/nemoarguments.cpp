// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/nemoarguments.h"

#include "models/core/programname.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/write/trainerconfig.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Where a program keeps what. NeMo 1: examples/nlp/language_modeling/conf/megatron_gpt_config.yaml (24.07); NeMo 2:
/// the guide "Migrate Parallelism Configurations from NeMo 1.0 to NeMo 2.0" (25.02); Megatron Bridge: its guide
/// "Megatron-LM to Megatron Bridge" (0.4). Names compared with nemo/lightning/pytorch/strategies of NeMo 2.6 and
/// src/megatron/bridge/training/config.py at 067f987.
struct Dialect {
    QString spread; ///< degrees and sequence parallelism
    QString model; ///< recomputation, experts
    QString batch;
    QStringList optimizer; ///< what splits its states
    QString recompute; ///< beginning of the key
    bool isCore = false; ///< Megatron-Core's: knows stages with fewer layers and experts of their own tensor ranks
};

std::optional<Dialect> dialectOf(const QString& command)
{
    static const QRegularExpression first(u"^megatron_\\w+_(?:pretraining|finetuning|sft|tuning)(?:\\.py)?$"_s);
    static const QRegularExpression second(u"^\\s*nemo\\s+llm\\s"_s);
    static const QRegularExpression bridge(
        u"megatron[./]bridge|\\brun_recipe\\.py|\\brecipes/\\S+\\.py|\\s(?:train|ddp)\\.\\w+="_s);
    const NamedProgram program = programOf(command);
    if (first.match(program.name.section(u'/', -1)).hasMatch())
        return Dialect{u"model."_s, u"model."_s, u"model."_s, {u"model.optim.name=distributed_fused_adam"_s},
            u"activations_checkpoint_"_s};
    if (second.match(command).hasMatch())
        return Dialect{u"trainer.strategy."_s, u"model.config."_s, u"data."_s,
            {u"trainer.strategy.ddp.use_distributed_optimizer=true"_s,
                u"optim.config.use_distributed_optimizer=true"_s},
            u"recompute_"_s, true};
    if (bridge.match(command).hasMatch())
        return Dialect{u"model."_s, u"model."_s, u"train."_s,
            {u"ddp.use_distributed_optimizer=true"_s, u"optimizer.use_distributed_optimizer=true"_s}, u"recompute_"_s,
            true};
    return std::nullopt;
}

class Overrides {
public:
    explicit Overrides(const QStringList& given) : m_given(given) { }

    void add(const QString& text, const QList<FieldPath>& origins, const QString& reason)
    {
        const QString key = text.section(u'=', 0, 0);
        const bool has = std::any_of(m_given.cbegin(), m_given.cend(),
            [&key](const QString& word) { return word.section(u'=', 0, 0).remove(u'+') == key; });
        if (!has)
            m_pieces.append({text, origins, reason, u"R39"_s});
    }
    QList<ScriptLine> take() { return m_pieces; }

private:
    const QStringList& m_given;
    QList<ScriptLine> m_pieces;
};

void addSpread(Overrides& out, const Dialect& names, const PlannedRun& run)
{
    const Layout& layout = run.layout;
    const auto degree = [&](const QString& key, int value, QLatin1StringView field, const QString& reason) {
        out.add(names.spread + key + u'=' + QString::number(value), {field}, reason);
    };
    degree(u"tensor_model_parallel_size"_s, layout.tensor, field::tensor, u"Ranks that share each layer."_s);
    degree(
        u"pipeline_model_parallel_size"_s, layout.pipeline, field::pipeline, u"Stages that the layers are cut into."_s);
    degree(u"context_parallel_size"_s, layout.context, field::context, u"Ranks that share each sequence."_s);
    if (layout.virtualStages > 1)
        degree(u"virtual_pipeline_model_parallel_size"_s, layout.virtualStages, field::virtualStages,
            u"Chunks of layers that each stage holds."_s);
    if (layout.expert > 1)
        degree(
            u"expert_model_parallel_size"_s, layout.expert, field::expert, u"Ranks that share one set of experts."_s);
    if (names.isCore && run.workload.shape.experts > 0 && layout.expertTensor > 0)
        degree(u"expert_tensor_parallel_size"_s, layout.expertSplit(), field::expertTensor,
            u"Tensor ranks that split each expert; the default is all of them."_s);
    out.add(names.spread + (layout.sequenceParallel ? u"sequence_parallel=true"_s : u"sequence_parallel=false"_s),
        {field::sequenceParallel, field::tensor}, u"Norms and dropout are split over the tensor ranks, too."_s);
    if (layout.sharding != Sharding::OptimizerStates)
        return;
    for (const QString& text : names.optimizer)
        out.add(text, {field::shardOptimizer, field::strategy},
            u"Splits the optimiser's state over the data-parallel ranks."_s);
}

/// Fewer layers at the ends; an even split is what NeMo does by itself.
void addStages(Overrides& out, const Dialect& names, const PlannedRun& run)
{
    const Layout& layout = run.layout;
    const int layers = pipelineLayers(run.workload.shape);
    if (!names.isCore || layout.pipeline < 2 || layers < 1)
        return;
    const StageLayers cut = stageLayers(layers, layout);
    const bool isNamed = layout.firstLayers > 0 || layout.lastLayers > 0;
    if (cut.even && !isNamed)
        return;
    const QString reason
        = u"The layers do not come out even: the ends take fewer than the %1 of each other stage."_s.arg(cut.inner);
    if (layout.virtualStages > 1 && !isNamed && cut.first == cut.inner - 1 && cut.last == cut.inner - 1) {
        for (const char* part : {"embedding", "loss"})
            out.add(names.model + u"account_for_%1_in_pipeline_split=true"_s.arg(QLatin1StringView(part)),
                {field::virtualStages, field::pipeline}, reason);
    } else if (layout.virtualStages == 1 || isNamed) {
        out.add(names.model + u"num_layers_in_first_pipeline_stage=%1"_s.arg(cut.first),
            {field::firstStageLayers, field::pipeline}, reason);
        out.add(names.model + u"num_layers_in_last_pipeline_stage=%1"_s.arg(cut.last),
            {field::lastStageLayers, field::pipeline}, reason);
    }
}

} // namespace

QList<ScriptLine> nemoArguments(const ResolvedSpec& resolved, const QStringList& given)
{
    const auto names = dialectOf(resolved.command);
    if (!names)
        return {};
    const PlannedRun run
        = planTraining(resolved, planBatch(resolved), namedModel(resolved.spec).value_or(ModelShape()));
    Overrides out(given);
    addSpread(out, *names, run);
    addStages(out, *names, run);
    out.add(names->batch + u"micro_batch_size=%1"_s.arg(run.layout.microBatch), {field::microBatch},
        u"Sequences that one rank computes at a time."_s);
    out.add(names->batch + u"global_batch_size=%1"_s.arg(run.layout.globalBatch()), {field::globalBatch},
        u"Sequences of all ranks per optimiser step."_s);
    const Recompute recompute = run.workload.recompute;
    if (recompute != Recompute::None) {
        const QString key = names->model + names->recompute;
        const bool full = recompute == Recompute::Full;
        const QList<FieldPath> origins{field::activationCheckpointing};
        out.add(key + (full ? u"granularity=full"_s : u"granularity=selective"_s), origins,
            u"Computes activations again instead of keeping them."_s);
        if (full) {
            out.add(key + u"method=uniform"_s, origins, u"All layers are treated alike."_s);
            out.add(key + u"num_layers=1"_s, origins, u"One layer at a time."_s);
        }
    }
    return out.take();
}

} // namespace rankwright::inline script
