// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"

#include "app/store/transaction.h"
#include "models/core/logging.h"

#include <QAtomicInt>
#include <QDir>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStorageInfo>
#include <QUrl>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Schema n is reached by applying steps 0 .. n-1. A released step is never changed; a new one is added.
QList<QStringList> migrationSteps()
{
    return {
        {
            u"CREATE TABLE entries ("
            "  id TEXT PRIMARY KEY,"
            "  token TEXT NOT NULL UNIQUE,"
            "  cluster TEXT NOT NULL,"
            "  name TEXT NOT NULL,"
            "  design BLOB NOT NULL,"
            "  script BLOB NOT NULL,"
            "  script_sha256 TEXT NOT NULL,"
            "  workdir TEXT NOT NULL,"
            "  created INTEGER NOT NULL,"
            "  changed INTEGER NOT NULL,"
            "  owner TEXT NOT NULL,"
            "  stage TEXT NOT NULL,"
            "  job TEXT NOT NULL DEFAULT '',"
            "  state TEXT NOT NULL DEFAULT '',"
            "  outcome TEXT NOT NULL DEFAULT '')"_s,
            u"CREATE INDEX entries_by_job ON entries (cluster, job)"_s,
            u"CREATE INDEX entries_by_time ON entries (created)"_s,
            u"CREATE TABLE events ("
            "  number INTEGER PRIMARY KEY,"
            "  entry TEXT NOT NULL REFERENCES entries (id),"
            "  time INTEGER NOT NULL,"
            "  kind TEXT NOT NULL,"
            "  text TEXT NOT NULL)"_s,
            u"CREATE INDEX events_by_entry ON events (entry, number)"_s,
        },
        {
            u"CREATE TABLE measured_runs ("
            "  number INTEGER PRIMARY KEY,"
            "  cluster TEXT NOT NULL,"
            "  family TEXT NOT NULL,"
            "  stack TEXT NOT NULL,"
            "  job TEXT NOT NULL,"
            "  time INTEGER NOT NULL,"
            "  predicted_bytes REAL NOT NULL,"
            "  measured_bytes REAL,"
            "  predicted_seconds REAL NOT NULL,"
            "  measured_seconds REAL,"
            "  time_spread REAL NOT NULL,"
            "  memory_spread REAL NOT NULL)"_s,
            u"CREATE UNIQUE INDEX measured_runs_by_job ON measured_runs (cluster, job)"_s,
        },
        {
            // What physics allows; unknown of runs measured before.
            u"ALTER TABLE measured_runs ADD COLUMN exact_bytes REAL"_s,
            u"ALTER TABLE measured_runs ADD COLUMN gpu_bytes REAL"_s,
            u"ALTER TABLE measured_runs ADD COLUMN shortest_seconds REAL"_s,
        },
    };
}

Unexpected<Error> sqlFault(const QSqlError& error, const QString& path)
{
    const QString detail = error.text().trimmed();
    // SQLite result codes: 5 busy, 8 read-only, 10 input/output, 11 corrupt, 13 full, 26 not a database.
    const int code = error.nativeErrorCode().toInt() & 0xff;
    if (code == 11 || code == 26)
        return fail(Fault::Unreadable, u"The database %1 is damaged; it was left as it is."_s.arg(path), detail,
            u"Move it aside to start with an empty one, or restore it from a backup."_s);
    if (code == 5 || code == 6)
        return fail(Fault::TimedOut, u"The database %1 is in use by another program."_s.arg(path), detail,
            u"Try again in a moment."_s);
    // A file beside it that finds no room is reported as an error of the disk (10).
    constexpr qint64 leastRoom = 64 * 1024;
    const qint64 room = code == 10 ? QStorageInfo(QFileInfo(path).absolutePath()).bytesAvailable() : -1;
    if (code == 13 || (room >= 0 && room < leastRoom)) // below 0: not known
        return fail(Fault::Io, u"The disk of %1 is full."_s.arg(path), detail, u"Make room, then try again."_s);
    return fail(Fault::Io, u"The database %1 could not be used."_s.arg(path), detail,
        u"Check the folder's permissions, or name another one with --data-dir."_s);
}

QString pathIn(const QString& folder) { return QDir(folder).filePath(u"rankwright.db"_s); }

QString newConnection()
{
    static QAtomicInt counter;
    return u"rankwright-%1"_s.arg(counter.fetchAndAddRelaxed(1));
}

} // namespace

Journal journalFor(const QByteArray& fileSystem)
{
    static const QByteArrayList shared{"9p", "acfs", "afs", "beegfs", "ceph", "cifs", "gfs2", "glusterfs", "gpfs",
        "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "panfs", "pvfs2", "smb2", "smb3", "smbfs", "wekafs"};
    // By FUSE come sshfs, glusterfs, s3fs and many more; those that are local lose nothing but a little speed.
    return shared.contains(fileSystem) || fileSystem.startsWith("fuse") ? Journal::Rollback : Journal::WriteAhead;
}

Database::Database(QString connection, QString path) : m_connection(std::move(connection)), m_path(std::move(path)) { }

Database::~Database()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

int Database::currentSchema() { return int(migrationSteps().size()); }

Result<std::unique_ptr<Database>> Database::open(const QString& folder)
{
    return open(folder, journalFor(QStorageInfo(folder).fileSystemType()));
}

Result<std::unique_ptr<Database>> Database::open(const QString& folder, Journal journal)
{
    const QString path = pathIn(folder);
    const QString connection = newConnection();
    const bool isNew = !QFileInfo::exists(path);
    std::unique_ptr<Database> database(new Database(connection, path));
    {
        QSqlDatabase link = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection);
        link.setDatabaseName(path);
        // Another process commits within milliseconds; five seconds cover a slow disk.
        link.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=5000"_s);
        if (!link.open())
            return sqlFault(link.lastError(), path);
    }
    if (isNew)
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    if (const auto ready = database->prepare(journal); !ready)
        return fail(ready.error());
    return database;
}

Result<std::unique_ptr<Database>> Database::openOrCopy(const QString& folder)
{
    auto opened = open(folder);
    if (opened) {
        // A full disk shows at the first write only.
        const auto written = (*opened)->transact([&opened]() -> Result<void> {
            const auto version = (*opened)->run(u"PRAGMA user_version=%1"_s.arg(currentSchema()));
            return version ? Result<void>() : fail(version.error());
        });
        if (written || written.error().fault == Fault::TimedOut)
            return opened;
        opened = fail(written.error());
    }
    if (opened.error().fault != Fault::Io)
        return opened;
    auto copy = inMemory(pathIn(folder));
    if (!copy)
        return opened;
    (*copy)->copyFrom(pathIn(folder));
    (*copy)->m_whyNotKept = opened.error();
    return copy;
}

Result<std::unique_ptr<Database>> Database::inMemory(const QString& path)
{
    std::unique_ptr<Database> database(new Database(newConnection(), path));
    {
        QSqlDatabase link = QSqlDatabase::addDatabase(u"QSQLITE"_s, database->m_connection);
        link.setDatabaseName(u":memory:"_s);
        link.setConnectOptions(u"QSQLITE_OPEN_URI"_s);
        if (!link.open())
            return sqlFault(link.lastError(), path);
    }
    if (const auto ready = database->migrate(); !ready)
        return fail(ready.error());
    return database;
}

/// What cannot be read is left out.
void Database::copyFrom(const QString& path)
{
    const QString address = QString::fromLatin1(QUrl::fromLocalFile(path).toEncoded());
    // Read-only also reads what is not merged from the write-ahead log yet; that needs a file beside the database,
    // which may be missing and cannot be made.
    const bool isAttached = run(u"ATTACH ? AS kept"_s, {QString(address + u"?mode=ro"_s)})
        && run(u"SELECT count(*) FROM kept.sqlite_master"_s);
    if (!isAttached) {
        run(u"DETACH kept"_s);
        if (!run(u"ATTACH ? AS kept"_s, {QString(address + u"?immutable=1"_s)}))
            return;
    }
    QStringList tables;
    if (auto names = run(u"SELECT name FROM kept.sqlite_master WHERE type='table' ORDER BY rowid"_s)) {
        while (names->next())
            tables.append(names->value(0).toString());
    }
    for (const QString& table : std::as_const(tables)) {
        QStringList columns;
        if (auto names = run(u"SELECT name FROM pragma_table_info(?, 'kept')"_s, {table})) {
            while (names->next())
                columns.append(u'"' + names->value(0).toString() + u'"');
        }
        const QString list = columns.join(u", "_s);
        if (const auto copied = run(u"INSERT INTO main.%1 (%2) SELECT %2 FROM kept.%1"_s.arg(table, list)); !copied)
            qCInfo(logApp) << "not copied from" << path << table << copied.error().oneLine();
    }
    run(u"DETACH kept"_s);
}

Result<void> Database::prepare(Journal journal)
{
    // Looked at before anything is set, so that a foreign file stays byte for byte as it was.
    const auto found = schema();
    if (!found)
        return fail(found.error());
    if (*found > currentSchema())
        return fail(Fault::Invalid,
            u"The database %1 was written by a newer Rankwright (schema %2, this program knows %3)."_s.arg(m_path)
                .arg(*found)
                .arg(currentSchema()),
            {}, u"Use the newer program, or name another folder with --data-dir."_s);
    auto sound = run(u"PRAGMA quick_check(1)"_s);
    if (!sound)
        return fail(sound.error());
    if (!sound->next() || sound->value(0).toString() != u"ok"_s)
        return fail(Fault::Unreadable, u"The database %1 is damaged; it was left as it is."_s.arg(m_path),
            sound->value(0).toString(), u"Move it aside to start with an empty one, or restore it from a backup."_s);
    sound->finish();
    if (const auto set = setJournal(journal); !set)
        return fail(set.error());
    for (const QString& pragma : {u"PRAGMA synchronous=FULL"_s, u"PRAGMA foreign_keys=ON"_s}) {
        if (const auto set = run(pragma); !set)
            return fail(set.error());
    }
    return *found == currentSchema() ? Result<void>() : migrate();
}

Result<void> Database::setJournal(Journal journal)
{
    const QString wanted = journal == Journal::WriteAhead ? u"wal"_s : u"delete"_s;
    auto query = run(u"PRAGMA journal_mode"_s);
    if (!query)
        return fail(query.error());
    if (query->next() && query->value(0).toString() == wanted)
        return {};
    query->finish();
    // It can't be changed while another program has the file open; SQLite waits for none here. It stays as it is then,
    // and the next program that is alone changes it.
    const auto set = run(u"PRAGMA journal_mode="_s + wanted);
    if (!set && set.error().fault == Fault::TimedOut)
        qCInfo(logApp) << m_path << "is in use, its journal stays as it is";
    else if (!set)
        return fail(set.error());
    return {};
}

Result<int> Database::schema()
{
    auto query = run(u"PRAGMA user_version"_s);
    if (!query)
        return fail(query.error());
    return query->next() ? query->value(0).toInt() : 0;
}

Result<void> Database::migrate()
{
    return transact([this]() -> Result<void> {
        // Asked again under the lock: the other program may have been faster.
        const auto from = schema();
        if (!from)
            return fail(from.error());
        const QList<QStringList> steps = migrationSteps();
        for (int step = *from; step < steps.size(); ++step) {
            for (const QString& statement : steps.at(step)) {
                if (const auto done = run(statement); !done)
                    return fail(done.error().within(u"Bringing the database to schema %1"_s.arg(step + 1)));
            }
        }
        if (const auto set = run(u"PRAGMA user_version=%1"_s.arg(steps.size())); !set)
            return fail(set.error());
        qCInfo(logApp) << "database" << m_path << "brought from schema" << *from << "to" << steps.size();
        return {};
    });
}

Result<QSqlQuery> Database::run(const QString& sql, const QVariantList& values)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    if (!query.prepare(sql))
        return sqlFault(query.lastError(), m_path);
    for (const QVariant& value : values)
        query.addBindValue(value);
    if (!query.exec())
        return sqlFault(query.lastError(), m_path);
    return query;
}

Result<void> Database::transact(const std::function<Result<void>()>& work)
{
    return inTransaction([this](const QString& sql) { return run(sql); }, work);
}

} // namespace rankwright
