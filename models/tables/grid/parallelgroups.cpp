// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/parallelgroups.h"

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

std::optional<int> PlacedRank::groupOf(GroupKind kind) const
{
    switch (kind) {
    case GroupKind::Tensor: return tensorGroup;
    case GroupKind::Stage: return stage;
    case GroupKind::Data: return dataGroup;
    case GroupKind::Shard: return shardGroup;
    }
    return {};
}

QString toText(GroupKind kind)
{
    switch (kind) {
    case GroupKind::Tensor: return u"tensor group"_s;
    case GroupKind::Stage: return u"pipeline stage"_s;
    case GroupKind::Data: return u"data group"_s;
    case GroupKind::Shard: return u"shard group"_s;
    }
    return {};
}

QList<GroupKind> kindsIn(const QList<PlacedRank>& placement)
{
    QList<GroupKind> kinds;
    for (const GroupKind kind : allGroupKinds) {
        QHash<int, int> sizes;
        int outside = 0;
        for (const PlacedRank& place : placement) {
            if (const std::optional<int> group = place.groupOf(kind))
                ++sizes[*group];
            else
                ++outside;
        }
        // Groups of one rank each say nothing that the rank does not.
        const bool pairs = std::any_of(sizes.cbegin(), sizes.cend(), [](int size) { return size > 1; });
        if (pairs && (sizes.size() > 1 || outside > 0))
            kinds.append(kind);
    }
    return kinds;
}

QList<PlacedRank> groupMembersOf(const QList<PlacedRank>& placement, const PlacedRank& place, GroupKind kind)
{
    QList<PlacedRank> groupMembers;
    const std::optional<int> group = place.groupOf(kind);
    for (const PlacedRank& other : placement) {
        if (group && other.groupOf(kind) == group)
            groupMembers.append(other);
    }
    return groupMembers;
}

} // namespace rankwright::inline tables
