// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/joblog.h"

#include "app/store/database.h"
#include "app/store/processmark.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSqlQuery>
#include <QUuid>

#include <array>
#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// In the order of JobLogEventKind; the first six are those of EntryStage, too.
constexpr std::array<QStringView, std::size_t(JobLogEventKind::State) + 1> eventWords{
    u"recorded", u"sending", u"known", u"refused", u"unknown", u"absent", u"answered", u"state"};
static_assert(!eventWords.back().isEmpty());

/// The entry comes to that stage.
constexpr JobLogEventKind eventOf(EntryStage stage)
{
    switch (stage) {
    case EntryStage::Recorded: return JobLogEventKind::Recorded;
    case EntryStage::Sending: return JobLogEventKind::Sending;
    case EntryStage::Known: return JobLogEventKind::Known;
    case EntryStage::Refused: return JobLogEventKind::Refused;
    case EntryStage::Unknown: return JobLogEventKind::Unknown;
    case EntryStage::Absent: return JobLogEventKind::Absent;
    }
    return JobLogEventKind::Unknown;
}

/// The text of "sending": entries of programs that kept no "answered" lack it.
constexpr QStringView awaited = u"answer awaited";
constexpr qint64 heardEveryMs = 60'000; ///< a poll every few seconds need not be a write each

qint64 nowMs() { return QDateTime::currentMSecsSinceEpoch(); }
QDateTime timeFrom(const QVariant& ms) { return QDateTime::fromMSecsSinceEpoch(ms.toLongLong(), Qt::UTC); }

JobLogEntry entryFrom(const QSqlQuery& row)
{
    JobLogEntry entry;
    entry.id = row.value(0).toString();
    entry.token = row.value(1).toString();
    entry.cluster = row.value(2).toString();
    entry.name = row.value(3).toString();
    entry.design = row.value(4).toByteArray();
    entry.script = row.value(5).toByteArray();
    entry.scriptHash = row.value(6).toString();
    entry.workdir = row.value(7).toString();
    entry.created = timeFrom(row.value(8));
    entry.heard = timeFrom(row.value(9));
    entry.owner = row.value(10).toString();
    entry.stage = entryStageFrom(row.value(11).toString());
    entry.job = row.value(12).toString();
    entry.state = jobStateFrom(row.value(13).toString());
    entry.outcome = row.value(14).toString();
    entry.answerLost = row.value(15).toBool();
    return entry;
}

/// Qt binds a null QByteArray as NULL; the columns are NOT NULL.
QByteArray bytes(const QByteArray& value) { return value.isNull() ? QByteArray("") : value; }

} // namespace

QStringView wordOf(JobLogEventKind kind)
{
    return std::size_t(kind) < eventWords.size() ? eventWords[std::size_t(kind)] : QStringView();
}

QString toText(EntryStage stage) { return wordOf(eventOf(stage)).toString(); }

EntryStage entryStageFrom(const QString& name)
{
    for (const EntryStage stage : {EntryStage::Recorded, EntryStage::Sending, EntryStage::Known, EntryStage::Refused,
             EntryStage::Unknown, EntryStage::Absent}) {
        if (name == wordOf(eventOf(stage)))
            return stage;
    }
    return EntryStage::Unknown;
}

bool isAwaited(const JobLogEntry& entry) { return !entry.answerLost && lifeOf(entry.owner) == ProcessLife::Running; }

JobLog::JobLog(Database& database, QObject* parent)
    : QObject(parent), m_database(database), m_openedAt(lastEvent().valueOr(std::numeric_limits<qint64>::max()))
{ }

QString JobLog::dataFolder() const { return QFileInfo(m_database.path()).absolutePath(); }

Result<qint64> JobLog::lastEvent() const
{
    auto query = m_database.run(u"SELECT coalesce(max(number), 0) FROM events"_s);
    if (!query)
        return fail(query.error().within(u"The job log could not be read"_s));
    return query->next() ? query->value(0).toLongLong() : 0;
}

Result<JobLogEntry> JobLog::record(const NewSubmission& submission)
{
    const auto entry = recordIf(submission, [] { return Result<bool>(true); });
    if (!entry)
        return fail(entry.error());
    return **entry;
}

Result<std::optional<JobLogEntry>> JobLog::recordIf(
    const NewSubmission& submission, const std::function<Result<bool>()>& isFree)
{
    if (const auto& why = m_database.whyNotKept())
        return fail(why->within(u"The submission could not be recorded, so nothing was sent"_s));
    JobLogEntry entry;
    entry.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    entry.token = submission.token;
    entry.cluster = submission.cluster;
    entry.name = submission.name;
    entry.design = submission.design;
    entry.script = submission.script;
    entry.scriptHash
        = QString::fromLatin1(QCryptographicHash::hash(submission.script, QCryptographicHash::Sha256).toHex());
    entry.workdir = submission.workdir;
    entry.owner = ownProcessMark();
    const qint64 now = nowMs();
    entry.created = entry.heard = QDateTime::fromMSecsSinceEpoch(now, Qt::UTC);
    bool free = false;
    const auto written = m_database.transact([&]() -> Result<void> {
        const auto answer = isFree();
        if (!answer)
            return fail(answer.error());
        free = *answer;
        if (!free)
            return {};
        const auto added = m_database.run(u"INSERT INTO entries (id, token, cluster, name, design, script, "
                                          u"script_sha256, workdir, created, changed, owner, stage)"
                                          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s,
            {entry.id, sqlText(entry.token), sqlText(entry.cluster), sqlText(entry.name), bytes(entry.design),
                bytes(entry.script), entry.scriptHash, sqlText(entry.workdir), now, now, sqlText(entry.owner),
                toText(EntryStage::Recorded)});
        if (!added)
            return fail(added.error());
        return addEvent(entry.id, JobLogEventKind::Recorded, {});
    });
    if (!written)
        return fail(written.error().within(u"The job log could not be written"_s));
    if (!free)
        return std::optional<JobLogEntry>();
    emit entryChanged(entry.id);
    return std::optional(entry);
}

Result<void> JobLog::markSending(const QString& id)
{
    return move(id, {EntryStage::Recorded}, EntryStage::Sending, {}, awaited.toString());
}

Result<void> JobLog::markKnown(const QString& id, const JobId& job)
{
    return move(id,
        {EntryStage::Recorded, EntryStage::Sending, EntryStage::Unknown, EntryStage::Refused, EntryStage::Absent},
        EntryStage::Known, job, job);
}

Result<void> JobLog::markAnswered(const QString& id) { return addEvent(id, JobLogEventKind::Answered, {}); }

Result<void> JobLog::markRefused(const QString& id, const Error& why)
{
    return move(
        id, {EntryStage::Recorded, EntryStage::Sending, EntryStage::Unknown}, EntryStage::Refused, {}, why.oneLine());
}

Result<void> JobLog::markUnknown(const QString& id, const Error& why)
{
    return move(
        id, {EntryStage::Recorded, EntryStage::Sending, EntryStage::Unknown}, EntryStage::Unknown, {}, why.oneLine());
}

Result<void> JobLog::markAbsent(const QString& id, const QString& why)
{
    return move(id, {EntryStage::Recorded, EntryStage::Sending, EntryStage::Unknown}, EntryStage::Absent, {}, why);
}

Result<void> JobLog::move(
    const QString& id, const QList<EntryStage>& from, EntryStage to, const JobId& job, const QString& why)
{
    bool already = false;
    const auto moved = m_database.transact([&]() -> Result<void> {
        const auto found = find(id);
        if (!found)
            return fail(found.error());
        if (found->stage == to && found->job == job) {
            already = true;
            return {};
        }
        if (!from.contains(found->stage))
            return fail(Fault::Invalid,
                u"The job log has this submission as \"%1\"; it cannot become \"%2\"."_s.arg(
                    toText(found->stage), toText(to)),
                found->job.isEmpty() ? found->outcome : u"job %1"_s.arg(found->job));
        const bool says = to == EntryStage::Refused || to == EntryStage::Absent || to == EntryStage::Unknown;
        const auto set = m_database.run(u"UPDATE entries SET stage=?, job=?, outcome=?, changed=? WHERE id=?"_s,
            {toText(to), sqlText(job), says ? sqlText(why) : u""_s, nowMs(), id});
        if (!set)
            return fail(set.error());
        return addEvent(id, eventOf(to), why);
    });
    if (!moved)
        return fail(moved.error());
    if (!already)
        emit entryChanged(id);
    return {};
}

Result<void> JobLog::noteState(const QString& id, JobState state, const QString& outcome)
{
    bool changed = false;
    auto noted = m_database.transact([&]() -> Result<void> {
        const auto found = find(id);
        if (!found)
            return fail(found.error());
        changed = found->state != state || (!outcome.isEmpty() && found->outcome != outcome);
        // An end is final: a late or confused answer must not bring an ended job back to life.
        if (hasEnded(found->state) && (!changed || !hasEnded(state))) {
            changed = false;
            return {};
        }
        if (!changed) {
            const qint64 now = nowMs();
            if (now - found->heard.toMSecsSinceEpoch() < heardEveryMs)
                return {};
            const auto set = m_database.run(u"UPDATE entries SET changed=? WHERE id=?"_s, {now, id});
            return set ? Result<void>() : Result<void>(fail(set.error()));
        }
        const auto set = m_database.run(u"UPDATE entries SET state=?, outcome=?, changed=? WHERE id=?"_s,
            {rankwright::toText(state), outcome.isEmpty() ? sqlText(found->outcome) : outcome, nowMs(), id});
        if (!set)
            return fail(set.error());
        return addEvent(id, JobLogEventKind::State,
            outcome.isEmpty() ? rankwright::toText(state) : rankwright::toText(state) + u": "_s + outcome);
    });
    if (noted && changed)
        emit entryChanged(id);
    return noted;
}

Result<void> JobLog::addEvent(const QString& id, JobLogEventKind kind, const QString& why)
{
    const auto added = m_database.run(u"INSERT INTO events (entry, time, kind, text) VALUES (?, ?, ?, ?)"_s,
        {id, nowMs(), wordOf(kind).toString(), sqlText(why)});
    return added ? Result<void>() : Result<void>(fail(added.error()));
}

Result<QList<JobLogEntry>> JobLog::select(const QString& where, const QVariantList& values, Columns columns) const
{
    const QString texts = columns == Columns::All ? u"design, script"_s : u"'', ''"_s;
    auto query = m_database.run(u"SELECT id, token, cluster, name, %1, script_sha256, workdir, created, changed, "
                                u"owner, stage, job, state, outcome, "
                                "EXISTS (SELECT 1 FROM events WHERE entry=entries.id AND kind='unknown')"
                                " FROM entries %2"_s.arg(texts, where),
        values);
    if (!query)
        return fail(query.error().within(u"The job log could not be read"_s));
    QList<JobLogEntry> entries;
    while (query->next())
        entries.append(entryFrom(*query));
    return entries;
}

Result<JobLogEntry> JobLog::find(const QString& id) const
{
    auto entries = select(u"WHERE id=?"_s, {id});
    if (!entries)
        return fail(entries.error());
    if (entries->isEmpty())
        return fail(Fault::Invalid, u"The job log has no entry %1."_s.arg(id));
    return entries->first();
}

Result<QList<JobLogEntry>> JobLog::withJob(const QString& cluster, const JobId& job) const
{
    return select(
        u"WHERE cluster=? AND job=? AND job<>'' ORDER BY created DESC, rowid DESC"_s, {sqlText(cluster), sqlText(job)});
}

Result<QList<JobLogEntry>> JobLog::withToken(const SubmissionToken& token) const
{
    return select(u"WHERE token=?"_s, {sqlText(token)});
}

Result<QList<JobLogEntry>> JobLog::newest(const QString& cluster, int limit) const
{
    return select(u"WHERE (?='' OR cluster=?) ORDER BY created DESC, rowid DESC LIMIT ?"_s,
        {sqlText(cluster), sqlText(cluster), limit}, Columns::WithoutTexts);
}

Result<std::optional<JobLogEntry>> JobLog::lastSent(const QString& cluster, const QString& name) const
{
    const auto entries = select(u"WHERE cluster=? AND stage IN ('sending', 'known', 'unknown') "
                                "ORDER BY name=? DESC, created DESC, rowid DESC LIMIT 1"_s,
        {sqlText(cluster), sqlText(name)});
    if (!entries)
        return fail(entries.error());
    return entries->isEmpty() ? std::optional<JobLogEntry>() : entries->first();
}

Result<QList<JobLogEntry>> JobLog::unresolved(const QString& cluster) const
{
    return select(u"WHERE cluster=? AND stage IN ('recorded', 'sending', 'unknown') ORDER BY created, rowid"_s,
        {sqlText(cluster)}, Columns::WithoutTexts);
}

Result<QList<JobLogEntry>> JobLog::unanswered(const QString& cluster, const QString& scriptHash) const
{
    return select(u"WHERE cluster=? AND script_sha256=? AND stage='known'"
                  " AND EXISTS (SELECT 1 FROM events WHERE entry=entries.id AND kind='sending' AND text=?)"
                  " AND NOT EXISTS (SELECT 1 FROM events WHERE entry=entries.id AND kind=?)"
                  " ORDER BY created DESC, rowid DESC"_s,
        {sqlText(cluster), sqlText(scriptHash), awaited.toString(), wordOf(JobLogEventKind::Answered).toString()},
        Columns::WithoutTexts);
}

Result<QList<JobLogEntry>> JobLog::knownSince(const QString& cluster, const QString& scriptHash, qint64 event) const
{
    return select(u"WHERE cluster=? AND script_sha256=? AND stage='known'"
                  " AND EXISTS (SELECT 1 FROM events WHERE entry=entries.id AND kind='known' AND number>?)"
                  " ORDER BY created DESC, rowid DESC"_s,
        {sqlText(cluster), sqlText(scriptHash), event}, Columns::WithoutTexts);
}

Result<QList<JobLogEntry>> JobLog::unended(const QString& cluster) const
{
    auto entries = select(
        u"WHERE cluster=? AND stage='known' ORDER BY created, rowid"_s, {sqlText(cluster)}, Columns::WithoutTexts);
    if (!entries)
        return entries;
    QList<JobLogEntry> open;
    for (const JobLogEntry& entry : *entries) {
        if (!hasEnded(entry.state))
            open.append(entry);
    }
    return open;
}

Result<QList<JobLogEvent>> JobLog::events(const QString& id) const
{
    auto query = m_database.run(u"SELECT time, kind, text FROM events WHERE entry=? ORDER BY number"_s, {id});
    if (!query)
        return fail(query.error().within(u"The job log could not be read"_s));
    QList<JobLogEvent> events;
    while (query->next())
        events.append({timeFrom(query->value(0)), FixedWord<JobLogEventKind>::read(query->value(1).toString()),
            query->value(2).toString()});
    return events;
}

} // namespace rankwright
