// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/joblayout.h"

#include "models/cluster/slurm/topology.h"
#include "models/planner/design/rankplaces.h"
#include "models/script/document/designjson.h"

namespace rankwright {

bool gotItsGpus(const ResolvedSpec& resolved, const JobRecord& record)
{
    return !record.gpus || *record.gpus == resolved.worldSize()
        || (resolved.wholeNodes && *record.gpus == resolved.nodes * resolved.node.gpus);
}

QList<RankPlace> placementOf(const LaunchedJob& launched, const ClusterProfile& profile, const JobRecord& record)
{
    if (!launched.spec)
        return {};
    const ResolvedSpec resolved = resolve(*launched.spec, profile);
    const bool sameNodes = record.nodeList.size() == resolved.nodes;
    if (!sameNodes || !gotItsGpus(resolved, record))
        return {};
    return planRanks(resolved, profile).ranks;
}

void askSwitches(RemoteShell& shell, const QStringList& nodes, QObject* guard,
    std::function<void(const QHash<QString, QString>&)> then)
{
    shell.run(topologyCommand(), guard, [nodes, then = std::move(then)](const Result<CommandOutcome>& outcome) {
        then(outcome ? parseTopology(outcome->output, nodes) : QHash<QString, QString>());
    });
}

} // namespace rankwright
