// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QDeadlineTimer>
#include <QHash>
#include <QVariantList>

#include <functional>
#include <memory>
#include <optional>

class QSqlQuery;

namespace rankwright {

/// One recording's SQLite file: a connection, its schema and its statements (docs/recording.md). Used on the thread
/// that opened it. Knows no samples; RecordingWriter and RecordingReader do. Every commit is forced to disk: there is
/// one in four seconds, and a power cut must not cost more.
class RecordingFile final {
public:
    enum class Mode { Read, Write };
    /// Write makes the file when it is missing. Error: not a recording, damaged, of a newer program, no rights.
    static Result<std::unique_ptr<RecordingFile>> open(const QString& path, Mode mode);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    using Row = std::function<void(const QSqlQuery& row)>;
    /// Runs a statement with its values bound in order; `row` is called for each row and must not run the same one.
    /// Statements are kept ready. Returns how many rows were changed.
    Result<int> run(const QString& sql, const QVariantList& values = {}, const Row& row = {});
    /// As Database::transact.
    Result<void> transact(const std::function<Result<void>()>& work);

    /// From now on nothing is read for longer than this in all: then run() fails with Fault::TimedOut. For files that
    /// the user has not chosen, as in a list. False: only between rows, since Qt's SQLite is not the one that we know.
    bool limitTo(int ms);

    /// A number that changes whenever another connection has committed.
    qint64 dataVersion();
    const QString& path() const { return m_path; }

private:
    RecordingFile(QString connection, QString path);
    Result<void> prepare(Mode mode);
    /// Nothing in it but tables and indices as ours: a view or a trigger would run somebody else's query.
    Result<void> checkSchema();
    Result<void> makeTables();

    static int isLate(void* self);
    std::optional<QDeadlineTimer> m_deadline;
    QString m_connection;
    QString m_path;
    QHash<QString, std::shared_ptr<QSqlQuery>> m_ready;
};

} // namespace rankwright
