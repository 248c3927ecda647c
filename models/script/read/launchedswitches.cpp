// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/launchedswitches.h"

#include "models/planner/design/batchplan.h"
#include "models/planner/design/fieldtable.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/design/trainingprogram.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/read/scriptreader.h"
#include "models/script/read/trainerkeys.h"
#include "models/script/write/tunerarguments.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// A field with a value, and how the script says it.
class Saying {
public:
    explicit Saying(LaunchedSwitches& out) : m_out(out) { }

    template <typename Member, typename Value>
    void set(QLatin1StringView field, Member& member, const Value& value, const QString& how)
    {
        member = value;
        m_out.said.insert(field, how);
    }

private:
    LaunchedSwitches& m_out;
};

// ---- Megatron-LM and Megatron-DeepSpeed: arguments

class MegatronReader {
public:
    MegatronReader(const TrainerKeys& words, LaunchedSwitches& out)
        : m_words(words), m_out(out), m_say(out), m_spec(out.spec)
    { }

    void run()
    {
        m_isDeepspeed = m_words.has(u"--ds-sequence-parallel-size"_s) || m_words.has(u"--moe-expert-parallel-size"_s)
            || m_words.has(u"--zero-stage"_s) || m_words.has(u"--deepspeed"_s) || m_words.has(u"--deepspeed-config"_s);
        m_out.trainer = m_isDeepspeed ? u"Megatron-DeepSpeed"_s : u"Megatron-LM"_s;
        readDegrees();
        readKept();
        readNumbers();
        readModel();
    }

private:
    void degree(QLatin1StringView field, std::optional<int>& member, const QString& option)
    {
        m_say.set(field, member, int(m_words.number(option).value_or(1)), option);
    }
    void flag(QLatin1StringView field, std::optional<bool>& member, const QString& option)
    {
        m_say.set(field, member, m_words.has(option), option);
    }

    void readDegrees()
    {
        auto& parallel = m_spec.parallel;
        degree(field::tensor, parallel.tensor, u"--tensor-model-parallel-size"_s);
        degree(field::pipeline, parallel.pipeline, u"--pipeline-model-parallel-size"_s);
        degree(field::context, parallel.context,
            m_isDeepspeed ? u"--ds-sequence-parallel-size"_s : u"--context-parallel-size"_s);
        degree(field::expert, parallel.expert,
            m_isDeepspeed ? u"--moe-expert-parallel-size"_s : u"--expert-model-parallel-size"_s);
        if (m_words.has(u"--num-experts"_s) && !m_isDeepspeed)
            m_say.set(field::expertTensor, parallel.expertTensor,
                int(m_words.number(u"--expert-tensor-parallel-size"_s).value_or(parallel.tensor.value_or(1))),
                u"--expert-tensor-parallel-size"_s);
        flag(field::sequenceParallel, parallel.sequenceParallel, u"--sequence-parallel"_s);
        if (!m_isDeepspeed)
            flag(field::shardOptimizer, parallel.shardOptimizer, u"--use-distributed-optimizer"_s);
        readChunks();
    }

    void readChunks()
    {
        const QString layersOption = u"--num-layers-per-virtual-pipeline-stage"_s;
        const int chunks = int(m_words.number(u"--num-virtual-stages-per-pipeline-rank"_s).value_or(1));
        m_out.layersPerChunk = m_words.number(layersOption);
        m_say.set(field::virtualStages, m_spec.parallel.virtualStages, chunks, layersOption);
        if (m_isDeepspeed)
            return;
        m_out.layersMissing = (m_words.has(u"--account-for-embedding-in-pipeline-split"_s) ? 1 : 0)
            + (m_words.has(u"--account-for-loss-in-pipeline-split"_s) ? 1 : 0);
        const auto end = [&](QLatin1StringView field, std::optional<int>& member, const QString& option) {
            if (const auto layers = m_words.number(option))
                m_say.set(field, member, int(qBound(qint64(0), *layers, qint64(100'000))), option);
        };
        end(field::firstStageLayers, m_spec.parallel.firstStageLayers, u"--decoder-first-pipeline-num-layers"_s);
        end(field::lastStageLayers, m_spec.parallel.lastStageLayers, u"--decoder-last-pipeline-num-layers"_s);
        readCut(m_words.text(u"--pipeline-model-parallel-layout"_s).value_or(QString()));
    }

    /// Chunks and ends of a cut that is written out.
    void readCut(const QString& text)
    {
        const QList<int> layers = layersOfLayoutText(text);
        const qsizetype stages = m_spec.parallel.pipeline.value_or(1);
        if (layers.isEmpty() || stages < 2 || layers.size() % stages != 0)
            return;
        const QString option = u"--pipeline-model-parallel-layout"_s;
        const auto of = [&](qsizetype stage) {
            int sum = 0;
            for (qsizetype chunk = stage; chunk < layers.size(); chunk += stages)
                sum += layers.at(chunk);
            return sum;
        };
        m_say.set(field::virtualStages, m_spec.parallel.virtualStages, int(layers.size() / stages), option);
        m_say.set(field::firstStageLayers, m_spec.parallel.firstStageLayers, of(0), option);
        m_say.set(field::lastStageLayers, m_spec.parallel.lastStageLayers, of(stages - 1), option);
    }

    void readKept()
    {
        auto& training = m_spec.training;
        const QString granularity = m_words.text(u"--recompute-granularity"_s).value_or(QString());
        const bool selective = granularity == u"selective"_s || m_words.has(u"--recompute-activations"_s);
        m_say.set(field::activationCheckpointing, training.activationCheckpointing,
            granularity == u"full"_s ? ActivationCheckpointing::Full
                : selective          ? ActivationCheckpointing::Selective
                                     : ActivationCheckpointing::None,
            granularity == u"full"_s || !selective ? u"--recompute-granularity"_s : u"--recompute-activations"_s);
        const QString backend = m_words.text(u"--attention-backend"_s).value_or(QString());
        const QString flash = u"--use-flash-attn"_s;
        if (!backend.isEmpty())
            m_say.set(field::attention, training.attention,
                backend == u"unfused"_s || backend == u"local"_s ? AttentionKind::Standard : AttentionKind::Flash,
                u"--attention-backend"_s);
        else if (m_words.has(flash) || m_isDeepspeed)
            m_say.set(field::attention, training.attention,
                m_words.has(flash) ? AttentionKind::Flash : AttentionKind::Standard, flash);
        if (m_isDeepspeed)
            return;
        m_say.set(field::offload, training.offload,
            m_words.has(u"--optimizer-cpu-offload"_s) ? Offload::OptimizerStates : Offload::None,
            u"--optimizer-cpu-offload"_s);
        if (m_words.has(u"--num-experts"_s))
            flag(field::groupedExperts, training.groupedExperts, u"--moe-grouped-gemm"_s);
    }

    void readNumbers()
    {
        auto& training = m_spec.training;
        const bool bf16 = m_words.has(u"--bf16"_s), fp16 = m_words.has(u"--fp16"_s);
        m_say.set(field::precision, training.precision,
            bf16       ? Precision::Bf16Mixed
                : fp16 ? Precision::Fp16Mixed
                       : Precision::Fp32,
            fp16 ? u"--fp16"_s : u"--bf16"_s);
        if (!m_isDeepspeed)
            m_say.set(field::float8, training.float8,
                m_words.has(u"--fp8-format"_s) ? Float8::Tensorwise : Float8::None, u"--fp8-format"_s);
        if (const auto micro = m_words.number(u"--micro-batch-size"_s))
            m_say.set(field::microBatch, training.microBatch, *micro, u"--micro-batch-size"_s);
        if (const auto global = m_words.number(u"--global-batch-size"_s))
            m_say.set(field::globalBatch, training.globalBatch, *global, u"--global-batch-size"_s);
    }

    /// How large the vocabulary is says the tokenizer; without the option it is taken for GPT-2's, padded.
    void readModel()
    {
        constexpr qint64 usualVocabulary = 50304;
        const auto layers = m_words.number(u"--num-layers"_s), hidden = m_words.number(u"--hidden-size"_s);
        const auto heads = m_words.number(u"--num-attention-heads"_s);
        if (!layers || !hidden || !heads)
            return;
        const bool gated = m_words.has(u"--swiglu"_s);
        const auto count = [this](const QString& option, qint64 otherwise) {
            return double(m_words.number(option).value_or(otherwise));
        };
        m_out.model = {{u"layers"_s, double(*layers)}, {u"hidden"_s, double(*hidden)}, {u"heads"_s, double(*heads)},
            {u"kvHeads"_s, count(m_isDeepspeed ? u"--num-key-value-heads"_s : u"--num-query-groups"_s, *heads)},
            {u"ffn"_s, count(u"--ffn-hidden-size"_s, gated ? *hidden * 8 / 3 / 64 * 64 : 4 * *hidden)},
            {u"vocab"_s, count(u"--vocab-size"_s, usualVocabulary)}, {u"gatedMlp"_s, gated},
            {u"tiedEmbeddings"_s, !m_words.has(u"--untie-embeddings-and-output-weights"_s)}};
        if (const auto experts = m_words.number(u"--num-experts"_s)) {
            m_out.model.insert(u"experts"_s, double(*experts));
            m_out.model.insert(
                u"expertsPerToken"_s, m_isDeepspeed ? count(u"--topk"_s, 1) : count(u"--moe-router-topk"_s, 2));
        }
        if (const auto sequence = m_words.number(u"--seq-length"_s))
            m_spec.training.sequence = *sequence;
    }

    const TrainerKeys& m_words;
    LaunchedSwitches& m_out;
    Saying m_say;
    JobSpec& m_spec;
    bool m_isDeepspeed = false;
};

// ---- torchtitan: TOML, and arguments of the same names that go before it

void readTitan(const TrainerKeys& keys, LaunchedSwitches& out)
{
    out.trainer = u"torchtitan"_s;
    Saying say(out);
    auto& parallel = out.spec.parallel;
    auto& training = out.spec.training;
    const auto degree = [&](QLatin1StringView field, std::optional<int>& member, const QString& key) {
        const QString whole = u"parallelism."_s + key;
        say.set(field, member, int(keys.number(whole).value_or(1)), whole);
        return *member;
    };
    const int stages = degree(field::pipeline, parallel.pipeline, u"pipeline_parallel_degree"_s);
    degree(field::tensor, parallel.tensor, u"tensor_parallel_degree"_s);
    degree(field::context, parallel.context, u"context_parallel_degree"_s);
    degree(field::expert, parallel.expert, u"expert_parallel_degree"_s);
    say.set(field::sequenceParallel, parallel.sequenceParallel, true, u"torchtitan's tensor parallelism"_s);
    const QString copies = u"parallelism.data_parallel_replicate_degree"_s;
    const QString shards = u"parallelism.data_parallel_shard_degree"_s;
    const bool several = keys.number(copies).value_or(1) > 1, sharded = keys.number(shards).value_or(-1) != 1;
    if (several || sharded)
        say.set(field::strategy, parallel.strategy,
            several && sharded ? Strategy::Hsdp
                : sharded      ? Strategy::Fsdp
                               : Strategy::Ddp,
            several ? copies : shards);
    const QString reshard = u"parallelism.fsdp_reshard_after_forward"_s;
    const QString how = keys.text(reshard).value_or(u"default"_s);
    if (how != u"default"_s || stages == 1)
        say.set(field::reshard, parallel.reshard, how != u"never"_s, reshard);
    const QString eachChunk = u"parallelism.pipeline_parallel_layers_per_stage"_s;
    if (!keys.has(u"parallelism.pipeline_parallel_schedule"_s))
        say.set(field::virtualStages, parallel.virtualStages, 1, u"parallelism.pipeline_parallel_schedule"_s);
    out.layersPerChunk = keys.number(eachChunk);
    for (const QString& less : {u"parallelism.pipeline_parallel_first_stage_less_layers"_s,
             u"parallelism.pipeline_parallel_last_stage_less_layers"_s})
        out.layersMissing += int(qBound(qint64(0), keys.number(less).value_or(1), qint64(100'000)));
    if (out.layersPerChunk)
        say.set(field::virtualStages, parallel.virtualStages, 1, eachChunk);
    const QString mode = keys.text(u"activation_checkpoint.mode"_s).value_or(u"selective"_s);
    say.set(field::activationCheckpointing, training.activationCheckpointing,
        mode == u"full"_s       ? ActivationCheckpointing::Full
            : mode == u"none"_s ? ActivationCheckpointing::None
                                : ActivationCheckpointing::Selective,
        u"activation_checkpoint.mode"_s);
    say.set(field::compile, training.compile, keys.isTrue(u"compile.enable"_s), u"compile.enable"_s);
    const bool eight = keys.text(u"model.converters"_s).value_or(QString()).contains(u"float8"_s);
    const QString recipe = keys.text(u"quantize.linear.float8.recipe_name"_s).value_or(QString());
    say.set(field::float8, training.float8,
        !eight                          ? Float8::None
            : recipe == u"tensorwise"_s ? Float8::Tensorwise
            : recipe.isEmpty()          ? Float8::Tensorwise
                                        : Float8::Rowwise,
        u"model.converters"_s);
    say.set(field::offload, training.offload,
        keys.isTrue(u"training.enable_cpu_offload"_s) ? Offload::OptimizerAndParameters : Offload::None,
        u"training.enable_cpu_offload"_s);
    say.set(field::precision, training.precision,
        keys.text(u"training.mixed_precision_param"_s).value_or(u"bfloat16"_s) == u"float32"_s ? Precision::Fp32
                                                                                               : Precision::Bf16Mixed,
        u"training.mixed_precision_param"_s);
    say.set(field::groupedExperts, training.groupedExperts, true, u"torchtitan's default"_s);
    if (const auto micro = keys.number(u"training.local_batch_size"_s))
        say.set(field::microBatch, training.microBatch, *micro, u"training.local_batch_size"_s);
    if (const auto global = keys.number(u"training.global_batch_size"_s); global && *global > 0)
        say.set(field::globalBatch, training.globalBatch, *global, u"training.global_batch_size"_s);
}

Offload offloadBy(bool optimizer, bool parameters)
{
    return parameters ? Offload::OptimizerAndParameters : optimizer ? Offload::OptimizerStates : Offload::None;
}

// ---- NeMo and Megatron Bridge: overrides of a recipe, whose own values are unknown

void readNemo(const TrainerKeys& words, LaunchedSwitches& out)
{
    const QString spread
        = words.has(u"trainer.strategy.tensor_model_parallel_size"_s) ? u"trainer.strategy."_s : u"model."_s;
    out.trainer = u"NeMo"_s;
    Saying say(out);
    auto& parallel = out.spec.parallel;
    const auto degree = [&](QLatin1StringView field, std::optional<int>& member, const QString& name) {
        if (const auto value = words.number(spread + name))
            say.set(field, member, int(*value), spread + name);
    };
    degree(field::tensor, parallel.tensor, u"tensor_model_parallel_size"_s);
    degree(field::pipeline, parallel.pipeline, u"pipeline_model_parallel_size"_s);
    degree(field::context, parallel.context, u"context_parallel_size"_s);
    degree(field::expert, parallel.expert, u"expert_model_parallel_size"_s);
    degree(field::expertTensor, parallel.expertTensor, u"expert_tensor_parallel_size"_s);
    degree(field::virtualStages, parallel.virtualStages, u"virtual_pipeline_model_parallel_size"_s);
    const QString model = spread == u"model."_s ? spread : u"model.config."_s;
    const auto end = [&](QLatin1StringView field, std::optional<int>& member, const QString& name) {
        if (const auto layers = words.number(model + name))
            say.set(field, member, int(qBound(qint64(0), *layers, qint64(100'000))), model + name);
    };
    end(field::firstStageLayers, parallel.firstStageLayers, u"num_layers_in_first_pipeline_stage"_s);
    end(field::lastStageLayers, parallel.lastStageLayers, u"num_layers_in_last_pipeline_stage"_s);
    const QString sequence = spread + u"sequence_parallel"_s;
    if (words.has(sequence))
        say.set(field::sequenceParallel, parallel.sequenceParallel, words.isTrue(sequence), sequence);
    for (const QString& key : {u"optim.config.use_distributed_optimizer"_s, u"optimizer.use_distributed_optimizer"_s}) {
        if (words.has(key))
            say.set(field::shardOptimizer, parallel.shardOptimizer, words.isTrue(key), key);
    }
    if (const auto name = words.text(u"model.optim.name"_s))
        say.set(
            field::shardOptimizer, parallel.shardOptimizer, name == u"distributed_fused_adam"_s, u"model.optim.name"_s);
    for (const QString& key : {u"model.activations_checkpoint_granularity"_s, u"model.config.recompute_granularity"_s,
             u"model.recompute_granularity"_s}) {
        if (const auto how = words.text(key))
            say.set(field::activationCheckpointing, out.spec.training.activationCheckpointing,
                how == u"full"_s            ? ActivationCheckpointing::Full
                    : how == u"selective"_s ? ActivationCheckpointing::Selective
                                            : ActivationCheckpointing::None,
                key);
    }
    for (const QString& part : {u"model."_s, u"data."_s, u"train."_s}) {
        if (const auto micro = words.number(part + u"micro_batch_size"_s))
            say.set(field::microBatch, out.spec.training.microBatch, *micro, part + u"micro_batch_size"_s);
        if (const auto global = words.number(part + u"global_batch_size"_s))
            say.set(field::globalBatch, out.spec.training.globalBatch, *global, part + u"global_batch_size"_s);
    }
}

// ---- The Trainer of transformers: arguments; what is not there, the program may set itself

void readTrainerClass(const TrainerKeys& words, LaunchedSwitches& out)
{
    out.trainer = u"the Trainer of transformers"_s;
    Saying say(out);
    if (const auto how = words.text(u"--fsdp"_s); how && !how->isEmpty()) {
        say.set(field::strategy, out.spec.parallel.strategy,
            how->contains(u"hybrid"_s) ? Strategy::Hsdp : Strategy::Fsdp, u"--fsdp"_s);
        say.set(field::reshard, out.spec.parallel.reshard,
            !how->contains(u"shard_grad_op"_s) && !how->contains(u"zero2"_s), u"--fsdp"_s);
        say.set(field::offload, out.spec.training.offload, offloadBy(false, how->contains(u"offload"_s)), u"--fsdp"_s);
    }
    if (words.has(u"--gradient-checkpointing"_s))
        say.set(field::activationCheckpointing, out.spec.training.activationCheckpointing,
            words.isTrue(u"--gradient-checkpointing"_s) ? ActivationCheckpointing::Full : ActivationCheckpointing::None,
            u"--gradient_checkpointing"_s);
    if (words.has(u"--torch-compile"_s))
        say.set(field::compile, out.spec.training.compile, words.isTrue(u"--torch-compile"_s), u"--torch_compile"_s);
}

// ---- DeepSpeed: its JSON, or what accelerate's file hands it

Strategy zeroStrategy(qint64 stage)
{
    return stage == 1 ? Strategy::Zero1 : stage == 2 ? Strategy::Zero2 : stage == 3 ? Strategy::Zero3 : Strategy::Ddp;
}

void readDeepspeed(const TrainerKeys& keys, LaunchedSwitches& out)
{
    if (out.trainer.isEmpty())
        out.trainer = u"DeepSpeed"_s;
    Saying say(out);
    const QString stage = u"zero_optimization.stage"_s;
    say.set(field::strategy, out.spec.parallel.strategy, zeroStrategy(keys.number(stage).value_or(0)), stage);
    say.set(field::offload, out.spec.training.offload,
        offloadBy(keys.has(u"zero_optimization.offload_optimizer.device"_s),
            keys.has(u"zero_optimization.offload_param.device"_s)),
        u"zero_optimization.offload_optimizer"_s);
    if (keys.isTrue(u"bf16.enabled"_s))
        say.set(field::precision, out.spec.training.precision, Precision::Bf16Mixed, u"bf16.enabled"_s);
    else if (keys.isTrue(u"fp16.enabled"_s))
        say.set(field::precision, out.spec.training.precision, Precision::Fp16Mixed, u"fp16.enabled"_s);
    if (const auto micro = keys.number(u"train_micro_batch_size_per_gpu"_s))
        say.set(field::microBatch, out.spec.training.microBatch, *micro, u"train_micro_batch_size_per_gpu"_s);
}

// ---- accelerate: YAML

void readAccelerateFsdp(const TrainerKeys& keys, LaunchedSwitches& out)
{
    Saying say(out);
    const QString kindKey = u"fsdp_config.fsdp_sharding_strategy"_s;
    const QString reshardKey = u"fsdp_config.fsdp_reshard_after_forward"_s;
    const QString kind = keys.text(kindKey).value_or(u"FULL_SHARD"_s);
    const bool hybrid = kind.startsWith(u"HYBRID"_s);
    say.set(field::strategy, out.spec.parallel.strategy,
        kind == u"NO_SHARD"_s ? Strategy::Ddp
            : hybrid          ? Strategy::Hsdp
                              : Strategy::Fsdp,
        u"distributed_type"_s);
    const bool keeps = kind == u"SHARD_GRAD_OP"_s || kind.endsWith(u"ZERO2"_s) || keys.isFalse(reshardKey);
    say.set(field::reshard, out.spec.parallel.reshard, !keeps, keys.has(reshardKey) ? reshardKey : kindKey);
    say.set(field::offload, out.spec.training.offload,
        offloadBy(false, keys.isTrue(u"fsdp_config.fsdp_offload_params"_s)), u"fsdp_config.fsdp_offload_params"_s);
    const QString degrees = u"parallelism_config.parallelism_config_"_s;
    const auto degree = [&](QLatin1StringView field, std::optional<int>& member, const QString& key) {
        say.set(field, member, int(keys.number(key).value_or(1)), key);
    };
    degree(field::tensor, out.spec.parallel.tensor, degrees + u"tp_size"_s);
    degree(field::context, out.spec.parallel.context, degrees + u"cp_size"_s);
    const QString recompute = u"fsdp_config.fsdp_activation_checkpointing"_s;
    if (keys.isTrue(recompute)) // otherwise the program may do it by itself
        say.set(field::activationCheckpointing, out.spec.training.activationCheckpointing,
            ActivationCheckpointing::Full, recompute);
}

void readAccelerateMegatron(const TrainerKeys& keys, LaunchedSwitches& out)
{
    Saying say(out);
    auto& parallel = out.spec.parallel;
    const QString part = u"megatron_lm_config.megatron_lm_"_s;
    say.set(field::tensor, parallel.tensor, int(keys.number(part + u"tp_degree"_s).value_or(1)), part + u"tp_degree"_s);
    say.set(
        field::pipeline, parallel.pipeline, int(keys.number(part + u"pp_degree"_s).value_or(1)), part + u"pp_degree"_s);
    say.set(field::sequenceParallel, parallel.sequenceParallel, keys.isTrue(part + u"sequence_parallelism"_s),
        part + u"sequence_parallelism"_s);
    say.set(field::shardOptimizer, parallel.shardOptimizer, keys.isTrue(part + u"use_distributed_optimizer"_s),
        part + u"use_distributed_optimizer"_s);
    say.set(field::activationCheckpointing, out.spec.training.activationCheckpointing,
        keys.isTrue(part + u"recompute_activations"_s) ? ActivationCheckpointing::Selective
                                                       : ActivationCheckpointing::None,
        part + u"recompute_activations"_s);
}

void readAccelerate(const TrainerKeys& keys, LaunchedSwitches& out)
{
    out.trainer = u"accelerate"_s;
    Saying say(out);
    const QString type = keys.text(u"distributed_type"_s).value_or(QString());
    const QString precision = keys.text(u"mixed_precision"_s).value_or(QString());
    say.set(field::precision, out.spec.training.precision,
        precision == u"bf16"_s       ? Precision::Bf16Mixed
            : precision == u"fp16"_s ? Precision::Fp16Mixed
                                     : Precision::Fp32,
        u"mixed_precision"_s);
    say.set(field::compile, out.spec.training.compile, keys.has(u"dynamo_config.dynamo_backend"_s),
        u"dynamo_config.dynamo_backend"_s);
    if (type == u"FSDP"_s) {
        readAccelerateFsdp(keys, out);
    } else if (type == u"MEGATRON_LM"_s) {
        readAccelerateMegatron(keys, out);
    } else if (type == u"DEEPSPEED"_s) {
        const QString stage = u"deepspeed_config.zero_stage"_s;
        say.set(field::strategy, out.spec.parallel.strategy, zeroStrategy(keys.number(stage).value_or(0)), stage);
        const auto toHost = [&keys](const QString& key) { return keys.text(key).value_or(u"none"_s) != u"none"_s; };
        say.set(field::offload, out.spec.training.offload,
            offloadBy(toHost(u"deepspeed_config.offload_optimizer_device"_s),
                toHost(u"deepspeed_config.offload_param_device"_s)),
            u"deepspeed_config.offload_optimizer_device"_s);
    } else if (!type.isEmpty()) {
        say.set(field::strategy, out.spec.parallel.strategy, type == u"NO"_s ? Strategy::Single : Strategy::Ddp,
            u"distributed_type"_s);
    }
}

} // namespace

LaunchedSwitches switchesOf(const QString& command, const QStringList& files)
{
    LaunchedSwitches out;
    const Result<QStringList> split = splitShellWords(command);
    const TrainerKeys words = TrainerKeys::ofWords(split ? *split : QStringList());
    TrainerKeys titan = words, deepspeed, accelerate;
    const bool isFunction = takesTitanFunction(command);
    if (isFunction)
        titan = TrainerKeys().overlaidBy(words);
    bool hasTitan = false;
    for (const QString& file : files) {
        if (file.trimmed().startsWith(u'{'))
            deepspeed = TrainerKeys::ofJson(file);
        else if (file.contains(u"distributed_type:"_s))
            accelerate = TrainerKeys::ofYaml(file);
        else if (file.contains(u"[parallelism]"_s) || file.contains(u"[training]"_s)) {
            titan = TrainerKeys::ofToml(file).overlaidBy(words);
            hasTitan = true;
        }
    }
    const bool named = words.has(u"--tensor-model-parallel-size"_s) || words.has(u"--use-distributed-optimizer"_s);
    const bool overrides = words.has(u"trainer.strategy.tensor_model_parallel_size"_s)
        || words.has(u"model.tensor_model_parallel_size"_s);
    if (named || (isMegatronProgram(command) && !overrides))
        MegatronReader(words, out).run();
    else if (hasTitan)
        readTitan(titan, out);
    else if (isFunction && titan.has(u"parallelism.tensor_parallel_degree"_s)) {
        readTitan(titan, out);
        for (const QLatin1StringView elsewhere : {field::activationCheckpointing, field::float8}) // the function's
            out.said.remove(FieldPath(elsewhere));
    } else if (overrides)
        readNemo(words, out);
    else if (!accelerate.isEmpty())
        readAccelerate(accelerate, out);
    else if (words.has(u"--fsdp"_s) || words.has(u"--gradient-checkpointing"_s) || words.has(u"--torch-compile"_s))
        readTrainerClass(words, out);
    if (!deepspeed.isEmpty())
        readDeepspeed(deepspeed, out);
    if (const auto tuner = tunerProgram(command)) {
        const auto said = readTunerArguments(*tuner, split ? *split : QStringList(), out.spec);
        for (auto one = said.cbegin(); one != said.cend(); ++one)
            out.said.insert(one.key(), one.value());
        if (out.trainer.isEmpty())
            out.trainer = tunerTitle(*tuner);
    }
    return out;
}

LaunchedSwitches launchedSwitches(const BatchText& batch, const ClusterProfile& profile)
{
    QStringList files;
    for (const HereDocument& document : batch.shell.hereDocuments)
        files.append(document.body);
    return switchesOf(readScript(batch, profile).spec.command.value_or(QString()), files);
}

ResolvedSpec asLaunched(ResolvedSpec planned, const LaunchedSwitches& launched)
{
    const BatchPlan batch = planBatch(planned);
    auto& training = planned.spec.training;
    training.microBatch = training.microBatch.value_or(batch.microBatch);
    training.globalBatch = training.globalBatch.value_or(batch.globalBatch);
    for (auto said = launched.said.cbegin(); said != launched.said.cend(); ++said) {
        if (const SpecField* field = specField(said.key()))
            std::visit([&](const auto& member) { member.in(planned.spec) = member.of(launched.spec); }, field->member);
    }
    // Where the script says nothing, what was taken for the open design holds.
    const auto keep
        = [](std::optional<int>& member, const std::optional<int>& taken) { member = member ? member : taken; };
    keep(planned.spec.parallel.expert, planned.parallel.expert);
    keep(planned.spec.parallel.virtualStages, planned.parallel.virtualStages);
    keep(planned.spec.parallel.firstStageLayers, planned.parallel.firstStageLayers);
    keep(planned.spec.parallel.lastStageLayers, planned.parallel.lastStageLayers);
    const auto& parallel = launched.spec.parallel;
    const auto shape = namedModel(planned.spec);
    const qint64 stages = qMax(1, parallel.pipeline.value_or(planned.pipeline));
    if (launched.layersPerChunk && *launched.layersPerChunk > 0 && shape)
        planned.spec.parallel.virtualStages = int(qBound(
            qint64(1), (shape->layers + launched.layersMissing) / (*launched.layersPerChunk * stages), qint64(100000)));
    if (shape) { // ends as the rule has them say nothing of their own
        Layout probe;
        probe.pipeline = int(stages);
        probe.virtualStages = qMax(1, planned.spec.parallel.virtualStages.value_or(1));
        const StageLayers cut = stageLayers(pipelineLayers(*shape), probe);
        auto& ends = planned.spec.parallel;
        if (ends.firstStageLayers.value_or(cut.first) == cut.first
            && ends.lastStageLayers.value_or(cut.last) == cut.last)
            ends.firstStageLayers = ends.lastStageLayers = std::nullopt;
    }
    planned.strategy = parallel.strategy.value_or(planned.strategy);
    planned.tensor = parallel.tensor.value_or(planned.tensor);
    planned.pipeline = parallel.pipeline.value_or(planned.pipeline);
    planned.context = parallel.context.value_or(planned.context);
    planned.precision = launched.spec.training.precision.value_or(planned.precision);
    if (launched.says(field::activationCheckpointing))
        planned.activationCheckpointing = launched.spec.training.activationCheckpointing;
    planned.parallel = planned.spec.parallel;
    return planned;
}

} // namespace rankwright::inline script
