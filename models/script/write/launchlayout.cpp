// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/launchlayout.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

bool isZero(Strategy strategy)
{
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
}

bool splitsLayers(Strategy strategy)
{
    return strategy == Strategy::Tensor || strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
}

Trainer namedTrainer(Framework framework, const ResolvedSpec& resolved)
{
    if (framework == Framework::Deepspeed)
        return Trainer::Deepspeed;
    if (framework == Framework::HfTrainer)
        return Trainer::HfTrainer;
    if (framework == Framework::Lightning || framework == Framework::Nemo) // NeMo trains with Lightning
        return Trainer::Lightning;
    if (framework == Framework::MegatronCore)
        return Trainer::Megatron;
    if (framework == Framework::MegatronDeepspeed)
        return Trainer::MegatronDeepspeed;
    if (framework == Framework::Fsdp2
        && (splitsLayers(resolved.strategy) || resolved.command.contains(u"torchtitan"_s)))
        return Trainer::Titan;
    return Trainer::Plain;
}

} // namespace

bool isMegatronProgram(const QString& command)
{
    static const QRegularExpression own(
        u"megatron|\\bpretrain_(?:gpt|llama|bert|t5|ict|mamba|retro|vlm|vision\\w*|multimodal)\\.py"
        u"|--(?:tensor|pipeline|context)[-_]model[-_]parallel[-_]size\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    return own.match(command).hasMatch();
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
    if (resolved.command.contains(u"torchtitan"_s))
        return Trainer::Titan;
    if (isZero(resolved.strategy) || resolved.launcher == Launcher::Deepspeed)
        return Trainer::Deepspeed;
    return splitsLayers(resolved.strategy) && isMegatronProgram(resolved.command) ? Trainer::Megatron : Trainer::Plain;
}

bool startsRanksBySlurm(const ResolvedSpec& resolved) { return starterOf(resolved) == Starter::Tasks; }

bool isDistributed(const ResolvedSpec& resolved) { return resolved.strategy != Strategy::Single; }

bool isSoleRank(const ResolvedSpec& resolved)
{
    return !isDistributed(resolved) && !resolved.spec.parallel.strategy && resolved.worldSize() == 1;
}

bool setsRankVariables(const ResolvedSpec& resolved)
{
    const Trainer trainer = trainerOf(resolved);
    return startsRanksBySlurm(resolved) && (isDistributed(resolved) || isSoleRank(resolved))
        && trainer != Trainer::Horovod && trainer != Trainer::Lightning;
}

bool needsAddress(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (!isDistributed(resolved))
        return setsRankVariables(resolved);
    if (trainerOf(resolved) == Trainer::Horovod)
        return false;
    switch (starterOf(resolved)) {
    case Starter::Tasks: // Lightning finds the first node itself, but not its name on a network of its own
        return setsRankVariables(resolved) || (resolved.nodes > 1 && !profile.launch.masterAddressSuffix.isEmpty());
    case Starter::Torchrun: return resolved.nodes > 1;
    case Starter::Accelerate:
    case Starter::Deepspeed: break; // one node: only the port is used
    }
    return true;
}

bool fillsTemplates(const ResolvedSpec& resolved)
{
    const Starter starter = starterOf(resolved);
    return starter == Starter::Torchrun
        || (starter == Starter::Accelerate && (resolved.worldSize() > 1 || isDistributed(resolved)));
}

int workersPerNode(const ResolvedSpec& resolved) { return isDistributed(resolved) ? resolved.gpusPerNode : 1; }

} // namespace rankwright
