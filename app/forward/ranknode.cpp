// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/ranknode.h"

#include "app/watch/joblayout.h"
#include "models/cluster/forward/nodestep.h"

namespace rankwright {

Result<QString> nodeOfRank(const JobLog& log, const ClusterProfile& profile, const JobRecord& record, int rank)
{
    const QList<RankPlace> placed = placementOf(launchedJob(log, profile.name, record.id), profile, record);
    for (const RankPlace& one : placed) {
        if (one.rank == rank && one.node < record.nodeList.size())
            return record.nodeList.value(one.node);
    }
    const auto nodes = static_cast<int>(record.nodeList.size());
    std::optional<int> onEach;
    if (record.gpus && nodes > 0 && *record.gpus % nodes == 0 && *record.gpus > 0)
        onEach = *record.gpus / nodes;
    return nodeOfRank(record.nodeList, rank, onEach);
}

} // namespace rankwright
