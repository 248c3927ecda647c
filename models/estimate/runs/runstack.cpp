// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/estimate/runs/runstack.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace runs {

namespace {

bool modelParallel(const RunWords& words)
{
    return matches(words.strategy, u"(?<![a-z])(tp|pp)(?![a-z])|tensor|pipeline"_s);
}

bool usesZero(const RunWords& words) { return has(words.strategy, u"zero"_s); }

/// What the strategy itself names.
QString namedByStrategy(const RunWords& words)
{
    const QString& strategy = words.strategy;
    if (has(strategy, u"simplefsdp"_s))
        return u"simple-fsdp"_s;
    if (has(strategy, u"(graph)"_s))
        return u"torchtitan-graph"_s;
    if (has(strategy, u"fsdp2"_s))
        return u"fsdp2"_s;
    if (has(strategy, u"llm foundry"_s))
        return u"llm-foundry"_s;
    if (has(strategy, u"megatron-deepspeed"_s))
        return u"megatron-deepspeed"_s;
    if (has(strategy, u"deepspeed"_s))
        return modelParallel(words) || has(strategy, u"3d"_s) ? u"megatron-deepspeed"_s : u"deepspeed"_s;
    if (has(strategy, u"fsdp1"_s) || has(strategy, u"fairscale"_s) || has(strategy, u"sharded_ddp"_s))
        return u"fsdp1"_s;
    if (has(strategy, u"horovod"_s))
        return u"horovod"_s;
    if (matches(strategy, u"megatron (20|2\\.)"_s) || has(strategy, u"ptd-p"_s))
        return u"megatron-2021"_s;
    if (has(strategy, u"megatron-core"_s) || hasWord(strategy, u"mcore"_s))
        return u"megatron-core"_s;
    if (has(strategy, u"hf trainer"_s))
        return u"hf-trainer"_s;
    return {};
}

QString titanOf(const RunWords& words)
{
    if (has(words.strategy, u"fsdp1"_s))
        return u"fsdp1"_s;
    // Single-GPU runs of torchtitan: the memory tests of its graph trainer.
    const bool alone = has(words.strategy, u"single"_s);
    return alone && words.month >= monthOf(2026, 1) ? u"torchtitan-graph"_s : u"fsdp2"_s;
}

QString huggingFaceOf(const RunWords& words)
{
    if (usesZero(words) || has(words.strategy, u"deepspeed"_s))
        return u"deepspeed"_s;
    if (has(words.strategy, u"fsdp"_s))
        return words.month >= monthOf(2025, 3) ? u"fsdp2"_s : u"fsdp1"_s; // accelerate 1.6 brought FSDP2
    return u"hf-trainer"_s;
}

QString megatronOf(const RunWords& words)
{
    if (has(words.source, u"deepspeed"_s) || has(words.source, u"mt-nlg"_s) || has(words.notes, u"deepspeed"_s))
        return modelParallel(words) || !usesZero(words) ? u"megatron-deepspeed"_s : u"deepspeed"_s;
    // ZeRO-3 was set against Megatron in its own paper: that is DeepSpeed.
    if (matches(words.strategy, u"zero-?[23]"_s))
        return u"deepspeed"_s;
    if (matches(words.source, u"2104\\.04473|2205\\.05198|1909\\.08053|2021|korthikanti"_s))
        return u"megatron-2021"_s;
    return u"megatron-core"_s;
}

/// What the place of publication tells.
QString namedBySource(const RunWords& words)
{
    const QString& source = words.source;
    if (has(source, u"vtrain"_s))
        return u"megatron-vtrain"_s;
    if (matches(source, u"llm-foundry|mosaic|databricks|composer"_s))
        return u"llm-foundry"_s;
    if (has(source, u"torchtitan"_s))
        return titanOf(words);
    if (matches(source, u"oneflow|libai|dlperf"_s)
        && !matches(words.strategy + words.notes, u"pytorch|megatron|tensorflow|mxnet"_s))
        return u"oneflow"_s;
    if (matches(source, u"nemo|megatron-bridge"_s))
        return u"nemo"_s;
    if (has(source, u"colossal"_s))
        return u"colossalai"_s;
    if (matches(source, u"deeplearningexamples"_s))
        return u"dle"_s;
    if (matches(source, u"pytorch-image-models|\\btimm\\b"_s))
        return u"timm"_s;
    if (has(words.notes, u"lightning"_s) || matches(source, u"lightning|litgpt|lit-gpt"_s))
        return u"lightning"_s;
    if (matches(source, u"bigscience|spyysalo|lumiopen|frontier"_s))
        return usesZero(words) && !modelParallel(words) && has(words.strategy, u"hf"_s) ? u"deepspeed"_s
                                                                                        : u"megatron-deepspeed"_s;
    if (matches(source, u"megatron|korthikanti|mt-nlg|caraml"_s))
        return megatronOf(words);
    if (matches(source, u"hugging ?face|transformers|accelerate|\\bpeft\\b"_s) || has(words.notes, u"run_clm"_s))
        return huggingFaceOf(words);
    if (matches(source, u"deepspeed|zero paper"_s))
        return modelParallel(words)                   ? u"megatron-deepspeed"_s
            : has(words.strategy, u"ddp (pytorch)"_s) ? u"pytorch"_s
                                                      : u"deepspeed"_s;
    if (has(source, u"horovod"_s))
        return u"horovod"_s;
    if (has(source, u"torchtune"_s) && !has(words.strategy, u"fsdp"_s))
        return u"torchtune"_s;
    if (matches(source, u"torchtune|gpt-fast|pytorch blog|pytorch\\.org"_s) && has(words.strategy, u"fsdp"_s))
        return words.month >= monthOf(2024, 6) ? u"fsdp2"_s : u"fsdp1"_s;
    return {};
}

/// What a strategy of unknown make usually runs on.
QString usualFor(const RunWords& words)
{
    const QString& strategy = words.strategy;
    if (matches(strategy, u"fsdp|hsdp|full.?shard"_s)) {
        const bool recent = words.month >= monthOf(2024, 6) || matches(words.hardware, u"h200|b200|b300|mi3"_s);
        return recent ? u"fsdp2"_s : u"fsdp1"_s;
    }
    if (usesZero(words))
        return modelParallel(words) ? u"megatron-deepspeed"_s : u"deepspeed"_s;
    if (has(strategy, u"distributed optimizer"_s) || modelParallel(words)) {
        const bool old = has(words.hardware, u"v100"_s) || has(words.hardware, u"p100"_s);
        return old ? u"megatron-2021"_s : u"megatron-core"_s;
    }
    if (matches(strategy, u"ddp|data.?parallel|single|plain|lora"_s))
        return u"pytorch"_s;
    return u"generic"_s;
}

} // namespace

namespace {

QString engineOf(const RunWords& words)
{
    // Where both say something, the source knows the house and the strategy the engine: torchtitan's, vTrain's and
    // MosaicML's own builds go before the engine's name.
    const QString source = namedBySource(words);
    const QString strategy = namedByStrategy(words);
    if (source == u"megatron-vtrain" || source == u"llm-foundry" || source == u"nemo")
        return source;
    if (!strategy.isEmpty())
        return strategy == u"horovod" || strategy == u"hf-trainer" || source != u"lightning" ? strategy : source;
    return source.isEmpty() ? usualFor(words) : source;
}

} // namespace

QString stackOf(const RunWords& words)
{
    const QString engine = engineOf(words);
    if (engine == u"fsdp2" && words.month > 0 && words.month < monthOf(2025, 5))
        return u"fsdp2-2024"_s;
    if (engine == u"megatron-deepspeed" && has(words.source, u"bigscience"_s))
        return u"megatron-deepspeed-2022"_s;
    return engine;
}

bool isFsdp(const QString& stack)
{
    static const QStringList all{
        u"fsdp1"_s, u"fsdp2"_s, u"fsdp2-2024"_s, u"simple-fsdp"_s, u"torchtitan-graph"_s, u"llm-foundry"_s};
    return all.contains(stack);
}

bool isMegatron(const QString& stack) { return stack.startsWith(u"megatron"_s) || stack == u"nemo"; }

} // namespace runs

QStringList knownStacks()
{
    return {u"torchtitan-graph"_s, u"simple-fsdp"_s, u"fsdp2"_s, u"fsdp2-2024"_s, u"fsdp1"_s, u"llm-foundry"_s,
        u"megatron-vtrain"_s, u"megatron-2021"_s, u"megatron-deepspeed"_s, u"megatron-deepspeed-2022"_s,
        u"megatron-core"_s, u"nemo"_s, u"deepspeed"_s, u"colossalai"_s, u"oneflow"_s, u"lightning"_s, u"torchtune"_s,
        u"horovod"_s, u"dle"_s, u"timm"_s, u"hf-trainer"_s, u"pytorch"_s, u"generic"_s};
}

} // namespace rankwright
