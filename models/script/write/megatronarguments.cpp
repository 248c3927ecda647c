// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/megatronarguments.h"

#include "models/design/batchplan.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/trainerconfig.h"

using namespace Qt::StringLiterals;

namespace rankwright {
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
    QList<ScriptLine> take() { return m_pieces; }

private:
    const QStringList& m_given;
    QList<ScriptLine> m_pieces;
};

void addLayout(Arguments& arguments, const ResolvedSpec& resolved)
{
    arguments.add(u"--tensor-model-parallel-size"_s, QString::number(resolved.tensor), {field::tensor},
        u"Ranks that share each layer; neighbours within a node."_s);
    arguments.add(u"--pipeline-model-parallel-size"_s, QString::number(resolved.pipeline), {field::pipeline},
        u"Stages that the layers are cut into; what is left of the ranks is data parallel."_s);
    if (resolved.context > 1)
        arguments.add(u"--context-parallel-size"_s, QString::number(resolved.context), {field::context},
            u"Ranks that share each sequence, for contexts too long for one."_s);
    if (resolved.strategy == Strategy::Zero1 && trainerOf(resolved) == Trainer::Megatron)
        arguments.add(u"--use-distributed-optimizer"_s, {field::strategy},
            u"Splits the optimiser's state over the data-parallel ranks."_s);
}

void addBatch(Arguments& arguments, const ResolvedSpec& resolved)
{
    const auto& training = resolved.spec.training;
    if (training.globalBatch || training.microBatch) {
        const BatchPlan batch = planBatch(resolved);
        arguments.add(u"--micro-batch-size"_s, QString::number(batch.microBatch), {field::microBatch},
            u"Sequences that one rank computes at a time."_s);
        arguments.add(u"--global-batch-size"_s, QString::number(batch.globalBatch), {field::globalBatch},
            u"Sequences of all ranks per optimiser step; has to be a multiple of micro-batch x "
            "data-parallel ranks."_s);
    }
    if (training.sequence)
        arguments.add(
            u"--seq-length"_s, QString::number(*training.sequence), {field::sequence}, u"Tokens of one sequence."_s);
    if (training.precision == Precision::Bf16Mixed || training.precision == Precision::Bf16)
        arguments.add(u"--bf16"_s, {field::precision}, u"Computes in bf16, sums gradients in fp32."_s);
    else if (training.precision == Precision::Fp16Mixed)
        arguments.add(u"--fp16"_s, {field::precision}, u"Computes in fp16 with a loss scale."_s);
    if (training.activationCheckpointing == ActivationCheckpointing::Selective) {
        arguments.add(u"--recompute-activations"_s, {field::activationCheckpointing},
            u"Computes attention again instead of keeping it: little time for much memory."_s);
    } else if (training.activationCheckpointing == ActivationCheckpointing::Full) {
        const QList<FieldPath> origins{field::activationCheckpointing};
        arguments.add(u"--recompute-granularity"_s, u"full"_s, origins, u"Computes whole layers again."_s);
        arguments.add(u"--recompute-method"_s, u"uniform"_s, origins, u"All layers are treated alike."_s);
        arguments.add(u"--recompute-num-layers"_s, u"1"_s, origins, u"One layer at a time."_s);
    }
}

void addModel(Arguments& arguments, const QJsonObject& model)
{
    const QList<FieldPath> origins{field::model};
    const QString reason = u"A figure of the model; Megatron-LM has no default for its shape."_s;
    const auto count = [&](const QString& member) {
        const double value = model.value(member).toDouble();
        return value >= 1 && value < 1e9 ? std::optional(qint64(value)) : std::nullopt;
    };
    const auto addCount = [&](const QString& member, const QString& option) {
        if (const auto value = count(member))
            arguments.add(option, QString::number(*value), origins, reason);
    };
    addCount(u"layers"_s, u"--num-layers"_s);
    addCount(u"hidden"_s, u"--hidden-size"_s);
    addCount(u"heads"_s, u"--num-attention-heads"_s);
    addCount(u"ffn"_s, u"--ffn-hidden-size"_s);
    const auto heads = count(u"heads"_s);
    const auto groups = count(u"kvHeads"_s);
    if (groups && heads && *groups < *heads) {
        arguments.add(u"--group-query-attention"_s, origins, u"Several heads share keys and values."_s);
        arguments.add(u"--num-query-groups"_s, QString::number(*groups), origins, reason);
    }
    if (model.value(u"gatedMlp"_s).toBool())
        arguments.add(u"--swiglu"_s, origins, u"The gated form of the feed-forward layers."_s);
    if (model.contains(u"tiedEmbeddings"_s) && !model.value(u"tiedEmbeddings"_s).toBool())
        arguments.add(
            u"--untie-embeddings-and-output-weights"_s, origins, u"Input and output have weights of their own."_s);
    addCount(u"experts"_s, u"--num-experts"_s);
    addCount(u"expertsPerToken"_s, u"--moe-router-topk"_s);
}

} // namespace

QList<ScriptLine> megatronArguments(const ResolvedSpec& resolved, const QStringList& given)
{
    Arguments arguments(given);
    addLayout(arguments, resolved);
    addBatch(arguments, resolved);
    addModel(arguments, resolved.spec.model);
    return arguments.take();
}

} // namespace rankwright
