// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/trainingprogram.h"

#include "models/core/programname.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/plannedrun.h"
#include "models/planner/design/strategyname.h"

#include <QRegularExpression>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {
namespace {

bool isZero(Strategy strategy)
{
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
}

/// torchtitan's module, a script in its folder, or its own option.
bool isTitanProgram(const QString& command)
{
    return programOf(command).name.contains(u"torchtitan"_s) || command.contains(u"--job.config_file"_s);
}

/// The fields name a file of the user's own, or none is wanted.
bool writesNoFile(const ResolvedSpec& resolved) { return !resolved.spec.options.config.value_or(QString()).isEmpty(); }

Trainer namedTrainer(Framework framework, const ResolvedSpec& resolved)
{
    if (framework == Framework::Deepspeed)
        return Trainer::Deepspeed;
    if (framework == Framework::HfTrainer || framework == Framework::Trl || framework == Framework::Peft)
        return Trainer::HfTrainer;
    if (framework == Framework::Lightning || framework == Framework::Nemo) // NeMo trains with Lightning
        return Trainer::Lightning;
    if (framework == Framework::MegatronCore)
        return Trainer::Megatron;
    if (framework == Framework::MegatronDeepspeed)
        return Trainer::MegatronDeepspeed;
    if (framework == Framework::Fsdp2 && (splitsLayers(resolved.strategy) || isTitanProgram(resolved.command)))
        return Trainer::Titan;
    return Trainer::Plain;
}

} // namespace

bool isMegatronProgram(const QString& command)
{
    static const QRegularExpression options(
        u"(?:^|\\s)--(?:tensor|pipeline|context)[-_]model[-_]parallel[-_]size\\b"_s);
    static const QRegularExpression own(
        u"megatron|^pretrain_(?:gpt|llama|bert|t5|ict|mamba|retro|vlm|vision\\w*|multimodal)(?:\\.py)?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    const NamedProgram program = programOf(command);
    return options.match(command).hasMatch()
        || own.match(program.isModule ? program.name : program.name.section(u'/', -1)).hasMatch();
}

bool takesTitanFunction(const QString& command)
{
    static const QRegularExpression module(u"\\s--module[\\s=]"_s), function(u"\\s--config[\\s=]"_s);
    return isTitanProgram(command) && module.match(command).hasMatch() && function.match(command).hasMatch();
}

Starter starterOf(const ResolvedSpec& resolved)
{
    switch (resolved.launcher) {
    case Launcher::Torchrun: return Starter::Torchrun;
    case Launcher::Accelerate: return Starter::Accelerate;
    case Launcher::Deepspeed: return resolved.nodes == 1 ? Starter::Deepspeed : Starter::Torchrun;
    case Launcher::Srun:
    case Launcher::Lightning:
    case Launcher::Horovod: break;
    }
    return Starter::Tasks;
}

bool isAgent(Starter starter) { return starter != Starter::Tasks; }

Trainer trainerOf(const ResolvedSpec& resolved)
{
    if (resolved.strategy == Strategy::Horovod || resolved.launcher == Launcher::Horovod)
        return Trainer::Horovod;
    if (const auto& framework = resolved.spec.training.framework)
        return namedTrainer(*framework, resolved);
    if (resolved.launcher == Launcher::Lightning)
        return Trainer::Lightning;
    if (isTitanProgram(resolved.command))
        return Trainer::Titan;
    if (isZero(resolved.strategy) || resolved.launcher == Launcher::Deepspeed)
        return Trainer::Deepspeed;
    return splitsLayers(resolved.strategy) && isMegatronProgram(resolved.command) ? Trainer::Megatron : Trainer::Plain;
}

bool writesRecomputing(const ResolvedSpec& resolved, ActivationCheckpointing how)
{
    const bool accelerate = starterOf(resolved) == Starter::Accelerate;
    const Trainer trainer = trainerOf(resolved);
    if (!accelerate && (trainer == Trainer::Megatron || trainer == Trainer::MegatronDeepspeed))
        return true; // arguments; the command's own count as well
    if (const auto tuner = tunerProgram(resolved.command); tuner && !accelerate)
        return how == ActivationCheckpointing::Full && *tuner != TunerProgram::Litgpt; // LitGPT: under FSDP, by itself
    if (writesNoFile(resolved))
        return false;
    if (accelerate) // its FSDP plugin knows whole layers alone
        return how == ActivationCheckpointing::Full
            && (resolved.strategy == Strategy::Fsdp || resolved.strategy == Strategy::Hsdp);
    return trainer == Trainer::Titan && !resolved.command.contains(u"--job.config_file"_s)
        && !takesTitanFunction(resolved.command);
}

std::optional<TunerProgram> tunerProgram(const QString& command)
{
    using P = TunerProgram;
    static const std::pair<P, QRegularExpression> forms[]{
        {P::Torchtune, QRegularExpression(u"(?:^|[\\s/])tune\\s+run\\b"_s)},
        {P::Trl, QRegularExpression(u"(?:^|[\\s/])(?:trl\\s+(?:sft|dpo)\\b|(?:sft|dpo)\\.py\\b)"_s)},
        {P::Axolotl, QRegularExpression(u"(?:^|[\\s/])axolotl\\s+train\\b"_s)},
        {P::LlamaFactory, QRegularExpression(u"(?:^|[\\s/])llamafactory-cli\\s+train\\b"_s)},
        {P::Litgpt, QRegularExpression(u"(?:^|[\\s/])litgpt\\s+finetune(?:_\\w+)?\\b"_s)},
        {P::MsSwift, QRegularExpression(u"(?:^|[\\s/])swift\\s+sft\\b"_s)},
    };
    for (const auto& [program, form] : forms) {
        if (form.match(command).hasMatch())
            return program;
    }
    return std::nullopt;
}

QString tunerTitle(TunerProgram program)
{
    switch (program) {
    case TunerProgram::Torchtune: return u"torchtune"_s;
    case TunerProgram::Trl: return u"TRL"_s;
    case TunerProgram::Axolotl: return u"axolotl"_s;
    case TunerProgram::LlamaFactory: return u"LLaMA-Factory"_s;
    case TunerProgram::Litgpt: return u"LitGPT"_s;
    case TunerProgram::MsSwift: break;
    }
    return u"ms-swift"_s;
}

bool takesDashes(TunerProgram program, const QString& command)
{
    static const QRegularExpression bare(u"llamafactory-cli\\s+train\\s*(?:$|-)"_s);
    if (program == TunerProgram::LlamaFactory)
        return bare.match(command).hasMatch();
    return program != TunerProgram::Torchtune;
}

Framework stackInUse(const ResolvedSpec& resolved)
{
    if (resolved.spec.training.framework)
        return *resolved.spec.training.framework;
    if (const auto tuner = tunerProgram(resolved.command)) {
        switch (*tuner) {
        case TunerProgram::Torchtune: return Framework::Torchtune;
        case TunerProgram::Trl: return Framework::Trl;
        case TunerProgram::Axolotl: return Framework::Axolotl;
        case TunerProgram::LlamaFactory: return Framework::LlamaFactory;
        case TunerProgram::Litgpt: return Framework::Litgpt;
        case TunerProgram::MsSwift: return Framework::MsSwift;
        }
    }
    return isMegatronProgram(resolved.command) ? Framework::MegatronCore
                                               : usualStack(resolved.strategy, resolved.launcher);
}

QList<StackFeature> featuresOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single: return {StackFeature::OneGpu};
    case Strategy::Ddp: return {StackFeature::Ddp};
    case Strategy::Zero1: return {StackFeature::Zero1};
    case Strategy::Zero2: return {StackFeature::Zero2};
    case Strategy::Zero3: return {StackFeature::Zero3};
    case Strategy::Fsdp: return {StackFeature::Fsdp};
    case Strategy::Hsdp: return {StackFeature::Hsdp};
    case Strategy::Pipeline: return {StackFeature::Pipeline};
    case Strategy::Tensor: return {StackFeature::Tensor};
    case Strategy::ThreeD: return {StackFeature::Tensor, StackFeature::Pipeline};
    case Strategy::Horovod: return {StackFeature::Horovod};
    }
    return {};
}

QList<StackFeature> featuresOf(Offload offload)
{
    switch (offload) {
    case Offload::None: break;
    case Offload::OptimizerStates: return {StackFeature::OffloadOptimizer};
    case Offload::OptimizerAndParameters: return {StackFeature::OffloadParameters};
    case Offload::Activations: return {StackFeature::OffloadActivations};
    }
    return {};
}

Support supportOf(Framework stack, Strategy strategy)
{
    Support least = Support::Yes;
    for (const StackFeature feature : featuresOf(strategy)) {
        const Support support = supportOf(toText(stack), feature);
        if (support == Support::No || least == Support::No)
            return Support::No;
        least = support == Support::Yes ? least : support;
    }
    return least;
}

std::optional<StackObstacle> stackObstacle(
    Framework stack, const QString& gpuClass, const QList<StackFeature>& features)
{
    const QString name = toText(stack);
    for (const StackFeature feature : features) {
        if (supportOf(name, feature) == Support::No)
            return StackObstacle{feature, u"%1 does not do %2"_s.arg(titleOf(stack), featureWords(feature)),
                refusalSource(name, feature)};
    }
    if (const auto clash = clashAmong(name, features))
        return StackObstacle{clash->one,
            u"%1 does not do %2 together with %3"_s.arg(
                titleOf(stack), featureWords(clash->one), featureWords(clash->other)),
            clash->source};
    for (const StackFeature feature : features) {
        const QString source = gpuRefuses(gpuClass, feature);
        if (!source.isEmpty())
            return StackObstacle{feature, u"this GPU does not run %1"_s.arg(featureWords(feature)), source};
    }
    return std::nullopt;
}

QList<Framework> stacksThatCan(const QString& gpuClass, const QList<StackFeature>& features)
{
    static const QList<Framework> asked{Framework::Peft, Framework::Axolotl, Framework::Trl, Framework::Torchtune,
        Framework::LlamaFactory, Framework::MsSwift, Framework::Litgpt, Framework::Unsloth, Framework::MegatronCore,
        Framework::Nemo, Framework::Deepspeed, Framework::Fsdp2, Framework::Pytorch, Framework::HfTrainer,
        Framework::Lightning, Framework::MegatronDeepspeed, Framework::Fsdp1};
    QList<Framework> able;
    for (const Framework stack : asked) {
        const bool byOptions = std::all_of(features.cbegin(), features.cend(),
            [&](StackFeature feature) { return supportOf(toText(stack), feature) == Support::Yes; });
        if (byOptions && !stackObstacle(stack, gpuClass, features))
            able.append(stack);
    }
    return able;
}

QList<StackNeed> layoutNeeds(const ResolvedSpec& resolved)
{
    QList<StackNeed> needs;
    for (const StackFeature feature : featuresOf(resolved.strategy))
        needs.append({feature, field::strategy});
    const JobSpec::Parallel& asked = resolved.spec.parallel;
    const std::tuple<bool, StackFeature, FieldPath> degrees[]{
        {resolved.tensor > 1, StackFeature::Tensor, field::tensor},
        {resolved.pipeline > 1, StackFeature::Pipeline, field::pipeline},
        {resolved.context > 1, StackFeature::Context, field::context},
        {asked.expert.value_or(1) > 1, StackFeature::Expert, field::expert},
        {asked.virtualStages.value_or(1) > 1, StackFeature::VirtualStages, field::virtualStages},
        {asked.firstStageLayers.value_or(0) > 0, StackFeature::UnevenStages, field::firstStageLayers},
        {asked.lastStageLayers.value_or(0) > 0, StackFeature::UnevenStages, field::lastStageLayers},
        {asked.sequenceParallel.value_or(false), StackFeature::SequenceParallel, field::sequenceParallel},
    };
    for (const auto& [isAsked, feature, name] : degrees) {
        if (isAsked)
            needs.append({feature, name});
    }
    return needs;
}

namespace {

QList<StackFeature> featuresOf(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::AdamW: break;
    case Optimizer::AdamW8bit: return {StackFeature::AdamW8bit};
    case Optimizer::Adafactor: return {StackFeature::Adafactor};
    case Optimizer::Sgd:
    case Optimizer::SgdMomentum: return {StackFeature::Sgd};
    case Optimizer::Lamb: return {StackFeature::Lamb};
    case Optimizer::AdamWPaged: return {StackFeature::PagedAdamW};
    case Optimizer::AdamW8bitPaged: return {StackFeature::AdamW8bit, StackFeature::PagedAdamW};
    }
    return {};
}

QList<StackFeature> featuresOf(LossKind loss)
{
    switch (loss) {
    case LossKind::Full: break;
    case LossKind::InPlace: return {StackFeature::LossInPlace};
    case LossKind::Chunked: return {StackFeature::LossChunked};
    case LossKind::Fused: return {StackFeature::LossFused};
    }
    return {};
}

QList<StackFeature> featuresOf(AdapterMethod method)
{
    switch (method) {
    case AdapterMethod::None: break;
    case AdapterMethod::Lora: return {StackFeature::Lora};
    case AdapterMethod::Dora: return {StackFeature::Dora};
    case AdapterMethod::Counted: return {StackFeature::OtherAdapters};
    }
    return {};
}

QList<StackFeature> featuresOf(Quantisation quantisation)
{
    switch (quantisation) {
    case Quantisation::None: break;
    case Quantisation::Int8: return {StackFeature::Int8Base};
    case Quantisation::Nf4:
    case Quantisation::Nf4Double: return {StackFeature::Nf4Base};
    case Quantisation::Gptq: return {StackFeature::GptqBase};
    }
    return {};
}

} // namespace

QList<StackNeed> needsBesideLayout(const JobSpec& spec)
{
    QList<StackNeed> needs;
    const auto add = [&needs](const QList<StackFeature>& features, const FieldPath& name) {
        for (const StackFeature feature : features)
            needs.append({feature, name});
    };
    const JobSpec::Training& training = spec.training;
    add(featuresOf(spec.adapter.quantisation.value_or(Quantisation::None)), field::adapterQuantisation);
    if (training.trainedFraction.value_or(1) < 1 && training.frozen)
        add(*training.frozen == FrozenWeights::Nf4        ? QList{StackFeature::Nf4Base}
                : *training.frozen == FrozenWeights::Int8 ? QList{StackFeature::Int8Base}
                                                          : QList<StackFeature>(),
            field::frozen);
    add(featuresOf(spec.adapter.method.value_or(AdapterMethod::None)), field::adapterMethod);
    add(featuresOf(training.optimizer.value_or(Optimizer::AdamW)), field::optimizer);
    add(featuresOf(training.loss.value_or(LossKind::Full)), field::loss);
    add(featuresOf(training.offload.value_or(Offload::None)), field::offload);
    if (training.optimizerInBackward.value_or(false))
        add({StackFeature::OptimizerInBackward}, field::optimizerInBackward);
    if (training.packed.value_or(false))
        add({StackFeature::Packing}, field::packed);
    if (training.float8.value_or(Float8::None) != Float8::None)
        add({StackFeature::Float8}, field::float8);
    if (training.compile.value_or(false))
        add({StackFeature::Compile}, field::compile);
    if (training.attention == AttentionKind::Flash)
        add({StackFeature::FlashAttention}, field::attention);
    return needs;
}

} // namespace rankwright::inline planner
