// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/parallelgroups.h"

#include <QHash>

namespace rankwright::inline tables {

using namespace Qt::StringLiterals;

QList<GroupKind> kindsIn(const QList<RankPlace>& placement)
{
    QList<GroupKind> kinds;
    for (const GroupKind kind : allGroupKinds) {
        QHash<int, int> sizes;
        int outside = 0;
        for (const RankPlace& place : placement) {
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

QList<RankPlace> groupMembersOf(const QList<RankPlace>& placement, const RankPlace& place, GroupKind kind)
{
    QList<RankPlace> groupMembers;
    const std::optional<int> group = place.groupOf(kind);
    for (const RankPlace& other : placement) {
        if (group && other.groupOf(kind) == group)
            groupMembers.append(other);
    }
    return groupMembers;
}

} // namespace rankwright::inline tables
