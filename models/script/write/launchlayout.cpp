// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/launchlayout.h"

namespace rankwright::inline script {
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
    // one process without a file that names a kind of parallelism: accelerate starts it without torchrun's agent
    const bool byFile = isDistributed(resolved) && resolved.spec.options.config.value_or(QString()) != u"none";
    return starter == Starter::Torchrun || (starter == Starter::Accelerate && (resolved.worldSize() > 1 || byFile));
}

int workersPerNode(const ResolvedSpec& resolved) { return isDistributed(resolved) ? resolved.gpusPerNode : 1; }

} // namespace rankwright::inline script
