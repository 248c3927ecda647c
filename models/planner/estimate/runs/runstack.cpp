// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/runs/runstack.h"

#include "models/planner/estimate/stack/stacknames.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

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
        return stackname::simpleFsdp;
    if (has(strategy, u"(graph)"_s))
        return stackname::torchtitanGraph;
    if (has(strategy, u"fsdp2"_s))
        return stackname::fsdp2;
    if (has(strategy, u"llm foundry"_s))
        return stackname::llmFoundry;
    if (has(strategy, u"megatron-deepspeed"_s))
        return stackname::megatronDeepspeed;
    if (has(strategy, u"deepspeed"_s))
        return modelParallel(words) || has(strategy, u"3d"_s) ? stackname::megatronDeepspeed : stackname::deepspeed;
    if (has(strategy, u"fsdp1"_s) || has(strategy, u"fairscale"_s) || has(strategy, u"sharded_ddp"_s))
        return stackname::fsdp1;
    if (has(strategy, u"horovod"_s))
        return stackname::horovod;
    if (matches(strategy, u"megatron (20|2\\.)"_s) || has(strategy, u"ptd-p"_s))
        return stackname::megatronOf2021;
    if (has(strategy, u"megatron-core"_s) || hasWord(strategy, u"mcore"_s))
        return stackname::megatronCore;
    if (has(strategy, u"hf trainer"_s))
        return stackname::hfTrainer;
    return {};
}

QString titanOf(const RunWords& words)
{
    if (has(words.strategy, u"fsdp1"_s))
        return stackname::fsdp1;
    // Single-GPU runs of torchtitan: the memory tests of its graph trainer.
    const bool alone = has(words.strategy, u"single"_s);
    return alone && words.month >= monthOf(2026, 1) ? stackname::torchtitanGraph : stackname::fsdp2;
}

QString huggingFaceOf(const RunWords& words)
{
    if (usesZero(words) || has(words.strategy, u"deepspeed"_s))
        return stackname::deepspeed;
    if (has(words.strategy, u"fsdp"_s))
        return words.month >= monthOf(2025, 3) ? stackname::fsdp2 : stackname::fsdp1; // accelerate 1.6 brought FSDP2
    return stackname::hfTrainer;
}

QString megatronOf(const RunWords& words)
{
    if (has(words.source, u"deepspeed"_s) || has(words.source, u"mt-nlg"_s) || has(words.notes, u"deepspeed"_s))
        return modelParallel(words) || !usesZero(words) ? stackname::megatronDeepspeed : stackname::deepspeed;
    // ZeRO-3 was set against Megatron in its own paper: that is DeepSpeed.
    if (matches(words.strategy, u"zero-?[23]"_s))
        return stackname::deepspeed;
    if (matches(words.source, u"2104\\.04473|2205\\.05198|1909\\.08053|2021|korthikanti"_s))
        return stackname::megatronOf2021;
    return stackname::megatronCore;
}

/// Stacks for fine-tuning that a text names; empty: none.
QString tunerNamedIn(const QString& text)
{
    if (has(text, u"torchtune"_s))
        return stackname::torchtune;
    if (has(text, u"axolotl"_s))
        return stackname::axolotl;
    if (has(text, u"unsloth"_s))
        return stackname::unsloth;
    if (matches(text, u"llama-?factory"_s))
        return stackname::llamaFactory;
    if (matches(text, u"lit-?gpt"_s))
        return stackname::litgpt;
    if (matches(text, u"ms-swift|modelscope"_s))
        return stackname::msSwift;
    return {};
}

/// Stacks for fine-tuning, by the strategy, the place of publication and the notes. What the strategy names goes first:
/// a maker's table also has the programs that it is compared with.
QString tunerOf(const RunWords& words)
{
    const bool compared = matches(words.strategy, u"hugging ?face|\\btrl\\b|sfttrainer"_s);
    // Megatron-SWIFT trains with Megatron-Core; its pages also have ms-swift's own runs.
    const bool megatron = has(words.strategy, u"megatron"_s)
        || (has(words.source, u"megatron"_s) && !matches(words.strategy, u"zero|deepspeed|fsdp"_s));
    for (const QString& text : {words.strategy, compared ? QString() : words.source})
        if (const QString named = tunerNamedIn(text); !named.isEmpty())
            return named == stackname::msSwift && megatron ? QString() : named;
    if (has(words.notes, u"unsloth trainer"_s))
        return stackname::unsloth;
    const QString text = words.source + u' ' + words.strategy;
    if (compared && matches(words.strategy + words.notes, u"lora|peft|tuning|\\bsft"_s))
        return stackname::trl;
    if (matches(text + words.notes, u"fms-acceleration|\\btrl\\b|sfttrainer|liger-kernel"_s))
        return stackname::trl;
    if (has(words.notes, u"fine-tuning with deepspeed"_s))
        return {};
    if (matches(text, u"qwenlm|huggingface/(peft|diffusers)|finetrainers"_s)
        && matches(words.strategy + words.notes, u"lora|peft|tuning"_s))
        return stackname::peft;
    return {};
}

/// What the place of publication implies.
QString namedBySource(const RunWords& words)
{
    const QString& source = words.source;
    if (has(source, u"vtrain"_s))
        return stackname::megatronVtrain;
    if (matches(source, u"llm-foundry|mosaic|databricks|composer"_s))
        return stackname::llmFoundry;
    if (has(source, u"torchtitan"_s))
        return titanOf(words);
    if (matches(source + u' ' + words.strategy, u"maxtext|\\bjax\\b"_s)) // sharded as FSDP2 does it
        return stackname::fsdp2;
    if (matches(source, u"oneflow|libai|dlperf"_s)
        && !matches(words.strategy + words.notes, u"pytorch|megatron|tensorflow|mxnet"_s))
        return stackname::oneflow;
    if (matches(source, u"nemo|megatron[- ]bridge|dgxc-benchmarking"_s))
        return stackname::nemo;
    if (has(source, u"colossal"_s))
        return stackname::colossalai;
    if (matches(source, u"deeplearningexamples"_s))
        return stackname::dle;
    if (matches(source, u"pytorch-image-models|\\btimm\\b"_s))
        return stackname::timm;
    if (has(words.notes, u"lightning"_s) || has(source, u"lightning"_s))
        return stackname::lightning;
    if (matches(source, u"bigscience|spyysalo|lumiopen|frontier"_s))
        return usesZero(words) && !modelParallel(words) && has(words.strategy, u"hf"_s) ? stackname::deepspeed
                                                                                        : stackname::megatronDeepspeed;
    if (matches(source, u"megatron|korthikanti|mt-nlg|caraml"_s) || matches(words.strategy, u"megatron-(lm|swift)"_s))
        return megatronOf(words);
    if (matches(source, u"hugging ?face|transformers|accelerate|\\bpeft\\b"_s) || has(words.notes, u"run_clm"_s))
        return huggingFaceOf(words);
    if (matches(source, u"deepspeed|zero paper"_s))
        return modelParallel(words)                   ? stackname::megatronDeepspeed
            : has(words.strategy, u"ddp (pytorch)"_s) ? stackname::pytorch
                                                      : stackname::deepspeed;
    if (has(source, u"horovod"_s))
        return stackname::horovod;
    if (matches(source, u"gpt-fast|pytorch blog|pytorch\\.org"_s) && has(words.strategy, u"fsdp"_s))
        return words.month >= monthOf(2024, 6) ? stackname::fsdp2 : stackname::fsdp1;
    return {};
}

/// What a strategy of unknown make usually runs on.
QString usualFor(const RunWords& words)
{
    const QString& strategy = words.strategy;
    if (has(words.notes, u"fine-tuning with deepspeed"_s))
        return stackname::deepspeed;
    // bitsandbytes' matrices are trained through PEFT.
    if (matches(strategy, u"^single.*(qlora|8-?bit (ada|do)?lora)"_s))
        return stackname::peft;
    if (matches(strategy, u"fsdp|hsdp|full.?shard"_s)) {
        const bool recent = words.month >= monthOf(2024, 6) || matches(words.hardware, u"h200|b200|b300|mi3"_s);
        return recent ? stackname::fsdp2 : stackname::fsdp1;
    }
    if (usesZero(words))
        return modelParallel(words) ? stackname::megatronDeepspeed : stackname::deepspeed;
    if (has(strategy, u"distributed optimizer"_s) || modelParallel(words)) {
        const bool old = has(words.hardware, u"v100"_s) || has(words.hardware, u"p100"_s);
        return old ? stackname::megatronOf2021 : stackname::megatronCore;
    }
    if (matches(strategy, u"ddp|data.?parallel|single|plain|lora"_s))
        return stackname::pytorch;
    return stackname::generic;
}

} // namespace

namespace {

QString engineOf(const RunWords& words)
{
    // Where both say something, the source knows the base stack and the strategy the engine: torchtitan's, vTrain's and
    // MosaicML's own builds go before the engine's name.
    // A tuner under DeepSpeed has DeepSpeed's states.
    if (const QString tuner = tunerOf(words); !tuner.isEmpty() && !usesZero(words))
        return tuner;
    const QString source = namedBySource(words);
    const QString strategy = namedByStrategy(words);
    if (source == stackname::megatronVtrain || source == stackname::llmFoundry || source == stackname::nemo)
        return source;
    if (!strategy.isEmpty())
        return strategy == stackname::horovod || strategy == stackname::hfTrainer || source != stackname::lightning
            ? strategy
            : source;
    return source.isEmpty() ? usualFor(words) : source;
}

} // namespace

QString stackOf(const RunWords& words)
{
    const QString engine = engineOf(words);
    if (engine == stackname::fsdp2 && words.month > 0 && words.month < monthOf(2025, 5))
        return stackname::fsdp2Of2024;
    if (engine == stackname::megatronDeepspeed && has(words.source, u"bigscience"_s))
        return stackname::megatronDeepspeedOf2022;
    return engine;
}

bool isFsdp(const QString& stack)
{
    static const QStringList all{stackname::fsdp1, stackname::fsdp2, stackname::fsdp2Of2024, stackname::simpleFsdp,
        stackname::torchtitanGraph, stackname::llmFoundry};
    return all.contains(stack);
}

bool namesTuner(const RunWords& words) { return !tunerOf(words).isEmpty(); }

bool isTuner(const QString& stack)
{
    static const QStringList all{stackname::torchtune, stackname::trl, stackname::peft, stackname::axolotl,
        stackname::llamaFactory, stackname::litgpt, stackname::unsloth, stackname::msSwift};
    return all.contains(stack);
}

bool isMegatron(const QString& stack) { return stack.startsWith(u"megatron"_s) || stack == stackname::nemo; }

} // namespace runs

QStringList knownStacks()
{
    return {stackname::torchtitanGraph, stackname::simpleFsdp, stackname::fsdp2, stackname::fsdp2Of2024,
        stackname::fsdp1, stackname::llmFoundry, stackname::megatronVtrain, stackname::megatronOf2021,
        stackname::megatronDeepspeed, stackname::megatronDeepspeedOf2022, stackname::megatronCore, stackname::nemo,
        stackname::deepspeed, stackname::colossalai, stackname::oneflow, stackname::lightning, stackname::torchtune,
        stackname::trl, stackname::peft, stackname::axolotl, stackname::llamaFactory, stackname::litgpt,
        stackname::unsloth, stackname::msSwift, stackname::horovod, stackname::dle, stackname::timm,
        stackname::hfTrainer, stackname::pytorch, stackname::generic};
}

} // namespace rankwright::inline planner
