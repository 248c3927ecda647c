// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/lastoperation.h"

#include "models/insight/hang/flightfusion.h"
#include "models/insight/hang/hangwords.h"
#include "models/insight/hang/stackmeaning.h"

#include <tuple>

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

} // namespace

std::optional<LastOperation> lastCalled(const RankEvidence& rank)
{
    if (!rank.record || rank.record->entries.isEmpty())
        return {};
    return operationOf(rank, rank.record->entries.last());
}

std::optional<LastOperation> lastTookPart(int rank, const QList<RankEvidence>& ranks)
{
    const RankEvidence* teller = nullptr;
    const FlightEntry* newest = nullptr;
    const auto order
        = [](const FlightEntry& entry) { return std::tuple(entry.createdNs.value_or(0), entry.sequence.value_or(0)); };
    for (const RankEvidence& other : ranks) {
        if (!other.record || !other.rank || other.rank == rank)
            continue;
        const QList<FlightEntry>& entries = other.record->entries;
        for (auto entry = entries.crbegin(); entry != entries.crend(); ++entry) {
            if (entry->isP2p || !entry->sequence || !needsAllMembers(callOfOperation(entry->name)))
                continue;
            const FlightGroup* group = other.record->groupOf(*entry);
            if (group == nullptr || group->ranks.size() < 2 || !group->ranks.contains(rank))
                continue;
            if (!entry->isOver() && *entry->sequence > group->completed.value_or(-1))
                continue;
            if (newest == nullptr || order(*entry) > order(*newest)) {
                newest = &*entry;
                teller = &other;
            }
            break; // those before it are older
        }
    }
    if (newest == nullptr)
        return {};
    LastOperation last = operationOf(*teller, *newest);
    last.knowledge = LastOperation::Knowledge::TookPart;
    return last;
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
