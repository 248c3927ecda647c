// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingfile.h"
#include "app/store/recordingreader.h"
#include "app/store/recordings.h"
#include "app/store/recordingwriter.h"
#include "tests/app/support/recordedjob.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Recordings that somebody else has put into the folder.
class HostileRecordingTest final : public Suite {
    Q_OBJECT

    static const QString endless;
    /// A recording of one job with these statements executed in it.
    static QString recordingWith(const QString& folder, const QStringList& statements)
    {
        auto writer = RecordingWriter::open(folder, recordedJob());
        if (!writer)
            qFatal("no recording");
        const QString path = (*writer)->path();
        writer->reset();
        const auto file = RecordingFile::open(path, RecordingFile::Mode::Write);
        if (!file)
            qFatal("no file");
        for (const QString& statement : statements) {
            if (const auto done = (*file)->run(statement); !done)
                qFatal("%s", qPrintable(done.error().oneLine()));
        }
        return path;
    }

private slots:
    void queriesOfOthersAreNotRun_data();
    void queriesOfOthersAreNotRun();
    void ourOwnAreRead();
    void aDeadlineEndsAQuery();
};

void HostileRecordingTest::queriesOfOthersAreNotRun_data()
{
    QTest::addColumn<QStringList>("statements");
    const QString view = u"CREATE VIEW %1 AS "_s + endless;
    QTest::newRow("view over nodes") << QStringList{u"DROP TABLE nodes"_s, view.arg(u"nodes"_s)};
    QTest::newRow("view over meta") << QStringList{u"DROP TABLE meta"_s, view.arg(u"meta"_s)};
    QTest::newRow("view over ticks") << QStringList{u"DROP TABLE ticks"_s, view.arg(u"ticks"_s)};
    QTest::newRow("trigger") << QStringList{u"CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM nodes; END"_s};
    QTest::newRow("computed column") << QStringList{u"ALTER TABLE nodes ADD COLUMN more AS (id + 1)"_s};
    QTest::newRow("virtual table") << QStringList{u"CREATE VIRTUAL TABLE v USING fts5(x)"_s};
}

void HostileRecordingTest::queriesOfOthersAreNotRun()
{
    QFETCH(QStringList, statements);
    const QTemporaryDir folder;
    const QString path = recordingWith(folder.path(), statements);
    const auto info = readRecordingInfo(path);
    QVERIFY(!info);
    QCOMPARE(info.error().fault, Fault::Unreadable);
    QVERIFY(!RecordingReader::open(path));
    QVERIFY(!RecordingFile::open(path, RecordingFile::Mode::Write));
    const QList<RecordingInfo> all = listRecordings(folder.path());
    QCOMPARE(all.size(), 1);
    QVERIFY(all.first().fault);
}

void HostileRecordingTest::ourOwnAreRead()
{
    const QTemporaryDir folder;
    const QString path = recordingWith(folder.path(), {});
    QVERIFY_RESULT(readRecordingInfo(path));
    QVERIFY(RecordingFile::open(path, RecordingFile::Mode::Write).hasValue());
}

void HostileRecordingTest::aDeadlineEndsAQuery()
{
    const QTemporaryDir folder;
    const QString path = recordingWith(folder.path(), {});
    const auto file = RecordingFile::open(path, RecordingFile::Mode::Read);
    QVERIFY_RESULT(file);
    if (!(*file)->limitTo(50))
        QSKIP("Qt's SQLite is another one");
    const auto read = (*file)->run(u"SELECT max(id) FROM (%1)"_s.arg(endless), {}, [](const QSqlQuery&) {});
    QVERIFY(!read);
    QCOMPARE(read.error().fault, Fault::TimedOut);
}

const QString HostileRecordingTest::endless
    = u"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x AS id, 'n' AS name, 1 AS gpus FROM c"_s;

RANKWRIGHT_TEST_MAIN(HostileRecordingTest)
#include "tst_hostilerecording.moc"
