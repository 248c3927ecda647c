// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/flightrecord.h"

#include "models/core/harmlesstext.h"
#include "models/core/jsonreader.h"
#include "models/insight/hang/picklereader.h"

#include <QHash>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

using Place = ValueTree::Place;

constexpr qsizetype mostRecordEntries = 16'384;
/// Of operations that are over only the newest are kept up to these numbers, of all and of each group: the assessment
/// asks for the last of a group, and for what lies around the first that waits. A job of 512 ranks would take a GiB
/// otherwise.
constexpr qsizetype mostOver = 384, mostOverOfGroup = 64;
constexpr qsizetype mostGroups = 4'096;
constexpr qsizetype mostMembers = 131'072; ///< ranks of one group
constexpr qsizetype mostKeys = 256; ///< of an entry
constexpr qsizetype mostFrames = 64;
constexpr qsizetype mostSizes = 16; ///< tensors of an operation, and dimensions of a tensor
constexpr qsizetype mostNameLength = 400;

QString recordedName(const QString& text) { return harmlessLine(text, mostNameLength); }

/// Do this backend's entries say by their state that they have ended?
bool tellsItsEnd(const QString& backend) { return backend != "gloo"_L1; }

/// The members of one dictionary with text keys, the last of equal ones.
QHash<QString, Place> membersOf(const ValueTree& tree, Place dictionary, qsizetype most = mostKeys)
{
    QHash<QString, Place> members;
    if (tree.kind(dictionary) != ValueTree::Kind::Dictionary)
        return members;
    const QList<Place> children = tree.children(dictionary);
    for (qsizetype i = 0; i + 1 < qMin(children.size(), 2 * most); i += 2)
        members.insert(tree.textOrNumber(children.at(i)), children.at(i + 1));
    return members;
}

/// Turns the values of a dump into a FlightRecord. What several entries share (frames, sizes) is read once and shared
/// again, so that a small file that names it a thousand times stays small.
class FlightRecordReading {
public:
    explicit FlightRecordReading(const ValueTree& tree) : m_tree(tree) { }

    Result<FlightRecord> read()
    {
        const auto top = membersOf(m_tree, m_tree.root());
        FlightRecord record;
        record.version = recordedName(m_tree.textOrNumber(member(top, u"version"_s)));
        const bool isKnown = top.contains(u"entries"_s) || top.contains(u"pg_config"_s) || top.contains(u"pg_status"_s);
        if (record.version.isEmpty() && !isKnown)
            return fail(Fault::Unreadable, u"This is not a record of PyTorch's Flight Recorder."_s);
        if (!record.version.isEmpty() && record.version != "2"_L1 && !record.version.startsWith("2."_L1))
            return fail(Fault::Invalid,
                u"The Flight Recorder's format %1 is not known here, only 2.x is."_s.arg(record.version));
        record.libraryVersion = recordedName(m_tree.textOrNumber(member(top, u"comm_lib_version"_s)));
        if (record.libraryVersion.isEmpty())
            record.libraryVersion = recordedName(m_tree.textOrNumber(member(top, u"nccl_version"_s)));
        readEntries(member(top, u"entries"_s), record);
        readGroups(member(top, u"pg_config"_s), record);
        readStatus(member(top, u"pg_status"_s), record);
        return record;
    }

private:
    static Place member(const QHash<QString, Place>& members, const QString& key)
    {
        return members.value(key, ValueTree::nothing);
    }
    std::optional<qint64> wholeOf(const QHash<QString, Place>& members, const QString& key) const
    {
        return m_tree.whole(member(members, key));
    }
    /// Sequence numbers: from 0; the recorder writes -1 where there is none.
    std::optional<qint64> numberOf(const QHash<QString, Place>& members, const QString& key) const
    {
        const auto number = wholeOf(members, key);
        return number && *number >= 0 ? number : std::nullopt;
    }
    /// The same; the JSON form writes the numbers of pg_status as texts.
    std::optional<qint64> statusOf(const QHash<QString, Place>& members, const QString& key) const
    {
        bool isNumber = false;
        const qint64 number = textOf(members, key).toLongLong(&isNumber);
        return isNumber && number >= 0 ? std::optional(number) : std::nullopt;
    }
    /// Nanoseconds since 1970; the JSON form writes 0 where there is none.
    std::optional<qint64> timeOf(const QHash<QString, Place>& members, const QString& key) const
    {
        const auto time = wholeOf(members, key);
        return time && *time > 0 ? time : std::nullopt;
    }
    QString textOf(const QHash<QString, Place>& members, const QString& key) const
    {
        return recordedName(m_tree.textOrNumber(member(members, key)));
    }

    void readEntries(Place list, FlightRecord& record)
    {
        const QList<Place> entries = m_tree.children(list);
        QList<Place> kept;
        QHash<QString, qsizetype> overOfGroup;
        qsizetype over = 0;
        for (qsizetype i = entries.size() - 1; i >= qMax<qsizetype>(0, entries.size() - mostRecordEntries); --i) {
            const Place place = entries.at(i);
            if (m_tree.kind(place) != ValueTree::Kind::Dictionary)
                continue;
            if (isOver(place) && ++over > mostOver && ++overOfGroup[groupKeyOf(place)] > mostOverOfGroup)
                continue;
            kept.append(place);
        }
        for (auto place = kept.crbegin(); place != kept.crend(); ++place)
            record.entries.append(entryOf(*place));
        const bool isNumbered = std::all_of(record.entries.begin(), record.entries.end(),
            [](const FlightEntry& entry) { return entry.recordId.has_value(); });
        if (isNumbered)
            std::stable_sort(record.entries.begin(), record.entries.end(),
                [](const FlightEntry& a, const FlightEntry& b) { return *a.recordId < *b.recordId; });
    }

    /// One member, without all the others.
    Place memberOf(Place dictionary, QLatin1StringView key) const
    {
        const QList<Place> children = m_tree.children(dictionary);
        for (qsizetype i = 0; i + 1 < qMin(children.size(), 2 * mostKeys); i += 2) {
            if (m_tree.text(children.at(i)) == key)
                return children.at(i + 1);
        }
        return ValueTree::nothing;
    }
    bool isOver(Place entry) const
    {
        return m_tree.text(memberOf(entry, "state"_L1)) == "completed"_L1
            || (m_tree.boolean(memberOf(entry, "retired"_L1)).value_or(false)
                && !tellsItsEnd(m_tree.text(memberOf(entry, "profiling_name"_L1)).section(u':', 0, 0)));
    }
    QString groupKeyOf(Place entry) const
    {
        const QList<Place> group = m_tree.children(memberOf(entry, "process_group"_L1));
        const QString id = m_tree.textOrNumber(memberOf(entry, "pg_id"_L1));
        return group.isEmpty() ? id : id + u' ' + m_tree.textOrNumber(group.at(0));
    }

    FlightEntry entryOf(Place dictionary)
    {
        const auto members = membersOf(m_tree, dictionary);
        FlightEntry entry;
        entry.groupId = textOf(members, u"pg_id"_s);
        const QList<Place> group = m_tree.children(member(members, u"process_group"_s));
        if (!group.isEmpty())
            entry.groupName = recordedName(m_tree.textOrNumber(group.at(0)));
        if (group.size() > 1)
            entry.groupDescription = recordedName(m_tree.textOrNumber(group.at(1)));
        entry.recordId = wholeOf(members, u"record_id"_s);
        entry.isP2p = m_tree.boolean(member(members, u"is_p2p"_s)).value_or(false);
        entry.sequence = numberOf(members, u"collective_seq_id"_s);
        if (!entry.sequence)
            entry.sequence = numberOf(members, u"seq_id"_s); // before 2.0 fixed its name
        entry.peerSequence = numberOf(members, u"p2p_seq_id"_s);
        entry.operation = numberOf(members, u"op_id"_s);
        const QString name = textOf(members, u"profiling_name"_s);
        const qsizetype colon = name.indexOf(u':');
        entry.backend = colon > 0 ? name.left(colon) : QString();
        entry.name = name.mid(colon + 1);
        const QString state = textOf(members, u"state"_s);
        if (state == "scheduled"_L1)
            entry.state = FlightState::Scheduled;
        else if (state == "started"_L1)
            entry.state = FlightState::Started;
        else if (state == "completed"_L1)
            entry.state = FlightState::Completed;
        entry.isRetired = m_tree.boolean(member(members, u"retired"_s)).value_or(false);
        entry.inputSizes = sizesOf(member(members, u"input_sizes"_s));
        entry.outputSizes = sizesOf(member(members, u"output_sizes"_s));
        entry.inputTypes = typesOf(member(members, u"input_dtypes"_s));
        entry.outputTypes = typesOf(member(members, u"output_dtypes"_s));
        entry.frames = framesOf(member(members, u"frames"_s));
        entry.createdNs = timeOf(members, u"time_created_ns"_s);
        entry.startedNs = timeOf(members, u"time_discovered_started_ns"_s);
        entry.completedNs = timeOf(members, u"time_discovered_completed_ns"_s);
        entry.durationMs = m_tree.real(member(members, u"duration_ms"_s));
        entry.timeoutMs = numberOf(members, u"timeout_ms"_s);
        entry.threadName = textOf(members, u"thread_name"_s);
        return entry;
    }

    QList<QList<qint64>> sizesOf(Place place)
    {
        const auto known = m_sizes.constFind(place);
        if (known != m_sizes.constEnd())
            return *known;
        QList<QList<qint64>> sizes;
        const QList<Place> tensors = m_tree.children(place).first(qMin(mostSizes, m_tree.children(place).size()));
        for (const Place tensor : tensors) {
            QList<qint64> dimensions;
            const QList<Place> all = m_tree.children(tensor);
            for (qsizetype i = 0; i < qMin(mostSizes, all.size()); ++i)
                dimensions.append(m_tree.whole(all.at(i)).value_or(0));
            sizes.append(dimensions);
        }
        m_sizes.insert(place, sizes);
        return sizes;
    }

    QList<QString> typesOf(Place place)
    {
        const auto known = m_types.constFind(place);
        if (known != m_types.constEnd())
            return *known;
        QList<QString> types;
        const QList<Place> all = m_tree.children(place);
        for (qsizetype i = 0; i < qMin(mostSizes, all.size()); ++i)
            types.append(recordedName(m_tree.text(all.at(i))));
        m_types.insert(place, types);
        return types;
    }

    QList<PythonFrame> framesOf(Place place)
    {
        const auto known = m_stacks.constFind(place);
        if (known != m_stacks.constEnd())
            return *known;
        QList<PythonFrame> frames;
        const QList<Place> all = m_tree.children(place);
        if (m_tree.kind(place) == ValueTree::Kind::List) {
            for (qsizetype i = 0; i < qMin(mostFrames, all.size()); ++i)
                frames.append(frameOf(all.at(i)));
        }
        m_stacks.insert(place, frames);
        return frames;
    }

    PythonFrame frameOf(Place place)
    {
        const auto known = m_frames.constFind(place);
        if (known != m_frames.constEnd())
            return *known;
        const auto members = membersOf(m_tree, place);
        PythonFrame frame;
        frame.function = textOf(members, u"name"_s);
        frame.file = textOf(members, u"filename"_s);
        const auto line = wholeOf(members, u"line"_s);
        if (line && *line > 0 && *line < 100'000'000)
            frame.line = int(*line);
        m_frames.insert(place, frame);
        return frame;
    }

    void readGroups(Place dictionary, FlightRecord& record)
    {
        const QList<Place> children = m_tree.children(dictionary);
        if (m_tree.kind(dictionary) != ValueTree::Kind::Dictionary)
            return;
        QHash<QString, QString> idOfName;
        for (const FlightEntry& entry : std::as_const(record.entries)) {
            if (!entry.groupId.isEmpty())
                idOfName.insert(entry.groupName, entry.groupId);
        }
        for (qsizetype i = 0; i + 1 < children.size() && record.groups.size() < mostGroups; i += 2) {
            const QString key = recordedName(m_tree.textOrNumber(children.at(i)));
            const auto members = membersOf(m_tree, children.at(i + 1));
            FlightGroup group;
            group.name = textOf(members, u"name"_s);
            if (group.name.isEmpty())
                group.name = key;
            group.description = textOf(members, u"desc"_s);
            group.id = idOfName.value(group.name, key);
            group.ranks = ranksOf(member(members, u"ranks"_s));
            record.groups.append(group);
        }
    }

    /// "[0, 1]" as the recorder writes it, or a list of numbers.
    QList<int> ranksOf(Place place)
    {
        const auto known = m_members.constFind(place);
        if (known != m_members.constEnd())
            return *known;
        QList<int> ranks;
        const auto take = [&ranks](qint64 rank) {
            if (rank >= 0 && rank < 100'000'000 && ranks.size() < mostMembers)
                ranks.append(int(rank));
        };
        const QList<Place> numbers = m_tree.children(place);
        for (const Place number : numbers)
            take(m_tree.whole(number).value_or(-1));
        const QString text = m_tree.text(place);
        qint64 number = -1;
        for (const QChar c : text) {
            if (c >= u'0' && c <= u'9') {
                number = qMin<qint64>(qMax<qint64>(0, number) * 10 + (c.unicode() - u'0'), 1'000'000'000);
            } else {
                take(number);
                number = -1;
            }
        }
        take(number);
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        m_members.insert(place, ranks);
        return ranks;
    }

    void readStatus(Place dictionary, FlightRecord& record) const
    {
        if (m_tree.kind(dictionary) != ValueTree::Kind::Dictionary)
            return;
        QHash<QString, qsizetype> groupOfId;
        for (qsizetype i = 0; i < record.groups.size(); ++i)
            groupOfId.insert(record.groups.at(i).id, i);
        QHash<QString, const FlightEntry*> entryOfId;
        for (const FlightEntry& entry : std::as_const(record.entries))
            entryOfId.insert(entry.groupId, &entry);
        const QList<Place> children = m_tree.children(dictionary);
        for (qsizetype i = 0; i + 1 < qMin(children.size(), 2 * mostGroups); i += 2) {
            const QString id = recordedName(m_tree.textOrNumber(children.at(i)));
            const auto members = membersOf(m_tree, children.at(i + 1));
            auto at = groupOfId.constFind(id);
            if (at == groupOfId.constEnd()) {
                FlightGroup group;
                group.id = group.name = id;
                if (const FlightEntry* entry = entryOfId.value(id); entry != nullptr) {
                    group.name = entry->groupName;
                    group.description = entry->groupDescription;
                }
                record.groups.append(group);
                at = groupOfId.insert(id, record.groups.size() - 1);
            }
            FlightGroup& group = record.groups[*at];
            group.enqueued = statusOf(members, u"last_enqueued_collective"_s);
            group.started = statusOf(members, u"last_started_collective"_s);
            group.completed = statusOf(members, u"last_completed_collective"_s);
        }
    }

    const ValueTree& m_tree;
    QHash<Place, QList<QList<qint64>>> m_sizes;
    QHash<Place, QList<QString>> m_types;
    QHash<Place, QList<PythonFrame>> m_stacks;
    QHash<Place, PythonFrame> m_frames;
    QHash<Place, QList<int>> m_members;
};

} // namespace

bool FlightEntry::isOver() const { return state == FlightState::Completed || (isRetired && !tellsItsEnd(backend)); }

const FlightGroup* FlightRecord::groupOf(const FlightEntry& entry) const
{
    const FlightGroup* byName = nullptr;
    for (const FlightGroup& group : groups) {
        if (!entry.groupId.isEmpty() && group.id == entry.groupId)
            return &group;
        if (byName == nullptr && !entry.groupName.isEmpty() && group.name == entry.groupName)
            byName = &group;
    }
    return byName;
}

Result<FlightRecord> readFlightRecord(const QByteArray& bytes)
{
    const QByteArray start = bytes.left(64).trimmed();
    if (start.startsWith('{')) {
        if (bytes.size() > PickleBounds().bytes)
            return fail(Fault::Invalid, u"The record is larger than %1 MiB."_s.arg(PickleBounds().bytes >> 20));
        const auto json = parseJsonObject(bytes, u"Flight Recorder's record"_s);
        if (!json)
            return fail(json.error());
        const ValueTree tree = treeOfJson(*json);
        return FlightRecordReading(tree).read();
    }
    const auto tree = readPickle(bytes);
    if (!tree)
        return fail(tree.error());
    return FlightRecordReading(*tree).read();
}

} // namespace rankwright::inline insight
