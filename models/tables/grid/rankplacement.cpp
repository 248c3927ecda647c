// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/rankplacement.h"

#include "models/planner/design/rankorder.h"

namespace rankwright::inline tables {

QList<PlacedRank> placeRanks(const ResolvedSpec& resolved, const RankPlaces& plan)
{
    const RankOrder order = rankOrder(resolved);
    const bool wholeGroup = resolved.strategy == Strategy::Fsdp || resolved.strategy == Strategy::Zero1
        || resolved.strategy == Strategy::Zero2 || resolved.strategy == Strategy::Zero3;
    QList<PlacedRank> placement;
    placement.reserve(plan.ranks.size());
    for (const RankPlace& rank : plan.ranks) {
        PlacedRank placed;
        placed.rank = rank.rank;
        placed.gpu = {rank.node, rank.gpu};
        if (order.tensor > 1)
            placed.tensorGroup = rank.rank / order.tensor;
        if (order.pipeline > 1)
            placed.stage = order.stage(rank.rank);
        const int part = order.stage(rank.rank) * order.tensor + order.tensorIndex(rank.rank);
        if (order.data * order.context > 1)
            placed.dataGroup = part;
        if (wholeGroup)
            placed.shardGroup = part;
        else if (resolved.strategy == Strategy::Hsdp)
            placed.shardGroup = rank.node * order.pipeline * order.tensor + part;
        placement.append(placed);
    }
    return placement;
}

} // namespace rankwright::inline tables
