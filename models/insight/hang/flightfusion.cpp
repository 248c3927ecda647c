// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/flightfusion.h"

#include "models/core/quantitytext.h"
#include "models/insight/hang/stackmeaning.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <limits>
#include <tuple>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostOpenOperations = 64; ///< examined in each group, from the first that waits

/// What one rank did in one group.
struct MemberHistory {
    qint64 last = 0; ///< number of the last operation that it called
    qint64 completed = 0; ///< number up to which all have ended
    QHash<qint64, const FlightEntry*> entries; ///< by number; of several (coalesced) the first
    QSet<qint64> over; ///< numbers of which an entry says that it has ended: parts of coalesced ones have no state
};

struct GroupHistory {
    QString name, description;
    QList<int> members;
    QMap<int, MemberHistory> ranks;
};

struct GroupKey {
    QString name;
    size_t members = 0;
    bool operator==(const GroupKey&) const = default;
};

size_t qHash(const GroupKey& key, size_t seed = 0) { return qHashMulti(seed, key.name, key.members); }

void addRecord(int rank, const FlightRecord& record, QHash<GroupKey, GroupHistory>& groups)
{
    QHash<const FlightGroup*, GroupHistory*> places;
    const auto historyOf = [&](const FlightGroup& group) -> GroupHistory* {
        if (!places.contains(&group)) {
            const QString name = group.name.isEmpty() ? group.description : group.name;
            GroupHistory& history
                = groups[{name, group.ranks.isEmpty() ? 0 : qHashRange(group.ranks.begin(), group.ranks.end())}];
            history.name = group.name;
            history.description = group.description;
            history.members = group.ranks;
            places.insert(&group, &history);
        }
        return places.value(&group);
    };
    for (const FlightGroup& group : record.groups) {
        if (!group.ranks.isEmpty() && !group.ranks.contains(rank))
            continue; // some versions list the groups of others too
        MemberHistory& member = historyOf(group)->ranks[rank];
        member.last = qMax(member.last, group.enqueued.value_or(0));
        member.completed = qMax(member.completed, group.completed.value_or(0));
    }
    for (const FlightEntry& entry : record.entries) {
        if (entry.isP2p || !entry.sequence)
            continue;
        GroupHistory* history = nullptr;
        if (const FlightGroup* group = record.groupOf(entry); group != nullptr) {
            history = historyOf(*group);
        } else {
            history = &groups[{entry.groupName, 0}];
            history->name = entry.groupName;
        }
        if (history->description.isEmpty())
            history->description = entry.groupDescription;
        MemberHistory& member = history->ranks[rank];
        member.last = qMax(member.last, *entry.sequence);
        if (entry.isOver())
            member.over.insert(*entry.sequence);
        if (!member.entries.contains(*entry.sequence))
            member.entries.insert(*entry.sequence, &entry);
    }
}

qint64 elementsOf(const QList<QList<qint64>>& sizes)
{
    double sum = 0;
    for (const QList<qint64>& dimensions : sizes) {
        double product = 1;
        for (const qint64 dimension : dimensions)
            product *= double(qMax<qint64>(0, dimension));
        sum += product;
    }
    return qint64(qMin(sum, 9e15));
}

/// Members of these must all bring as much; of the others roots and peers may differ rightly.
bool hasEqualSizes(const QString& call)
{
    return call.startsWith("all_reduce"_L1) || call.startsWith("allreduce"_L1) || call == "broadcast"_L1
        || call == "reduce"_L1 || call.startsWith("reduce_scatter"_L1) || call == "all_gather_into_tensor"_L1;
}

/// Ranks by what they say, the largest part first; of equal parts the one with the lowest rank.
template <typename Value>
QList<std::pair<Value, QList<int>>> partsOf(const QMap<int, Value>& values)
{
    QList<std::pair<Value, QList<int>>> parts;
    for (auto it = values.begin(); it != values.end(); ++it) {
        const auto known
            = std::find_if(parts.begin(), parts.end(), [&it](const auto& part) { return part.first == it.value(); });
        if (known != parts.end())
            known->second.append(it.key());
        else
            parts.append({it.value(), {it.key()}});
    }
    std::stable_sort(
        parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return parts;
}

/// All ranks but those of the largest part; where no part is the largest, all of them, since each side waits for the
/// other.
template <typename Value>
QList<int> minority(const QList<std::pair<Value, QList<int>>>& parts)
{
    QList<int> odd;
    const bool isTie = parts.size() > 1 && parts.at(0).second.size() == parts.at(1).second.size();
    for (qsizetype i = isTie ? 0 : 1; i < parts.size(); ++i)
        odd += parts.at(i).second;
    std::sort(odd.begin(), odd.end());
    return odd;
}

bool isOperationOver(const MemberHistory& member, const FlightEntry& entry)
{
    return member.over.contains(entry.sequence.value_or(0)) || entry.sequence.value_or(0) <= member.completed;
}

/// One operation of a group: its entry in each rank that called it.
class GroupMoment {
public:
    GroupMoment(const GroupHistory& group, qint64 sequence)
    {
        for (auto it = group.ranks.begin(); it != group.ranks.end(); ++it) {
            const FlightEntry* entry = it->entries.value(sequence);
            if (entry == nullptr)
                continue;
            m_entries.insert(it.key(), entry);
            m_isWaitedIn = m_isWaitedIn || !isOperationOver(*it, *entry);
        }
        m_finding.group = groupTitle(group.name, group.description);
        m_finding.sequence = sequence;
    }
    bool isWaitedIn() const { return m_isWaitedIn; }

    /// Operation, size and type of all that called it; empty: they agree.
    std::optional<FlightFinding> mismatch()
    {
        QMap<int, QString> calls;
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it)
            calls.insert(it.key(), callOfOperation((*it)->name));
        const auto byCall = partsOf(calls);
        if (byCall.isEmpty())
            return {};
        m_finding.operation = byCall.first().first;
        if (byCall.size() > 1) {
            m_finding.oddOperation = byCall.at(1).first;
            nameCalls(byCall.at(0).second, byCall.at(1).second);
            return with(FlightFinding::Kind::WrongOrder, minority(byCall));
        }
        QMap<int, qint64> sizes;
        QMap<int, QStringList> types;
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
            if (hasEqualSizes(m_finding.operation) && !(*it)->inputSizes.isEmpty())
                sizes.insert(it.key(), elementsOf((*it)->inputSizes));
            if (!(*it)->inputTypes.isEmpty())
                types.insert(it.key(), (*it)->inputTypes);
        }
        if (const auto bySize = partsOf(sizes); bySize.size() > 1) {
            m_finding.usual = counted(bySize.at(0).first, u"element"_s);
            m_finding.deviating = counted(bySize.at(1).first, u"element"_s);
            nameCalls(bySize.at(0).second, bySize.at(1).second);
            return with(FlightFinding::Kind::WrongSize, minority(bySize));
        }
        if (const auto byType = partsOf(types); byType.size() > 1) {
            m_finding.usual = byType.at(0).first.join(u", "_s);
            m_finding.deviating = byType.at(1).first.join(u", "_s);
            nameCalls(byType.at(0).second, byType.at(1).second);
            return with(FlightFinding::Kind::WrongType, minority(byType));
        }
        return {};
    }

    FlightFinding notEntered(const QList<int>& behind)
    {
        if (!m_entries.isEmpty())
            m_finding.operation = callOfOperation(m_entries.first()->name);
        return with(FlightFinding::Kind::NotEntered, behind);
    }

    FlightFinding entered()
    {
        if (!m_entries.isEmpty())
            m_finding.operation = callOfOperation(m_entries.first()->name);
        QList<int> scheduled, started;
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
            if ((*it)->state == FlightState::Scheduled)
                scheduled.append(it.key());
            else if ((*it)->state)
                started.append(it.key());
        }
        if (!scheduled.isEmpty() && started.size() > scheduled.size())
            return with(FlightFinding::Kind::NotStarted, scheduled);
        return with(FlightFinding::Kind::AllWait, {});
    }

private:
    void nameCalls(const QList<int>& usual, const QList<int>& deviating)
    {
        m_finding.call = ownFrame(*m_entries.value(usual.first()));
        m_finding.oddCall = ownFrame(*m_entries.value(deviating.first()));
    }

    FlightFinding with(FlightFinding::Kind kind, const QList<int>& odd)
    {
        m_finding.kind = kind;
        m_finding.odd = odd;
        for (auto it = m_entries.begin(); it != m_entries.end(); ++it) {
            const FlightEntry& entry = **it;
            if (odd.contains(it.key())) {
                if (!m_finding.oddCall)
                    m_finding.oddCall = ownFrame(entry);
                continue;
            }
            m_finding.waiting.append(it.key());
            if (!m_finding.call)
                m_finding.call = ownFrame(entry);
        }
        for (const FlightEntry* entry : std::as_const(m_entries)) {
            if (entry->createdNs)
                m_finding.sinceNs = qMin(*entry->createdNs, m_finding.sinceNs.value_or(*entry->createdNs));
        }
        return m_finding;
    }

    QMap<int, const FlightEntry*> m_entries;
    FlightFinding m_finding;
    bool m_isWaitedIn = false;
};

std::optional<FlightFinding> findingOf(const GroupHistory& group)
{
    qint64 least = std::numeric_limits<qint64>::max(), most = 0;
    qint64 firstOpen = std::numeric_limits<qint64>::max(); // the oldest operation that somebody still waits in
    for (const MemberHistory& member : group.ranks) {
        least = qMin(least, member.last);
        most = qMax(most, member.last);
        for (auto it = member.entries.begin(); it != member.entries.end(); ++it) {
            if (!isOperationOver(member, **it))
                firstOpen = qMin(firstOpen, it.key());
        }
    }
    if (group.ranks.isEmpty() || firstOpen > most)
        return {};
    // What differs behind the first operation that waits is not what they wait for, but may be what came of it.
    for (qint64 sequence = firstOpen; sequence <= qMin(least, firstOpen + mostOpenOperations); ++sequence) {
        GroupMoment moment(group, sequence);
        if (!moment.isWaitedIn())
            continue;
        if (const auto mismatch = moment.mismatch())
            return mismatch;
    }
    if (least < most) {
        QList<int> behind;
        for (auto it = group.ranks.begin(); it != group.ranks.end(); ++it) {
            if (it->last == least)
                behind.append(it.key());
        }
        return GroupMoment(group, least + 1).notEntered(behind);
    }
    return GroupMoment(group, firstOpen).entered();
}

bool isMismatch(const FlightFinding& finding)
{
    using Kind = FlightFinding::Kind;
    return finding.kind == Kind::WrongOrder || finding.kind == Kind::WrongSize || finding.kind == Kind::WrongType;
}

/// How surely a finding names somebody: 0 the surest.
int strength(const FlightFinding& finding)
{
    if (isMismatch(finding))
        return 0;
    if (finding.kind == FlightFinding::Kind::NotEntered)
        return 1;
    return finding.kind == FlightFinding::Kind::NotStarted ? 2 : 3;
}

qint64 newestNumber(const FlightRecord& record)
{
    qint64 newest = 0;
    for (const FlightEntry& entry : record.entries) {
        newest = qMax(newest, entry.recordId.value_or(0));
        newest = qMax(newest, entry.createdNs.value_or(0));
        newest = qMax(newest, entry.completedNs.value_or(0));
    }
    return newest;
}

} // namespace

std::optional<FlightFinding> flightFinding(const QList<RankEvidence>& ranks)
{
    QHash<GroupKey, GroupHistory> groups;
    QSet<int> recorded;
    for (const RankEvidence& rank : ranks) {
        if (!rank.rank || !rank.record)
            continue;
        addRecord(*rank.rank, *rank.record, groups);
        recorded.insert(*rank.rank);
    }
    std::optional<FlightFinding> lead;
    const GroupHistory* leading = nullptr;
    for (const GroupHistory& group : std::as_const(groups)) {
        if (group.members.size() == 1)
            continue; // no rank waits for others there
        auto finding = findingOf(group);
        if (!finding)
            continue;
        finding->members = group.members.isEmpty() ? group.ranks.keys() : group.members;
        for (const int member : std::as_const(finding->members)) {
            if (!recorded.contains(member))
                finding->silent.append(member);
        }
        const auto order = [](const FlightFinding& found) {
            return std::tuple(strength(found), found.sinceNs.value_or(std::numeric_limits<qint64>::max()), found.group,
                found.sequence, found.members);
        };
        if (!lead || order(*finding) < order(*lead)) {
            lead = finding;
            leading = &group;
        }
    }
    if (leading != nullptr) {
        for (auto it = leading->ranks.begin(); it != leading->ranks.end(); ++it)
            lead->called.insert(it.key(), it->last);
    }
    return lead;
}

std::optional<bool> flightMoves(const QList<RankEvidence>& ranks)
{
    bool isCompared = false;
    for (const RankEvidence& rank : ranks) {
        if (!rank.record || !rank.recordBefore)
            continue;
        isCompared = true;
        if (newestNumber(*rank.record) != newestNumber(*rank.recordBefore))
            return true;
        for (const FlightGroup& group : rank.record->groups) {
            for (const FlightGroup& before : rank.recordBefore->groups) {
                if (before.id == group.id && before.name == group.name
                    && (before.enqueued != group.enqueued || before.completed != group.completed))
                    return true;
            }
        }
    }
    return isCompared ? std::optional(false) : std::nullopt;
}

QString groupTitle(const QString& name, const QString& description)
{
    if (description == "default_pg"_L1 || (description.isEmpty() && name == "0"_L1))
        return u"default"_s;
    if (!description.isEmpty() && description != "undefined"_L1)
        return description;
    return name;
}

std::optional<PythonFrame> ownFrame(const FlightEntry& entry)
{
    for (const PythonFrame& frame : entry.frames) {
        if (!isLibraryFile(frame.file))
            return frame;
    }
    return entry.frames.isEmpty() ? std::nullopt : std::optional(entry.frames.first());
}

QString callOfOperation(const QString& operation)
{
    if (operation == "_all_gather_base"_L1 || operation == "allgather_into_tensor"_L1)
        return u"all_gather_into_tensor"_s;
    if (operation == "_reduce_scatter_base"_L1)
        return u"reduce_scatter_tensor"_s;
    return operation;
}

} // namespace rankwright::inline insight
