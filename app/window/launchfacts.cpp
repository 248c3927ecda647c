// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/launchfacts.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/design/resolve.h"
#include "models/script/document/design.h"

namespace rankwright {

LaunchFacts launchFacts(const Design& design)
{
    const ResolvedSpec& resolved = design.derived().resolved;
    return {design.spec().cluster, design.spec(), resolved.node.gpu.word, resolved.worldSize()};
}

LaunchFacts launchFacts(const JobSpec& spec, const QString& cluster, const Catalogue& catalogue)
{
    LaunchFacts facts{cluster, spec, {}, 0};
    if (const ClusterProfile* profile = catalogue.find(cluster)) {
        const ResolvedSpec resolved = resolve(spec, *profile);
        facts.gpuWord = resolved.node.gpu.word;
        facts.gpus = resolved.worldSize();
    }
    return facts;
}

} // namespace rankwright
