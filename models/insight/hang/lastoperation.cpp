// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/lastoperation.h"

#include "models/insight/hang/flightfusion.h"
#include "models/insight/hang/hangwords.h"
#include "models/insight/hang/stackmeaning.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

/// Does it end on one member only when all have called it?
bool needsAllMembers(const QString& call)
{
    return call.startsWith("all_reduce"_L1) || call.startsWith("allreduce"_L1) || call.startsWith("all_gather"_L1)
        || call.startsWith("allgather"_L1) || call.startsWith("reduce_scatter"_L1) || call == "barrier"_L1
        || call.startsWith("all_to_all"_L1) || call.startsWith("alltoall"_L1);
}

LastOperation operationOf(const RankEvidence& teller, const FlightEntry& entry)
{
    LastOperation last;
    const FlightGroup* group = teller.record->groupOf(entry);
    const bool isNamed = !entry.groupDescription.isEmpty() || group == nullptr;
    last.group = groupTitle(entry.groupName.isEmpty() && group != nullptr ? group->name : entry.groupName,
        isNamed ? entry.groupDescription : group->description);
    last.operation = callOfOperation(entry.name);
    last.sequence = entry.isP2p ? entry.peerSequence : entry.sequence;
    last.call = ownFrame(entry);
    last.teller = teller.rank.value_or(0);
    return last;
}

/// The groups of a record that have members among the accused; each entry's is found without a search.
class OwnGroups {
public:
    struct Found {
        const FlightGroup* group = nullptr;
        QList<int> members; ///< those that are accused; none: of another group
    };
    OwnGroups(const FlightRecord& record, const QSet<int>& accused) : m_record(record)
    {
        for (const FlightGroup& group : record.groups) {
            QList<int> members;
            std::copy_if(group.ranks.cbegin(), group.ranks.cend(), std::back_inserter(members),
                [&accused](int rank) { return accused.contains(rank); });
            if (group.ranks.size() < 2 || members.isEmpty())
                continue;
            m_members.insert(&group, members);
            m_all.unite(QSet<int>(members.cbegin(), members.cend()));
        }
    }
    const QSet<int>& members() const { return m_all; }
    Found of(const FlightEntry& entry)
    {
        const std::pair key(entry.groupId, entry.groupName);
        auto found = m_found.constFind(key);
        if (found == m_found.cend()) {
            const FlightGroup* group = m_record.groupOf(entry);
            found = m_found.insert(key, {group, m_members.value(group)});
        }
        return *found;
    }

private:
    const FlightRecord& m_record;
    QHash<const FlightGroup*, QList<int>> m_members;
    QHash<std::pair<QString, QString>, Found> m_found;
    QSet<int> m_all;
};

} // namespace

std::optional<LastOperation> lastCalled(const RankEvidence& rank)
{
    if (!rank.record || rank.record->entries.isEmpty())
        return {};
    return operationOf(rank, rank.record->entries.last());
}

QHash<int, LastOperation> lastTookPart(const QSet<int>& accused, const QList<RankEvidence>& ranks)
{
    struct Told {
        const RankEvidence* teller = nullptr;
        const FlightEntry* entry = nullptr;
    };
    QHash<int, Told> newest;
    const auto order
        = [](const FlightEntry& entry) { return std::tuple(entry.createdNs.value_or(0), entry.sequence.value_or(0)); };
    for (const RankEvidence& teller : ranks) {
        if (!teller.record || !teller.rank)
            continue;
        QSet<int> open = accused;
        open.remove(*teller.rank);
        OwnGroups groups(*teller.record, open);
        open = groups.members();
        const QList<FlightEntry>& entries = teller.record->entries;
        for (auto entry = entries.crbegin(); entry != entries.crend() && !open.isEmpty(); ++entry) {
            const auto [group, members] = groups.of(*entry);
            if (members.isEmpty() || entry->isP2p || !entry->sequence || !needsAllMembers(callOfOperation(entry->name)))
                continue;
            if (!entry->isOver() && *entry->sequence > group->completed.value_or(-1))
                continue;
            for (const int rank : members) {
                if (!open.remove(rank))
                    continue; // told by a newer entry
                Told& told = newest[rank];
                if (told.entry == nullptr || order(*entry) > order(*told.entry))
                    told = {&teller, &*entry};
            }
        }
    }
    QHash<int, LastOperation> all;
    for (const auto& [rank, told] : newest.asKeyValueRange()) {
        LastOperation last = operationOf(*told.teller, *told.entry);
        last.knowledge = LastOperation::Knowledge::TookPart;
        all.insert(rank, last);
    }
    return all;
}

QString lastText(const LastOperation& last)
{
    QString place;
    if (last.call && !last.call->file.isEmpty())
        place
            = bareFileName(last.call->file) + (last.call->line ? u':' + QString::number(*last.call->line) : QString());
    const QString operation = operationText(last.operation, last.sequence, last.group);
    if (last.knowledge == LastOperation::Knowledge::Called)
        return place.isEmpty() ? u"called "_s + operation : u"called %1 at %2"_s.arg(operation, place);
    return place.isEmpty() ? u"took part in "_s + operation
                           : u"took part in %1 (others called it at %2)"_s.arg(operation, place);
}

} // namespace rankwright::inline insight
