// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingwriter.h"

#include "app/store/recordings.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/insight/telemetry/history/kepttick.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 aDayMs = 86'400'000;
constexpr qint64 sameSampleMs = 500; // samples are taken once a second
constexpr qint64 sealFewNodesMs = 300'000;
constexpr qint64 sealManyNodesMs = 60'000; // a picture of a thousand nodes unpacks a piece of each
constexpr int manyNodes = 16;
constexpr int mostNumbers = 1000; // recordings of jobs with the same id

Unexpected<Error> recordedElsewhere(const QString& job)
{
    return fail(Fault::Cancelled, u"Job %1 is being recorded by another window of Rankwright."_s.arg(job), {},
        u"This one shows the job and writes nothing."_s);
}

/// The file of this job, or the first name that is free.
QString pathFor(const QString& folder, const RecordingFacts& facts)
{
    for (int number = 1; number < mostNumbers; ++number) {
        const QString path = QDir(folder).filePath(recordingName(facts.cluster, facts.job.id, number));
        if (!QFileInfo::exists(path))
            return path;
        const auto known = readRecordingFacts(path);
        const bool empty = known && known->job.id.isEmpty(); // made a moment ago, nothing written yet
        if (known && (empty || isSameJob(*known, facts)))
            return path;
    }
    return {};
}

} // namespace

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::open(const QString& folder, const RecordingFacts& facts)
{
    return open(folder, facts, Limits());
}

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::open(
    const QString& folder, const RecordingFacts& facts, const Limits& limits)
{
    if (!QDir().mkpath(folder))
        return fail(Fault::Io, u"The folder %1 for recordings could not be made."_s.arg(folder), {},
            u"Check its permissions, or name another one with --data-dir."_s);
    const QString path = pathFor(folder, facts);
    if (path.isEmpty())
        return fail(Fault::Io, u"There are too many recordings of job %1."_s.arg(facts.job.id), {},
            u"Delete some with: rankwright-cli recordings delete"_s);
    auto file = RecordingFile::open(path, RecordingFile::Mode::Write);
    if (!file)
        return fail(file.error());
    std::unique_ptr<RecordingWriter> writer(new RecordingWriter(std::move(*file), facts, limits));
    if (const auto begun = writer->begin(); !begun)
        return fail(begun.error());
    return writer;
}

RecordingWriter::RecordingWriter(std::unique_ptr<RecordingFile> file, const RecordingFacts& facts, const Limits& limits)
    : m_file(std::move(file)), m_facts(facts), m_limits(limits), m_owner(newRecordingOwner()),
      m_ticks(*m_file, u"ticks"_s), m_processes(*m_file, u"processes"_s), m_levels(*m_file), m_sums(*m_file)
{ }

RecordingWriter::~RecordingWriter()
{
    if (m_taken)
        return;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (hasWork() && !commit(now))
        return; // the file is as it was committed last
    m_file->transact([this]() -> Result<void> {
        const auto freed = m_file->run(u"UPDATE meta SET value = '' WHERE key = 'owner' AND value = ?"_s, {m_owner});
        return freed ? Result<void>() : fail(freed.error());
    });
    m_file->run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s, {}, [](const QSqlQuery&) {});
}

Result<void> RecordingWriter::begin()
{
    if (m_limits.mostPages > 0) {
        const auto limited
            = m_file->run(u"PRAGMA max_page_count=%1"_s.arg(m_limits.mostPages), {}, [](const QSqlQuery&) {});
        if (!limited)
            return fail(limited.error());
    }
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto claimed = m_file->transact([this, now] { return claim(now); });
    if (!claimed) {
        m_taken = true; // nothing of it is ours to write
        return claimed;
    }
    if (const auto known = readRecordingFacts(path()); known && m_facts.job.state == JobState::Unknown)
        m_facts.job = known->job.id.isEmpty() ? m_facts.job : known->job; // Slurm has not reported anything new yet
    if (const auto loaded = load(); !loaded)
        return loaded;
    setNodes(m_facts.job.nodeList);
    return {};
}

Result<void> RecordingWriter::claim(qint64 nowMs)
{
    QString owner;
    qint64 seen = 0;
    const auto asked = m_file->run(
        u"SELECT key, value FROM meta WHERE key IN ('owner', 'owner_seen')"_s, {}, [&](const QSqlQuery& row) {
            if (row.value(0).toString() == u"owner"_s)
                owner = row.value(1).toString();
            else
                seen = row.value(1).toLongLong();
        });
    if (!asked)
        return fail(asked.error());
    if (owner != m_owner && isOwnerAlive(owner, nowMs - seen))
        return recordedElsewhere(m_facts.job.id);
    if (const auto done = set(u"owner"_s, m_owner); !done)
        return done;
    return set(u"owner_seen"_s, nowMs);
}

Result<void> RecordingWriter::load()
{
    m_nodes.clear();
    m_rows.clear();
    const auto nodes = m_file->run(u"SELECT id, name, gpus FROM nodes ORDER BY id"_s, {}, [this](const QSqlQuery& row) {
        m_rows.insert(row.value(1).toString(), int(m_nodes.size()));
        m_gpus.insert(int(m_nodes.size()), row.value(2).toInt());
        m_nodes.append(row.value(1).toString());
    });
    if (!nodes)
        return fail(nodes.error());
    if (const auto done = m_ticks.load(); !done)
        return done;
    if (const auto done = m_processes.load(); !done)
        return done;
    if (const auto done = m_levels.load(); !done)
        return done;
    return m_sums.load();
}

void RecordingWriter::setFacts(const RecordingFacts& facts)
{
    if (facts == m_facts)
        return;
    m_facts = facts;
    m_factsChanged = true;
    setNodes(facts.job.nodeList);
}

void RecordingWriter::setNodes(const QStringList& nodes)
{
    for (const QString& node : nodes)
        rowOf(node);
}

int RecordingWriter::rowOf(const QString& node)
{
    if (const auto known = m_rows.constFind(node); known != m_rows.constEnd())
        return *known;
    if (m_nodes.size() >= TelemetrySeries::maxNodes)
        return -1;
    const int row = int(m_nodes.size());
    m_rows.insert(node, row);
    m_nodes.append(node);
    m_changedRows.insert(row);
    return row;
}

void RecordingWriter::widen(int row, int gpus)
{
    if (m_gpus.value(row) >= gpus)
        return;
    m_gpus.insert(row, gpus);
    m_changedRows.insert(row);
}

void RecordingWriter::append(const NodeTick& tick, qint64 arrivedMs)
{
    auto kept = keptTick(tick, arrivedMs);
    const int row = kept ? rowOf(kept->node) : -1;
    if (row < 0)
        return;
    if (arrivedMs > 0 && qAbs(kept->takenMs - arrivedMs) > aDayMs)
        kept->takenMs = arrivedMs;
    for (const GpuSample& gpu : std::as_const(kept->gpus))
        widen(row, gpu.index + 1);
    m_ticks.append(row, *kept);
    m_reportedRows.insert(row);
}

void RecordingWriter::append(const NodeProcesses& processes, qint64 arrivedMs)
{
    NodeProcesses kept = processes;
    const bool wrong = !isPlausibleTime(kept.takenMs) || (arrivedMs > 0 && qAbs(kept.takenMs - arrivedMs) > aDayMs);
    if (wrong)
        kept.takenMs = arrivedMs;
    const int row = kept.node.isEmpty() || !isPlausibleTime(kept.takenMs) ? -1 : rowOf(kept.node);
    if (row < 0)
        return;
    m_processes.append(row, kept);
    m_reportedRows.insert(row);
}

void RecordingWriter::fill(const QList<NodeTick>& ticks)
{
    for (const NodeTick& tick : ticks) {
        const auto kept = keptTick(tick, 0);
        const int row = kept ? rowOf(kept->node) : -1;
        if (row < 0)
            continue;
        for (const GpuSample& gpu : std::as_const(kept->gpus))
            widen(row, gpu.index + 1);
        m_ticks.append(row, *kept, sameSampleMs);
        m_reportedRows.insert(row);
    }
}

bool RecordingWriter::hasWork() const
{
    return m_factsChanged || !m_reportedRows.isEmpty() || !m_changedRows.isEmpty() || !m_notes.isEmpty()
        || waitingBytes() > 0;
}

Result<void> RecordingWriter::commit(qint64 nowMs)
{
    if (m_taken)
        return recordedElsewhere(m_facts.job.id);
    if (!hasWork())
        return {};
    m_ticks.pack();
    m_processes.pack();
    const auto done = m_file->transact([this, nowMs] { return writeAll(nowMs); });
    if (done) {
        m_ticks.written();
        m_processes.written();
        m_changedRows.clear();
        m_reportedRows.clear();
        m_notes.clear();
        m_factsChanged = false;
        return {};
    }
    if (done.error().fault == Fault::Cancelled) {
        m_taken = true;
        return done;
    }
    // The journal's room may be had without a commit. What the transaction did to the counters did not happen. If even
    // reading fails, the next commit fails too.
    m_file->run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s, {}, [](const QSqlQuery&) {});
    m_ticks.load();
    m_processes.load();
    m_levels.load();
    m_sums.load();
    m_lost += m_ticks.dropWaiting(m_limits.waitingBytes);
    m_processes.dropWaiting(m_limits.waitingBytes / 4);
    return done;
}

Result<void> RecordingWriter::writeAll(qint64 nowMs)
{
    if (const auto mine = claim(nowMs); !mine)
        return mine;
    if (const auto done = writeFacts(); !done)
        return done;
    std::map<int, TimeSpan> changed, changedProcesses;
    if (const auto done = m_ticks.write(changed); !done)
        return done;
    if (const auto done = m_processes.write(changedProcesses); !done)
        return done;
    if (const auto done = m_notes.write(*m_file); !done)
        return done;
    return sealAll(changed);
}

Result<void> RecordingWriter::set(const QString& key, const QVariant& value)
{
    const auto done = m_file->run(u"INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"_s, {key, value});
    return done ? Result<void>() : fail(done.error());
}

Result<void> RecordingWriter::writeFacts()
{
    for (const int row : std::as_const(m_changedRows)) {
        const auto done = m_file->run(u"INSERT OR REPLACE INTO nodes (id, name, gpus) VALUES (?, ?, ?)"_s,
            {row, m_nodes.at(row), m_gpus.value(row)});
        if (!done)
            return fail(done.error());
    }
    if (!m_factsChanged)
        return {};
    const QByteArray job = QJsonDocument(jobRecordJson(m_facts.job)).toJson(QJsonDocument::Compact);
    const QList<std::pair<QString, QVariant>> facts
        = {{u"cluster"_s, m_facts.cluster}, {u"job"_s, QString::fromUtf8(job)}, {u"gpu_word"_s, m_facts.gpuWord},
            {u"gpus_per_package"_s, m_facts.gpusPerPackage},
            {u"gpus_per_node"_s, m_facts.gpusPerNode ? QVariant(*m_facts.gpusPerNode) : QVariant()},
            {u"design"_s, m_facts.design}, {u"entry"_s, m_facts.entryId}};
    for (const auto& [key, value] : facts) {
        // A job that was launched elsewhere and is watched again loses nothing that was known of it.
        if (value.toByteArray().isEmpty())
            continue;
        if (const auto done = set(key, value); !done)
            return done;
    }
    return {};
}

Result<void> RecordingWriter::sealAll(const std::map<int, TimeSpan>& changed)
{
    for (const auto& [row, span] : changed) {
        if (const auto done = m_levels.forget(row, span); !done)
            return done;
        if (const auto done = m_sums.forget(row, span); !done)
            return done;
    }
    const qint64 sealMs = m_nodes.size() > manyNodes ? sealManyNodesMs : sealFewNodesMs;
    for (const int row : std::as_const(m_reportedRows)) {
        const auto sealed = m_ticks.seal(row, sealMs);
        if (!sealed)
            return fail(sealed.error());
        qint64 until = *sealed;
        if (until == 0 && changed.contains(row)) {
            const auto asked = m_file->run(u"SELECT MAX(to_ms) FROM ticks WHERE node = ? AND sealed = 1"_s, {row},
                [&until](const QSqlQuery& found) { until = found.value(0).toLongLong(); });
            if (!asked)
                return fail(asked.error());
        }
        if (until > 0) {
            if (const auto done = m_levels.build(row, until); !done)
                return done;
            if (const auto done = m_sums.build(row); !done)
                return done;
        }
        if (const auto done = m_processes.seal(row, sealFewNodesMs); !done)
            return fail(done.error());
    }
    return {};
}

} // namespace rankwright
