// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/bindingoptions.h"

#include "models/core/numberranges.h"
#include "models/planner/design/rankplaces.h"
#include "models/planner/design/torchrelease.h"
#include "models/script/write/launchlayout.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

BindingOptions bindingOptions(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    BindingOptions plan;
    const std::optional<bool> asked = resolved.spec.options.cpuBinding;
    const bool agent = !startsRanksBySlurm(resolved);
    // deepspeed's command hands the local rank over as an option, which only a program can take.
    const bool usual = profile.launch.cpuBindMasks && starterOf(resolved) != Starter::Deepspeed;
    if (!asked.value_or(usual) || !isDistributed(resolved))
        return plan;
    if (resolved.spec.options.numaBinding && numaBindingObstacle(resolved, profile).isEmpty())
        return plan; // torchrun binds
    const RankPlaces ranks = planNodeRanks(resolved, profile);
    if (!ranks.bound || !resolved.wholeNodes) {
        if (asked)
            plan.refusal = ranks.unboundReason;
        return plan;
    }
    QStringList cores;
    for (const RankPlace& place : ranks.ranks) {
        if (place.mask.isEmpty())
            return {};
        plan.masks.append(place.mask);
        cores.append(numberRanges(place.cores));
    }
    plan.note = cores.join(u' ');
    if (agent) {
        plan.masks.clear();
        plan.cores = cores;
    }
    return plan;
}

} // namespace rankwright::inline script
