// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/megatronarguments.h"

#include "models/core/shellquote.h"
#include "models/planner/design/batchplan.h"
#include "models/planner/design/plannedrun.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/trainerconfig.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// Collects arguments that the command does not have yet.
class Arguments {
public:
    explicit Arguments(const QStringList& given) : m_given(given) { }

    void add(const QString& option, const QString& value, const QList<FieldPath>& origins, const QString& reason)
    {
        if (hasOption(m_given, option))
            return;
        m_pieces.append({value.isEmpty() ? option : option + u'=' + value, origins, reason, u"R39"_s});
    }
    void add(const QString& option, const QList<FieldPath>& origins, const QString& reason)
    {
        add(option, QString(), origins, reason);
    }
    bool has(const QString& option) const { return hasOption(m_given, option); }
    /// Whether the command has an option that begins so: one of several that say the same thing.
    bool hasAny(const QString& beginning) const
    {
        return std::any_of(m_given.cbegin(), m_given.cend(),
            [&](const QString& word) { return QString(word).replace(u'_', u'-').startsWith(beginning); });
    }
    /// The number that the command gives an option, as "--name 8" or "--name=8".
    std::optional<qint64> number(const QString& option) const
    {
        for (qsizetype i = 0; i < m_given.size(); ++i) {
            if (!hasOption({m_given.at(i)}, option))
                continue;
            const QString& word = m_given.at(i);
            bool isNumber = false;
            const qint64 value
                = (word.contains(u'=') ? word.section(u'=', 1) : m_given.value(i + 1)).toLongLong(&isNumber);
            return isNumber && value > 0 ? std::optional(value) : std::nullopt;
        }
        return std::nullopt;
    }
    QList<ScriptLine> take() { return m_pieces; }

private:
    const QStringList& m_given;
    QList<ScriptLine> m_pieces;
};

/// What the estimate of the design relies on beside the degrees. With no model named there is no estimate, and only
/// what the design itself says is written. Names as in Megatron-LM d98e8a6 (megatron/training/arguments.py,
/// megatron/core/model_parallel_config.py and transformer/transformer_config.py) and Megatron-DeepSpeed
/// 4efb479 (megatron/arguments.py).
class Switches {
public:
    Switches(Arguments& arguments, const ResolvedSpec& resolved, const ModelShape* shape)
        : m_arguments(arguments), m_asked(resolved.spec.parallel), m_training(resolved.spec.training),
          m_run(planTraining(resolved, planBatch(resolved), shape != nullptr ? *shape : ModelShape())),
          m_isCore(trainerOf(resolved) == Trainer::Megatron), m_isZero1(resolved.strategy == Strategy::Zero1),
          m_hasEstimate(shape != nullptr)
    { }

    void add()
    {
        addSpread();
        addStages();
        addExperts();
        addAttention();
        addNumbers();
        addOffload();
    }

private:
    void addSpread()
    {
        const Layout& layout = m_run.layout;
        if (layout.sequenceParallel && (m_hasEstimate || m_asked.sequenceParallel))
            m_arguments.add(u"--sequence-parallel"_s, {field::sequenceParallel, field::tensor},
                u"Norms and dropout are split over the tensor ranks, too; without it each rank keeps them whole."_s);
        const bool asked = m_asked.shardOptimizer || m_isZero1;
        if (m_isCore && layout.sharding == Sharding::OptimizerStates && (m_hasEstimate || asked))
            m_arguments.add(u"--use-distributed-optimizer"_s, {field::shardOptimizer, field::strategy},
                u"Splits the optimiser's state over the data-parallel ranks; without it each keeps 12 bytes a "
                "parameter more."_s);
    }

    /// Chunks; and where layers do not come out even, the fewer ones of the first and last stage.
    void addStages()
    {
        const Layout& layout = m_run.layout;
        const int layers = pipelineLayers(m_run.workload.shape);
        if (!m_isCore || layout.pipeline < 2 || layers < 1)
            return;
        const StageLayers cut = stageLayers(layers, layout);
        const bool isCut = m_arguments.hasAny(u"--decoder-first-pipeline"_s)
            || m_arguments.hasAny(u"--decoder-last-pipeline"_s)
            || m_arguments.has(u"--pipeline-model-parallel-layout"_s) || m_arguments.hasAny(u"--account-for-"_s);
        const QList<FieldPath> origins{field::virtualStages, field::pipeline};
        const QString chunksReason = u"Each stage holds several shorter chunks, so that it waits less."_s;
        const QString reason = u"The layers do not come out even: the ends, which also hold embedding and head, take "
                               "fewer than the %1 of each other stage."_s.arg(cut.inner);
        const bool isNamed = layout.firstLayers > 0 || layout.lastLayers > 0;
        if (layout.virtualStages > 1 && cut.even && !isNamed) {
            m_arguments.add(
                u"--num-layers-per-virtual-pipeline-stage"_s, QString::number(cut.chunk), origins, chunksReason);
        } else if (layout.virtualStages > 1 && isNamed) {
            m_arguments.add(u"--num-virtual-stages-per-pipeline-rank"_s, QString::number(layout.virtualStages), origins,
                chunksReason);
        } else if (layout.virtualStages > 1 && !isCut && checkStageLayers(layers, layout)) {
            if (cut.first == cut.inner - 1 && cut.last == cut.inner - 1) {
                m_arguments.add(
                    u"--num-layers-per-virtual-pipeline-stage"_s, QString::number(cut.chunk), origins, chunksReason);
                m_arguments.add(u"--account-for-embedding-in-pipeline-split"_s, origins, reason);
                m_arguments.add(u"--account-for-loss-in-pipeline-split"_s, origins, reason);
            } else {
                m_arguments.add(u"--pipeline-model-parallel-layout"_s, shellQuote(pipelineLayoutText(layers, layout)),
                    origins, reason);
            }
            return;
        }
        if (isCut || (cut.even && !isNamed) || (!isNamed && !checkStageLayers(layers, layout)))
            return;
        if (!isNamed || layout.firstLayers > 0)
            m_arguments.add(u"--decoder-first-pipeline-num-layers"_s, QString::number(cut.first),
                {field::firstStageLayers, field::pipeline}, reason);
        if ((!isNamed && layout.pipeline > 2) || layout.lastLayers > 0)
            m_arguments.add(u"--decoder-last-pipeline-num-layers"_s, QString::number(cut.last),
                {field::lastStageLayers, field::pipeline}, reason);
    }

    void addExperts()
    {
        if (m_run.layout.expert > 1) {
            m_arguments.add(m_isCore ? u"--expert-model-parallel-size"_s : u"--moe-expert-parallel-size"_s,
                QString::number(m_run.layout.expert), {field::expert},
                u"Ranks that share one set of experts; without it each holds all of them."_s);
            if (m_isCore)
                m_arguments.add(u"--moe-token-dispatcher-type"_s, u"alltoall"_s, {field::expert},
                    u"Tokens travel to their experts; the default gathers all tokens on all ranks."_s);
        }
        if (m_isCore && m_run.workload.shape.experts > 0 && m_run.layout.tensor > 1
            && (m_hasEstimate || m_asked.expertTensor))
            m_arguments.add(u"--expert-tensor-parallel-size"_s, QString::number(m_run.layout.expertSplit()),
                {field::expertTensor, field::tensor},
                u"Tensor ranks that split each expert; whole experts make larger products."_s);
        if (m_isCore && m_run.workload.groupedExperts)
            m_arguments.add(u"--moe-grouped-gemm"_s, {field::groupedExperts, field::model},
                u"The experts of a rank in one grouped product instead of one after another."_s);
    }

    void addAttention()
    {
        if (!m_hasEstimate && !m_training.attention)
            return;
        const bool flash = m_run.workload.attention == AttentionKind::Flash;
        if (m_arguments.has(u"--use-flash-attn"_s) || (!m_isCore && !flash))
            return;
        const QString reason = flash ? u"No table of sequence x sequence scores is kept."_s
                                     : u"Attention with its whole table of scores, as the design says."_s;
        if (m_isCore)
            m_arguments.add(u"--attention-backend"_s, flash ? u"flash"_s : u"unfused"_s, {field::attention}, reason);
        else
            m_arguments.add(u"--use-flash-attn"_s, {field::attention}, reason);
    }

    void addNumbers()
    {
        if (!m_isCore || m_run.workload.float8 != Float8::Tensorwise) // Megatron-LM scales by tensor or by block
            return;
        m_arguments.add(u"--fp8-format"_s, u"hybrid"_s, {field::float8},
            u"Linear layers in 8 bit (Transformer Engine): e4m3 forward, e5m2 backward."_s);
        m_arguments.add(u"--fp8-recipe"_s, u"tensorwise"_s, {field::float8}, u"One scale for each tensor."_s);
    }

    void addOffload()
    {
        if (!m_isCore || m_run.workload.offload != Offload::OptimizerStates)
            return;
        m_arguments.add(u"--optimizer-cpu-offload"_s, {field::offload},
            u"Keeps the optimiser's state in the node's memory: slower, but fits."_s);
        m_arguments.add(u"--use-precision-aware-optimizer"_s, {field::offload},
            u"Megatron-LM's offloading insists on this optimiser."_s);
    }

    Arguments& m_arguments;
    const JobSpec::Parallel& m_asked;
    const JobSpec::Training& m_training;
    const PlannedRun m_run;
    const bool m_isCore;
    const bool m_isZero1;
    const bool m_hasEstimate;
};

void addLayout(Arguments& arguments, const ResolvedSpec& resolved)
{
    arguments.add(u"--tensor-model-parallel-size"_s, QString::number(resolved.tensor), {field::tensor},
        u"Ranks that share each layer; neighbours within a node."_s);
    arguments.add(u"--pipeline-model-parallel-size"_s, QString::number(resolved.pipeline), {field::pipeline},
        u"Stages that the layers are cut into; what is left of the ranks is data parallel."_s);
    if (resolved.context > 1)
        arguments.add(
            trainerOf(resolved) == Trainer::Megatron ? u"--context-parallel-size"_s : u"--ds-sequence-parallel-size"_s,
            QString::number(resolved.context), {field::context},
            u"Ranks that share each sequence, for contexts too long for one."_s);
}

void addBatch(Arguments& arguments, const ResolvedSpec& resolved, bool hasEstimate)
{
    const auto& training = resolved.spec.training;
    if (training.globalBatch || training.microBatch || hasEstimate) {
        const BatchPlan batch = planBatch(resolved);
        arguments.add(u"--micro-batch-size"_s, QString::number(batch.microBatch), {field::microBatch},
            u"Sequences that one rank computes at a time."_s);
        arguments.add(u"--global-batch-size"_s, QString::number(batch.globalBatch), {field::globalBatch},
            u"Sequences of all ranks per optimiser step; has to be a multiple of micro-batch x "
            "data-parallel ranks."_s);
    }
    // Megatron-LM stops with both; fp8 is computed beside one of them.
    if (arguments.has(u"--fp16"_s) || arguments.has(u"--bf16"_s))
        return;
    if (resolved.precision == Precision::Bf16Mixed || resolved.precision == Precision::Bf16)
        arguments.add(u"--bf16"_s, {field::precision}, u"Computes in bf16, sums gradients in fp32."_s);
    else if (resolved.precision == Precision::Fp16Mixed)
        arguments.add(u"--fp16"_s, {field::precision}, u"Computes in fp16 with a loss scale."_s);
}

void addRecomputing(Arguments& arguments, const ResolvedSpec& resolved)
{
    if (arguments.hasAny(u"--recompute-"_s)) // the command says how
        return;
    if (resolved.activationCheckpointing == ActivationCheckpointing::Selective) {
        arguments.add(u"--recompute-activations"_s, {field::activationCheckpointing},
            u"Computes attention again instead of keeping it: little time for much memory."_s);
    } else if (resolved.activationCheckpointing == ActivationCheckpointing::Full) {
        const QList<FieldPath> origins{field::activationCheckpointing};
        arguments.add(u"--recompute-granularity"_s, u"full"_s, origins, u"Computes whole layers again."_s);
        arguments.add(u"--recompute-method"_s, u"uniform"_s, origins, u"All layers are treated alike."_s);
        arguments.add(u"--recompute-num-layers"_s, u"1"_s, origins, u"One layer at a time."_s);
    }
}

/// Tokens of one sequence and rows of the position table: Megatron-LM stops without them. The same as the estimate's.
void addSequence(Arguments& arguments, const ResolvedSpec& resolved, const ModelShape* shape)
{
    std::optional<qint64> sequence = resolved.spec.training.sequence;
    if (!sequence && shape)
        sequence = usualSequence(*shape);
    if (const auto given = arguments.number(u"--seq-length"_s))
        sequence = given;
    else if (const auto positions = arguments.number(u"--max-position-embeddings"_s); positions && sequence)
        sequence = qMin(*sequence, *positions);
    if (!sequence)
        return;
    const QList<FieldPath> origins{field::sequence, field::model};
    arguments.add(u"--seq-length"_s, QString::number(*sequence), origins, u"Tokens of one sequence."_s);
    const qint64 table = shape ? shape->learnedPositions : 0;
    arguments.add(u"--max-position-embeddings"_s, QString::number(qMax(*sequence, table)), origins,
        u"Positions that the model knows; Megatron-LM insists on at least the sequence length."_s);
}

void addModel(Arguments& arguments, const ModelShape& shape, bool core)
{
    const QList<FieldPath> origins{field::model};
    const QString reason = u"A figure of the model; Megatron-LM has no default for its shape."_s;
    const auto addCount = [&](qint64 value, const QString& option) {
        if (value > 0)
            arguments.add(option, QString::number(value), origins, reason);
    };
    addCount(shape.layers, u"--num-layers"_s);
    addCount(shape.hidden, u"--hidden-size"_s);
    addCount(shape.heads, u"--num-attention-heads"_s);
    addCount(shape.ffn, u"--ffn-hidden-size"_s);
    if (shape.heads > 0 && shape.headSize * shape.heads != shape.hidden)
        addCount(shape.headSize, u"--kv-channels"_s);
    if (shape.kvHeads > 0 && shape.kvHeads < shape.heads) {
        if (core)
            arguments.add(u"--group-query-attention"_s, origins, u"Several heads share keys and values."_s);
        addCount(shape.kvHeads, core ? u"--num-query-groups"_s : u"--num-key-value-heads"_s);
    }
    if (shape.gatedMlp)
        arguments.add(u"--swiglu"_s, origins, u"The gated form of the feed-forward layers."_s);
    if (!shape.tiedEmbeddings)
        arguments.add(
            u"--untie-embeddings-and-output-weights"_s, origins, u"Input and output have weights of their own."_s);
    if (shape.norm == NormKind::RmsNorm)
        arguments.add(u"--normalization"_s, core ? u"RMSNorm"_s : u"rmsnorm"_s, origins, u"The norm of this model."_s);
    if (shape.family == ModelFamily::Decoder && shape.learnedPositions == 0) {
        const QString none = u"This model has no table of positions."_s;
        if (core)
            arguments.add(u"--position-embedding-type"_s, u"rope"_s, origins, none);
        else
            arguments.add(u"--use-rotary-position-embeddings"_s, origins, none);
    }
    addCount(shape.experts, u"--num-experts"_s);
    addCount(shape.expertsPerToken, core ? u"--moe-router-topk"_s : u"--topk"_s);
    if (!core && shape.experts > 0)
        arguments.add(u"--expert-interval"_s, u"1"_s, origins,
            u"Every layer has experts; the default puts them into every second one."_s);
}

/// The named model, where it is one that Megatron-LM's figures describe.
std::optional<ModelShape> shapeOf(const ResolvedSpec& resolved)
{
    const auto shape = namedModel(resolved.spec);
    const bool described = shape && (shape->family == ModelFamily::Decoder || shape->family == ModelFamily::Encoder);
    return described ? shape : std::nullopt;
}

} // namespace

QList<ScriptLine> megatronArguments(const ResolvedSpec& resolved, const QStringList& given)
{
    Arguments arguments(given);
    const auto shape = shapeOf(resolved);
    addLayout(arguments, resolved);
    Switches(arguments, resolved, shape ? &*shape : nullptr).add();
    addBatch(arguments, resolved, shape.has_value());
    addRecomputing(arguments, resolved);
    addSequence(arguments, resolved, shape ? &*shape : nullptr);
    if (shape)
        addModel(arguments, *shape, trainerOf(resolved) == Trainer::Megatron);
    return arguments.take();
}

} // namespace rankwright::inline script
