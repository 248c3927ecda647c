// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/store/processmark.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QThread>

#include <csignal>

#include <sys/resource.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

class JobLogTest final : public test::Suite {
    Q_OBJECT

    struct Log {
        explicit Log(const QString& folder) : database(test::openStore(folder)), log(*database) { }
        std::unique_ptr<Database> database;
        JobLog log;
    };
    static NewSubmission submission(const QString& token, const QString& cluster = u"practice"_s)
    {
        return {token, cluster, u"first"_s, "{\"version\": 1}", "#!/bin/bash\necho abc\n", u"/scratch"_s};
    }
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static Error why() { return {Fault::Offline, u"The connection was lost."_s, {}, {}}; }

private slots:
    void keepsEverythingOfASubmission();
    void theLastSentIsOfTheSameNameFirst();
    void twoSubmissionsNeverShareAToken();
    void looksAndWritesInOneTransaction_data();

    /// Five programs that each write an entry only if there is none yet.
    void looksAndWritesInOneTransaction();
    void aLookThatFailsWritesNothing();
    void knowsWhatBecameKnownSince();
    void goesThroughItsStages();

    /// A job that runs for days changes no state: "last heard of" is when the cluster answered, not when it began.
    void lastHeardOfIsTheNewestAnswer();
    void anEventOfANewerVersionIsKept();
    void aSecondSenderIsStopped();
    void aKnownJobIsNeverForgotten();
    void aJobThatTurnsUpCorrectsTheLog();
    void findsByJobTokenAndCluster();
    void isSeenByAnotherProgramAtOnce();

    /// N11: a full disk, simulated by a limit on the size of files.
    void aDiskThatCannotBeWrittenKeepsNobodyFromReading();
    void aFolderThatCannotBeMadeIsAnEmptyLog();
    void separatesTheDeadFromTheLiving_data();
    void separatesTheDeadFromTheLiving();
};

void JobLogTest::keepsEverythingOfASubmission()
{
    QTemporaryDir folder;
    QString id;
    {
        Log one(folder.path());
        const auto entry = one.log.record(submission(u"rw-0000000000000001"_s));
        QVERIFY_RESULT(entry);
        id = entry->id;
    }
    Log again(folder.path());
    const auto entry = again.log.find(id);
    QVERIFY_RESULT(entry);
    QCOMPARE(entry->token, u"rw-0000000000000001"_s);
    QCOMPARE(entry->cluster, u"practice"_s);
    QCOMPARE(entry->script, QByteArray("#!/bin/bash\necho abc\n"));
    QCOMPARE(entry->design, QByteArray("{\"version\": 1}"));
    QCOMPARE(entry->workdir, u"/scratch"_s);
    QCOMPARE(entry->stage, EntryStage::Recorded);
    QVERIFY(entry->created.secsTo(QDateTime::currentDateTimeUtc()) < 60);
    QCOMPARE(lifeOf(entry->owner), ProcessLife::Running);
    // sha256sum of the script, computed outside of this program.
    QCOMPARE(entry->scriptHash, u"6ba0fb9bb9b1be7c8810178cc83aaa1b6e06f1b1713a00607010dd9b5b5f531b"_s);
}

void JobLogTest::theLastSentIsOfTheSameNameFirst()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const auto send = [&one](const QString& token, const QString& name, const QString& cluster = u"practice"_s) {
        NewSubmission request = submission(token, cluster);
        request.name = name;
        request.script = token.toUtf8();
        const QString id = one.log.record(request)->id;
        return one.log.markSending(id) ? id : QString();
    };
    QVERIFY(!*one.log.lastSent(u"practice"_s, u"mine"_s));
    QVERIFY_RESULT(one.log.markKnown(send(u"rw-1"_s, u"mine"_s), u"11"_s));
    QVERIFY_RESULT(one.log.markKnown(send(u"rw-2"_s, u"other"_s), u"12"_s));
    QVERIFY_RESULT(one.log.markRefused(send(u"rw-3"_s, u"mine"_s), why())); // never queued
    QVERIFY_RESULT(one.log.markKnown(send(u"rw-4"_s, u"mine"_s, u"lumi"_s), u"13"_s));
    const auto same = one.log.lastSent(u"practice"_s, u"mine"_s);
    QVERIFY_RESULT(same);
    QVERIFY(*same);
    QCOMPARE((*same)->job, u"11"_s);
    QCOMPARE((*same)->script, QByteArray("rw-1"));
    QCOMPARE((*one.log.lastSent(u"practice"_s, u"new"_s))->job, u"12"_s);
    QCOMPARE((*one.log.lastSent(u"lumi"_s, u"new"_s))->job, u"13"_s);
}

void JobLogTest::twoSubmissionsNeverShareAToken()
{
    QTemporaryDir folder;
    Log one(folder.path());
    QVERIFY_RESULT(one.log.record(submission(u"rw-1"_s)));
    QVERIFY(!one.log.record(submission(u"rw-1"_s)));
}

void JobLogTest::looksAndWritesInOneTransaction_data()
{
    QTest::addColumn<Journal>("journal");
    QTest::newRow("write-ahead log") << Journal::WriteAhead;
    QTest::newRow("rollback journal") << Journal::Rollback; // a folder that several machines share
}

void JobLogTest::looksAndWritesInOneTransaction()
{
    QFETCH(Journal, journal);
    QTemporaryDir folder;
    {
        Log made(folder.path());
    }
    QList<QThread*> programs;
    QAtomicInt written;
    QAtomicInt failures;
    for (int program = 0; program < 5; ++program) {
        programs.append(QThread::create([&, program] {
            const auto database = Database::open(folder.path(), journal);
            if (!database) {
                failures.fetchAndAddRelaxed(1);
                return;
            }
            JobLog log(**database);
            const auto entry = log.recordIf(submission(u"rw-%1"_s.arg(program)), [&log]() -> Result<bool> {
                const auto open = log.unresolved(u"practice"_s);
                if (!open)
                    return fail(open.error());
                QThread::msleep(20); // time for the others to look, too
                return open->isEmpty();
            });
            failures.fetchAndAddRelaxed(entry ? 0 : 1);
            written.fetchAndAddRelaxed(entry && *entry ? 1 : 0);
        }));
        programs.last()->start();
    }
    for (QThread* program : programs) {
        QVERIFY(program->wait(60000));
        delete program;
    }
    QCOMPARE(failures.loadRelaxed(), 0);
    QCOMPARE(written.loadRelaxed(), 1);
    Log seen(folder.path());
    QCOMPARE(seen.log.unresolved(u"practice"_s)->size(), 1);
}

void JobLogTest::aLookThatFailsWritesNothing()
{
    QTemporaryDir folder;
    Log one(folder.path());
    QVERIFY(!one.log.recordIf(submission(u"rw-1"_s), []() -> Result<bool> { return fail(why()); }));
    QCOMPARE(one.log.newest({}, 10)->size(), 0);
}

void JobLogTest::knowsWhatBecameKnownSince()
{
    QTemporaryDir folder;
    Log one(folder.path());
    QCOMPARE(one.log.openedAt(), 0);
    const JobLogEntry first = *one.log.record(submission(u"rw-1"_s));
    QVERIFY_RESULT(one.log.markKnown(first.id, u"1"_s));
    Log two(folder.path());
    QCOMPARE(two.log.openedAt(), *one.log.lastEvent());
    const auto since = [&](qint64 event) { return two.log.knownSince(u"practice"_s, first.scriptHash, event)->size(); };
    QCOMPARE(since(0), 1);
    QCOMPARE(since(two.log.openedAt()), 0);
    const QString second = one.log.record(submission(u"rw-2"_s))->id;
    QCOMPARE(since(two.log.openedAt()), 0);
    QVERIFY_RESULT(one.log.markKnown(second, u"2"_s));
    QCOMPARE(since(two.log.openedAt()), 1);
    QCOMPARE(since(*one.log.lastEvent()), 0);
    QCOMPARE(two.log.knownSince(u"lumi"_s, first.scriptHash, 0)->size(), 0);
    QCOMPARE(two.log.knownSince(u"practice"_s, u"other"_s, 0)->size(), 0);
}

void JobLogTest::goesThroughItsStages()
{
    QTemporaryDir folder;
    Log one(folder.path());
    QSignalSpy changes(&one.log, &JobLog::entryChanged);
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.log.markSending(id));
    QVERIFY_RESULT(one.log.markUnknown(id, why()));
    QVERIFY_RESULT(one.log.markKnown(id, u"42"_s));
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running));
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running)); // nothing new: nothing written
    QVERIFY_RESULT(one.log.noteState(id, JobState::Completed, u"It completed."_s));
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running)); // an answer that came late
    const auto entry = one.log.find(id);
    QCOMPARE(entry->stage, EntryStage::Known);
    QCOMPARE(entry->job, u"42"_s);
    QCOMPARE(entry->state, JobState::Completed);
    QCOMPARE(entry->outcome, u"It completed."_s);
    const auto events = one.log.events(id);
    QStringList kinds; // as the database has them
    for (const JobLogEvent& event : *events)
        kinds.append(event.kind.text());
    QCOMPARE(kinds, QStringList({u"recorded"_s, u"sending"_s, u"unknown"_s, u"known"_s, u"state"_s, u"state"_s}));
    QVERIFY(events->first().kind == JobLogEventKind::Recorded);
    QCOMPARE(changes.count(), 6);
}

void JobLogTest::lastHeardOfIsTheNewestAnswer()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.log.markKnown(id, u"42"_s));
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running));
    constexpr qint64 threeDays = 3 * 86'400'000LL;
    QVERIFY_RESULT(one.database->run(u"UPDATE entries SET changed = changed - ?"_s, {QVariant(threeDays)}));
    const QDateTime old = one.log.find(id)->heard;
    const qsizetype events = one.log.events(id)->size();
    QSignalSpy changes(&one.log, &JobLog::entryChanged);
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running)); // the same, heard of again
    const QDateTime heard = one.log.find(id)->heard;
    QVERIFY(old.msecsTo(heard) >= threeDays);
    QCOMPARE(one.log.events(id)->size(), events); // nothing happened
    QCOMPARE(changes.count(), 0);
    QVERIFY_RESULT(one.log.noteState(id, JobState::Running));
    QCOMPARE(one.log.find(id)->heard, heard); // not a write for each poll
}

void JobLogTest::anEventOfANewerVersionIsKept()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.database->run(
        u"INSERT INTO events (entry, time, kind, text) VALUES (?, 1, 'teleported', '')"_s, {QVariant(id)}));
    const auto events = one.log.events(id);
    QVERIFY_RESULT(events);
    QCOMPARE(events->last().kind.text(), u"teleported"_s);
    QVERIFY(!events->last().kind.value());
}

void JobLogTest::aSecondSenderIsStopped()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.log.markAbsent(id, u"given up"_s));
    QVERIFY(!one.log.markSending(id));
    QCOMPARE(one.log.find(id)->stage, EntryStage::Absent);
}

void JobLogTest::aKnownJobIsNeverForgotten()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.log.markSending(id));
    QVERIFY_RESULT(one.log.markKnown(id, u"7"_s));
    QVERIFY(!one.log.markUnknown(id, why()));
    QVERIFY(!one.log.markAbsent(id, u"no"_s));
    QVERIFY(!one.log.markRefused(id, why()));
    QVERIFY(!one.log.markKnown(id, u"8"_s));
    QVERIFY_RESULT(one.log.markKnown(id, u"7"_s));
    QCOMPARE(one.log.find(id)->job, u"7"_s);
}

void JobLogTest::aJobThatTurnsUpCorrectsTheLog()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString id = one.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(one.log.markSending(id));
    QVERIFY_RESULT(one.log.markAbsent(id, u"not found"_s));
    QVERIFY_RESULT(one.log.markKnown(id, u"9"_s));
    QCOMPARE(one.log.find(id)->stage, EntryStage::Known);
}

void JobLogTest::findsByJobTokenAndCluster()
{
    QTemporaryDir folder;
    Log one(folder.path());
    const QString first = one.log.record(submission(u"rw-1"_s))->id;
    const QString second = one.log.record(submission(u"rw-2"_s))->id;
    const QString other = one.log.record(submission(u"rw-3"_s, u"lumi"_s))->id;
    QVERIFY_RESULT(one.log.markKnown(first, u"5"_s));
    QVERIFY_RESULT(one.log.markKnown(second, u"5"_s)); // a cluster that was set up again counts from the start
    QCOMPARE(one.log.withJob(u"practice"_s, u"5"_s)->size(), 2);
    QCOMPARE(one.log.withJob(u"practice"_s, u"5"_s)->first().id, second);
    QCOMPARE(one.log.withJob(u"lumi"_s, u"5"_s)->size(), 0);
    QCOMPARE(one.log.withToken(u"rw-3"_s)->first().id, other);
    QCOMPARE(one.log.newest(u"practice"_s, 10)->size(), 2);
    QCOMPARE(one.log.newest({}, 10)->first().id, other);
    QCOMPARE(one.log.newest({}, 2)->size(), 2);
    QCOMPARE(one.log.unresolved(u"lumi"_s)->size(), 1);
    QCOMPARE(one.log.unresolved(u"practice"_s)->size(), 0);
    QCOMPARE(one.log.unended(u"practice"_s)->size(), 2);
    QVERIFY_RESULT(one.log.noteState(first, JobState::Failed, u"It failed."_s));
    QCOMPARE(one.log.unended(u"practice"_s)->size(), 1);
}

void JobLogTest::isSeenByAnotherProgramAtOnce()
{
    QTemporaryDir folder;
    Log window(folder.path());
    Log twin(folder.path());
    const QString id = window.log.record(submission(u"rw-1"_s))->id;
    QVERIFY_RESULT(twin.log.markSending(id));
    QCOMPARE(window.log.find(id)->stage, EntryStage::Sending);
}

void JobLogTest::aDiskThatCannotBeWrittenKeepsNobodyFromReading()
{
    QTemporaryDir folder;
    {
        Log one(folder.path());
        const QString id = one.log.record(submission(u"rw-1"_s))->id;
        QVERIFY_RESULT(one.log.markSending(id));
        QVERIFY_RESULT(one.log.markKnown(id, u"17"_s));
    }
    const QByteArray before = bytesOf(folder.filePath(u"rankwright.db"_s));
    rlimit usual{};
    getrlimit(RLIMIT_FSIZE, &usual);
    const auto lift = qScopeGuard([&usual] { setrlimit(RLIMIT_FSIZE, &usual); });
    const auto old = signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, usual.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    auto database = Database::openOrCopy(folder.path());
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, old);
    QVERIFY_RESULT(database);
    QVERIFY((*database)->whyNotKept());
    JobLog log(**database);
    const auto known = log.lastSent(u"practice"_s, u"first"_s);
    QVERIFY_RESULT(known);
    QVERIFY(*known);
    QCOMPARE((*known)->job, u"17"_s);
    // Nothing is sent without a record of it.
    const auto refused = log.record(submission(u"rw-2"_s));
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.contains(u"nothing was sent"_s), qPrintable(refused.error().oneLine()));
    QCOMPARE(bytesOf(folder.filePath(u"rankwright.db"_s)), before);
}

void JobLogTest::aFolderThatCannotBeMadeIsAnEmptyLog()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(u"file"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto database = Database::openOrCopy(folder.filePath(u"file/below"_s));
    QVERIFY_RESULT(database);
    QVERIFY((*database)->whyNotKept());
    QVERIFY(!*JobLog(**database).lastSent(u"practice"_s, u"first"_s));
}

void JobLogTest::separatesTheDeadFromTheLiving_data()
{
    QTest::addColumn<QString>("mark");
    QTest::addColumn<ProcessLife>("life");
    const QString own = ownProcessMark();
    QTest::newRow("this program") << own << ProcessLife::Running;
    QTest::newRow("same id, another start") << QString(own.section(u'/', 0, 1) + u"/1"_s) << ProcessLife::Gone;
    QTest::newRow("no such process") << QString(own.section(u'/', 0, 0) + u"/4194305/77"_s) << ProcessLife::Gone;
    QTest::newRow("another boot") << u"00000000-0000-0000-0000-000000000000/1/1"_s << ProcessLife::OfAnotherBoot;
    QTest::newRow("nonsense") << u"x"_s << ProcessLife::Gone;
}

void JobLogTest::separatesTheDeadFromTheLiving()
{
    QFETCH(QString, mark);
    QFETCH(ProcessLife, life);
    QCOMPARE(lifeOf(mark), life);
}

RANKWRIGHT_TEST_MAIN(JobLogTest)
#include "tst_joblog.moc"
