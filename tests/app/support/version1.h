// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/codec/tickchunk.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/recordedfile.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

namespace rankwright::test {

/// Does some SQL to a file that is nobody's at the moment; ends the suite when it cannot.
inline void runSql(const QString& path, const QStringList& statements, const QVariantList& values = {})
{
    const QString name = QStringLiteral("test-sql");
    {
        QSqlDatabase link = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        link.setDatabaseName(path);
        if (!link.open())
            qFatal("%s", qPrintable(link.lastError().text()));
        for (const QString& statement : statements) {
            QSqlQuery query(link);
            query.prepare(statement);
            for (const QVariant& value : values)
                query.addBindValue(value);
            if (!query.exec())
                qFatal("%s: %s", qPrintable(query.lastError().text()), qPrintable(statement));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

/// A recording of version 1 (tests/data/recordings/version1.sql) with 30 samples of its one node from recordedStart.
inline void makeVersion1(const QString& path)
{
    QStringList statements;
    for (const QString& line :
        QString::fromUtf8(recordedFile(QStringLiteral("recordings/version1.sql"))).split(u'\n')) {
        if (!line.isEmpty() && !line.startsWith(QStringLiteral("--")))
            statements.append(line);
    }
    runSql(path, statements);
    QRandomGenerator random{1};
    QList<NodeTick> ticks;
    for (int second = 0; second < 30; ++second)
        ticks.append(trainingTick(random, QStringLiteral("n1"), recordedStart + second * 1000LL));
    runSql(path,
        {QStringLiteral("INSERT INTO ticks (node, from_ms, to_ms, hole_ms, count, sealed, data) "
                        "VALUES (0, ?, ?, 1000, 30, 0, ?)")},
        {ticks.first().takenMs, ticks.last().takenMs, packTicks(ticks)});
}

} // namespace rankwright::test
