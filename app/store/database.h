// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QVariantList>

#include <memory>
#include <optional>

class QSqlQuery;

namespace rankwright {

/// A text that is stored as empty, not as NULL, where it is null.
inline QString sqlText(const QString& value) { return value.isNull() ? QStringLiteral("") : value; }

/// How SQLite keeps what is not committed yet. The write-ahead log is quick and shares memory between the programs, so
/// all of them must be on one machine (sqlite.org/wal.html); the rollback journal needs nothing but file locks.
enum class Journal { WriteAhead, Rollback };
/// By the kind of file system as QStorageInfo names it: those that several machines may have mounted get the latter.
Journal journalFor(const QByteArray& fileSystem);

/// The program's embedded database (SQLite, every commit forced to disk): one connection per object, used on the thread
/// that opened it. Window and command line may have it open at once, on several machines, too. Owns schema and
/// migrations; a file that is damaged or of a newer program is refused with a clear error and left as it is. Only files
/// of app/store include this together with Qt SQL.
class Database final {
public:
    /// Opens `folder`/rankwright.db, makes it when missing, brings its schema up to date.
    static Result<std::unique_ptr<Database>> open(const QString& folder);
    static Result<std::unique_ptr<Database>> open(const QString& folder, Journal journal);
    /// The same; where the folder or its disk cannot be written, what can be read of the database is copied into
    /// memory: everything works, and what is written is gone when the object is. Fails where the file is damaged or of
    /// a newer program, as open() does.
    static Result<std::unique_ptr<Database>> openOrCopy(const QString& folder);
    /// Why what is written is not kept; empty: it is on the disk.
    const std::optional<Error>& whyNotKept() const { return m_whyNotKept; }
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// One statement with its values bound in order.
    Result<QSqlQuery> run(const QString& sql, const QVariantList& values = {});
    /// Runs `work` in one transaction that locks out other writers from its start; rolls back when it fails.
    Result<void> transact(const std::function<Result<void>()>& work);

    const QString& path() const { return m_path; }
    static int currentSchema();

private:
    Database(QString connection, QString path);
    Result<void> prepare(Journal journal);
    Result<void> setJournal(Journal journal);
    Result<int> schema();
    Result<void> migrate();

    static Result<std::unique_ptr<Database>> inMemory(const QString& path);
    void copyFrom(const QString& path);

    QString m_connection;
    QString m_path;
    std::optional<Error> m_whyNotKept;
};

} // namespace rankwright
