// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/trainingprogram.h"

#include "models/core/programname.h"
#include "models/design/strategyname.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {
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

} // namespace rankwright
