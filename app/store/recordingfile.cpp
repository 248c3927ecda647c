// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingfile.h"

#include "app/store/transaction.h"

#include <QAtomicInt>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlDriver>
#include <QSqlError>
#include <QSqlQuery>

#ifdef RANKWRIGHT_SQLITE
#include <sqlite3.h>
#endif

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// 1: alerts were reported by other members (eventjson.cpp). 2: those of `rankwright-cli watch`.
constexpr int schemaVersion = 2;
constexpr int applicationId = 0x52574b52; // "RWKR": marks it as ours, for file(1) too

/// Newer than version 2, which does not include it: an older program reads and writes the rest as before. Rows
/// are listed by the index, which holds all but their data.
QStringList sumsSchema()
{
    return {
        u"CREATE TABLE IF NOT EXISTS sums (node INTEGER NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, "
        "pieces INTEGER NOT NULL, ids INTEGER NOT NULL, data BLOB NOT NULL)"_s,
        u"CREATE INDEX IF NOT EXISTS sums_by_place ON sums (node, from_ms, to_ms, pieces, ids)"_s};
}

QStringList schema()
{
    QStringList statements = {
        u"CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID"_s,
        u"CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, gpus INTEGER NOT NULL DEFAULT 0)"_s,
        u"CREATE TABLE levels (level INTEGER NOT NULL, node INTEGER NOT NULL, from_ms INTEGER NOT NULL, data BLOB)"_s,
        u"CREATE UNIQUE INDEX levels_by_place ON levels (level, node, from_ms)"_s,
        u"CREATE TABLE progress (time_ms INTEGER PRIMARY KEY, json TEXT NOT NULL)"_s,
        u"CREATE TABLE losses (step REAL PRIMARY KEY, loss REAL NOT NULL, time_ms INTEGER NOT NULL) WITHOUT ROWID"_s,
        u"CREATE TABLE events (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, kind TEXT NOT NULL, json TEXT NOT "
        "NULL, UNIQUE (time_ms, kind, json))"_s,
    };
    // A number is never used again, so that a reader may keep what it has unpacked.
    for (const QString& lane : {u"ticks"_s, u"processes"_s}) {
        statements.append(u"CREATE TABLE %1 (id INTEGER PRIMARY KEY AUTOINCREMENT, node INTEGER NOT NULL, from_ms "
                          "INTEGER NOT NULL, to_ms INTEGER NOT NULL, hole_ms INTEGER NOT NULL, count INTEGER NOT NULL, "
                          "sealed INTEGER NOT NULL, data BLOB NOT NULL)"_s.arg(lane));
        statements.append(u"CREATE INDEX %1_by_node ON %1 (node, from_ms, to_ms)"_s.arg(lane));
        statements.append(u"CREATE INDEX %1_by_time ON %1 (from_ms, to_ms, node, hole_ms)"_s.arg(lane));
        statements.append(u"CREATE INDEX %1_fresh ON %1 (node, from_ms, to_ms, count) WHERE sealed = 0"_s.arg(lane));
    }
    return statements + sumsSchema();
}

Unexpected<Error> tooSlow(const QString& path)
{
    return fail(Fault::TimedOut, u"Reading the recording %1 takes too long."_s.arg(path), {},
        u"It may be damaged, or not one of Rankwright's; move it aside."_s);
}

Unexpected<Error> sqlFault(const QSqlError& error, const QString& path)
{
    const QString detail = error.text().trimmed();
    // SQLite result codes: 5 busy, 6 locked, 10 input/output, 11 corrupt, 13 full, 26 not a database.
    switch (error.nativeErrorCode().toInt() & 0xff) {
    case 11:
    case 26:
        return fail(Fault::Unreadable, u"The recording %1 is damaged; it was left as it is."_s.arg(path), detail,
            u"Move it aside; a new one is begun when the job is watched again."_s);
    case 9: return tooSlow(path);
    case 5:
    case 6:
        return fail(Fault::TimedOut, u"The recording %1 is in use by another program."_s.arg(path), detail,
            u"Try again in a moment."_s);
    case 10:
    case 13:
        return fail(Fault::Io, u"There is no room to write the recording %1."_s.arg(path), detail,
            u"Make room on that disk; recording continues automatically."_s);
    default:
        return fail(Fault::Io, u"The recording %1 could not be used."_s.arg(path), detail,
            u"Check the permissions of the folder, or name another one with --data-dir."_s);
    }
}

} // namespace

RecordingFile::RecordingFile(QString connection, QString path)
    : m_connection(std::move(connection)), m_path(std::move(path))
{ }

RecordingFile::~RecordingFile()
{
    m_ready.clear(); // before their connection
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<RecordingFile>> RecordingFile::open(const QString& path, Mode mode)
{
    static QAtomicInt counter;
    const bool isNew = !QFileInfo::exists(path);
    if (isNew && mode == Mode::Read)
        return fail(Fault::Io, u"There is no recording %1."_s.arg(path), {},
            u"List them with: rankwright-cli recordings list"_s);
    const QString connection = u"rankwright-recording-%1"_s.arg(counter.fetchAndAddRelaxed(1));
    std::unique_ptr<RecordingFile> file(new RecordingFile(connection, path));
    {
        QSqlDatabase link = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection);
        link.setDatabaseName(path);
        const bool readOnly = mode == Mode::Read;
        link.setConnectOptions(
            readOnly ? u"QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=2000"_s : u"QSQLITE_BUSY_TIMEOUT=2000"_s);
        if (!link.open())
            return sqlFault(link.lastError(), path);
    }
    if (isNew)
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    if (const auto ready = file->prepare(mode); !ready)
        return fail(ready.error());
    return file;
}

Result<void> RecordingFile::prepare(Mode mode)
{
    const auto number = [this](const QString& pragma, int& value) {
        return run(pragma, {}, [&value](const QSqlQuery& row) { value = row.value(0).toInt(); });
    };
    int version = 0;
    int application = 0;
    if (const auto read = number(u"PRAGMA user_version"_s, version); !read)
        return fail(read.error());
    if (const auto read = number(u"PRAGMA application_id"_s, application); !read)
        return fail(read.error());
    const bool empty = version == 0 && application == 0;
    if (version > schemaVersion)
        return fail(Fault::Invalid, u"The recording %1 was written by a newer Rankwright."_s.arg(m_path),
            u"Schema %1, this program knows %2."_s.arg(version).arg(schemaVersion), u"Open it with that one."_s);
    if ((empty && mode == Mode::Read) || (!empty && application != applicationId))
        return fail(Fault::Unreadable, u"%1 is not a recording."_s.arg(m_path), {},
            u"List recordings with: rankwright-cli recordings list"_s);
    if (const auto good = checkSchema(); !good)
        return good;
    if (mode == Mode::Read)
        return {};
    for (const QString& pragma : {u"PRAGMA journal_mode=WAL"_s, u"PRAGMA synchronous=FULL"_s,
             u"PRAGMA wal_autocheckpoint=256"_s, u"PRAGMA journal_size_limit=1048576"_s}) {
        if (const auto set = run(pragma, {}, [](const QSqlQuery&) {}); !set)
            return fail(set.error());
    }
    if (empty)
        return makeTables();
    for (const QString& statement : sumsSchema()) {
        if (const auto made = run(statement); !made)
            return fail(made.error());
    }
    // What is in it stays as it was written; what comes now is not for older programs.
    const auto raised = version < schemaVersion ? run(u"PRAGMA user_version=%1"_s.arg(schemaVersion)) : 0;
    return raised ? Result<void>() : fail(raised.error());
}

int RecordingFile::isLate(void* self)
{
    const auto& deadline = static_cast<RecordingFile*>(self)->m_deadline;
    return deadline && deadline->hasExpired() ? 1 : 0;
}

bool RecordingFile::limitTo(int ms)
{
    m_deadline = QDeadlineTimer(ms);
    bool same = false;
#ifdef RANKWRIGHT_SQLITE
    const QSqlDatabase link = QSqlDatabase::database(m_connection, false);
    const QVariant handle = link.driver()->handle();
    // Qt may bring an SQLite of its own: only the very same build may be called with its handle.
    (void)run(u"SELECT sqlite_source_id()"_s, {},
        [&same](const QSqlQuery& row) { same = row.value(0).toByteArray() == sqlite3_sourceid(); });
    constexpr int everySteps = 10000; // of SQLite's virtual machine: some 0.1 ms
    same = same && handle.isValid() && qstrcmp(handle.typeName(), "sqlite3*") == 0;
    if (same)
        sqlite3_progress_handler(*static_cast<sqlite3* const*>(handle.constData()), everySteps, isLate, this);
#endif
    return same;
}

Result<void> RecordingFile::checkSchema()
{
    // Every object of our own schema; what SQLite adds by itself begins with sqlite_.
    constexpr int mostObjects = 64;
    static const QRegularExpression computed(
        u"\\bGENERATED\\b|\\bAS\\s*\\(|\\bVIRTUAL\\b|\\bCHECK\\b"_s, QRegularExpression::CaseInsensitiveOption);
    QString foreign;
    int objects = 0;
    const auto read = run(
        u"SELECT type, name, sql FROM sqlite_master LIMIT %1"_s.arg(mostObjects + 1), {}, [&](const QSqlQuery& row) {
            const QString type = row.value(0).toString();
            ++objects;
            if ((type != u"table" && type != u"index") || row.value(2).toString().contains(computed))
                foreign = type + u' ' + row.value(1).toString();
        });
    if (!read)
        return fail(read.error());
    if (!foreign.isEmpty() || objects > mostObjects)
        return fail(Fault::Unreadable,
            u"%1 is not a recording made by Rankwright: it contains queries of its own."_s.arg(m_path), foreign,
            u"Do not open recordings of people whom you do not trust; move it aside."_s);
    return {};
}

Result<void> RecordingFile::makeTables()
{
    return transact([this]() -> Result<void> {
        int version = 0; // asked again under the lock: another program may have been faster
        const auto asked
            = run(u"PRAGMA user_version"_s, {}, [&](const QSqlQuery& row) { version = row.value(0).toInt(); });
        if (!asked)
            return fail(asked.error());
        if (version > 0)
            return {};
        QStringList statements = schema();
        statements.append(u"PRAGMA user_version=%1"_s.arg(schemaVersion));
        statements.append(u"PRAGMA application_id=%1"_s.arg(applicationId));
        for (const QString& statement : std::as_const(statements)) {
            if (const auto done = run(statement); !done)
                return fail(done.error());
        }
        return {};
    });
}

Result<int> RecordingFile::run(const QString& sql, const QVariantList& values, const Row& row)
{
    std::shared_ptr<QSqlQuery>& query = m_ready[sql];
    if (!query) {
        query = std::make_shared<QSqlQuery>(QSqlDatabase::database(m_connection, false));
        query->setForwardOnly(true);
        if (!query->prepare(sql)) {
            const auto fault = sqlFault(query->lastError(), m_path);
            m_ready.remove(sql);
            return fault;
        }
    }
    const std::shared_ptr<QSqlQuery> held = query; // the table may grow while rows are read
    for (qsizetype i = 0; i < values.size(); ++i)
        held->bindValue(int(i), values.at(i));
    if (!held->exec()) {
        const auto fault = sqlFault(held->lastError(), m_path);
        held->finish();
        return fault;
    }
    while (row && held->next()) {
        row(*held);
        if (isLate(this)) {
            held->finish();
            return tooSlow(m_path);
        }
    }
    const bool broken = held->lastError().isValid() && held->lastError().type() != QSqlError::NoError;
    if (broken) {
        const auto fault = sqlFault(held->lastError(), m_path);
        held->finish();
        return fault;
    }
    const int changed = held->numRowsAffected();
    held->finish();
    return changed;
}

Result<void> RecordingFile::transact(const std::function<Result<void>()>& work)
{
    return inTransaction([this](const QString& sql) { return run(sql); }, work);
}

qint64 RecordingFile::dataVersion()
{
    qint64 version = 0;
    const auto read
        = run(u"PRAGMA data_version"_s, {}, [&](const QSqlQuery& row) { version = row.value(0).toLongLong(); });
    return read ? version : -1;
}

} // namespace rankwright
