// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/session/jobrows.h"
#include "app/session/sshsession.h"
#include "app/store/database.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>
#include <QSqlQuery>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

class ClusterSessionTest final : public Suite {
    Q_OBJECT

    struct Bench {
        Bench() : database(openStore(folder.path())), log(*database)
        {
            profile.name = u"practice"_s;
            profile.title = u"Practice"_s;
            auto made = std::make_unique<FakeShell>();
            shell = made.get();
            shell->setState(LinkState::Offline);
            session = std::make_unique<ClusterSession>(profile, std::move(made), log);
            shell->expect(u"sinfo"_s, {}, true);
        }
        void connectNow()
        {
            session->open();
            shell->setState(LinkState::Online);
        }
        QString launched(const QString& token, const JobId& job)
        {
            const QString id = log.record({token, profile.name, u"first"_s, {}, "x", {}})->id;
            const auto marked = log.markKnown(id, job);
            return marked ? id : QString();
        }
        qsizetype queueAsked() const
        {
            qsizetype count = 0;
            for (const QString& line : shell->lines())
                count += line.contains(u"squeue"_s) && !line.contains(u"scontrol"_s) && !line.contains(u"sacct"_s) ? 1
                                                                                                                   : 0;
            return count;
        }
        QTemporaryDir folder;
        ClusterProfile profile;
        std::unique_ptr<Database> database;
        JobLog log;
        FakeShell* shell = nullptr;
        std::unique_ptr<ClusterSession> session;
    };

    static JobRecord record(const JobId& id, JobState state, const QString& token = {})
    {
        JobRecord made;
        made.id = id;
        made.name = u"first"_s;
        made.state = state;
        made.comment = token;
        made.partition = u"small-g"_s;
        return made;
    }
    static Error refusedLogin() { return {Fault::LoginRefused, u"Permission denied."_s, {}, {}}; }

private slots:
    void asksTheQueueWhenConnected();
    void aFirstFailureIsReportedNotRetried();
    void aLostLinkIsTriedAgain();
    void aRefusedLoginIsNotTriedAgain();
    void closingMeansClosed();
    void noPromptOfItsOwnAccord();
    void aSilentControllerIsReportedAndTriedAgain();
    void notesOurJobsInTheLog();
    void aJobThatEndedWhileWeWereAwayIsSettled();

    /// A controller that lost its state gives the id of a job that it forgot to the next one: that one being in the
    /// queue says nothing of ours.
    void aJobWhoseIdWasGivenAgainIsReportedAsLost();

    /// The link goes away with the session, and what still ran over it ends: nobody of the session may hear of it.
    void endsWhileItsLineIsMeasured();
    void aReusedJobIdIsAnotherJob();
    void aSubmissionThatWasGivenUpIsFoundInTheQueue();
    void aWatchedJobIsReportedUntilItEnds();
    void aShorterAnswerLosesNothing();
    void coverageCountsSecondsWithEveryGpu();
    void coverageCountsIntervals_data();

    /// A tick stands for its interval: slower sampling is not a gap.
    void coverageCountsIntervals();
    void rowsJoinQueueAccountingAndLog();
};

void ClusterSessionTest::asksTheQueueWhenConnected()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"7"_s, JobState::Running)), {}}, true);
    QSignalSpy queues(bench.session.get(), &ClusterSession::queueChanged);
    bench.connectNow();
    QTRY_COMPARE(queues.count(), 1);
    QCOMPARE(bench.session->queue().size(), 1);
    QCOMPARE(bench.session->queue().first().id, u"7"_s);
    QCOMPARE(bench.session->link().state, LinkState::Online);
    // Nobody looks and nothing of ours runs: one question, not one per second.
    test::quietFor(1500);
    QCOMPARE(bench.queueAsked(), 1);
}

void ClusterSessionTest::aFirstFailureIsReportedNotRetried()
{
    Bench bench;
    bench.session->open();
    bench.shell->setState(LinkState::Connecting);
    bench.shell->setState(LinkState::Offline, {Fault::Offline, u"No route to host."_s, {}, {}});
    QCOMPARE(bench.session->link().error->what, u"No route to host."_s);
    test::quietFor(1300);
    QCOMPARE(bench.shell->opened(), 1);
}

void ClusterSessionTest::aLostLinkIsTriedAgain()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.connectNow();
    bench.shell->setState(LinkState::Lost, linkLost());
    QVERIFY(!bench.session->link().activity.isEmpty());
    QTRY_COMPARE(bench.shell->opened(), 2);
    bench.shell->setState(LinkState::Online);
    QCOMPARE(bench.session->link().state, LinkState::Online);
    QVERIFY(!bench.session->link().error);
}

void ClusterSessionTest::aRefusedLoginIsNotTriedAgain()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.connectNow();
    bench.shell->setState(LinkState::Lost, refusedLogin());
    test::quietFor(1300);
    QCOMPARE(bench.shell->opened(), 1);
    QCOMPARE(bench.session->link().error->fault, Fault::LoginRefused);
}

void ClusterSessionTest::closingMeansClosed()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.connectNow();
    bench.session->close();
    bench.shell->setState(LinkState::Offline, {Fault::Cancelled, u"Closed."_s, {}, {}});
    test::quietFor(1300);
    QCOMPARE(bench.shell->opened(), 1);
    QVERIFY(!bench.session->link().error);
}

void ClusterSessionTest::noPromptOfItsOwnAccord()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {}, true);
    QSignalSpy prompts(bench.session.get(), &ClusterSession::promptRaised);
    LoginPrompt prompt;
    prompt.id = 5;
    bench.session->open();
    emit bench.shell->promptRaised(prompt);
    QCOMPARE(prompts.count(), 1); // a person asked for this connection
    bench.shell->setState(LinkState::Online);
    bench.shell->setState(LinkState::Lost, linkLost());
    QTRY_COMPARE(bench.shell->opened(), 2);
    prompt.id = 6;
    emit bench.shell->promptRaised(prompt);
    QCOMPARE(prompts.count(), 1);
    QCOMPARE(bench.shell->answers().size(), 1);
    QCOMPARE(bench.shell->answers().first(), std::make_pair(quint64(6), false));
    QCOMPARE(bench.shell->closed(), 1);
    QVERIFY(!bench.session->link().error->remedy.isEmpty());
}

void ClusterSessionTest::aSilentControllerIsReportedAndTriedAgain()
{
    Bench bench;
    bench.shell->expect(
        u"squeue"_s, {{}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1});
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"7"_s, JobState::Running)), {}}, true);
    QStringList troubles;
    connect(bench.session.get(), &ClusterSession::queueTroubleChanged, this,
        [&troubles](const std::optional<Error>& why) { troubles.append(why ? why->what : QString()); });
    bench.session->setQueueWanted(true);
    bench.connectNow();
    QTRY_COMPARE(troubles.size(), 1);
    QVERIFY(!troubles.first().isEmpty());
    bench.session->refresh();
    QTRY_COMPARE(troubles.size(), 2);
    QVERIFY(troubles.last().isEmpty());
    QCOMPARE(bench.session->link().state, LinkState::Online);
}

void ClusterSessionTest::notesOurJobsInTheLog()
{
    Bench bench;
    const QString token = u"rw-00000000000000bb"_s;
    const QString id = bench.launched(token, u"9"_s);
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"9"_s, JobState::Running, token)), {}});
    QSignalSpy ended(bench.session.get(), &ClusterSession::ourJobEnded);
    bench.connectNow();
    QTRY_COMPARE(bench.log.find(id)->state, JobState::Running);
    bench.shell->expect(u"scontrol"_s, {jobPage(record(u"9"_s, JobState::Completed, token)), {}}, true);
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"9"_s, JobState::Completed, token)), {}}, true);
    bench.session->refresh();
    QTRY_COMPARE(ended.count(), 1);
    QCOMPARE(bench.log.find(id)->state, JobState::Completed);
    QVERIFY(!bench.log.find(id)->outcome.isEmpty());
    bench.session->refresh();
    test::quietFor(200);
    QCOMPARE(ended.count(), 1); // reported once
}

void ClusterSessionTest::aJobThatEndedWhileWeWereAwayIsSettled()
{
    Bench bench;
    const QString token = u"rw-00000000000000bc"_s;
    const QString id = bench.launched(token, u"3"_s);
    bench.shell->expect(u"scontrol"_s, {jobPage(record(u"3"_s, JobState::Failed, token)), {}}, true);
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.connectNow();
    QTRY_COMPARE(bench.log.find(id)->state, JobState::Failed);
}

void ClusterSessionTest::aJobWhoseIdWasGivenAgainIsReportedAsLost()
{
    Bench bench;
    const QString id = bench.launched(u"rw-00000000000000ba"_s, u"3"_s);
    QVERIFY(bench.database->run(
        u"UPDATE entries SET created=? WHERE id=?"_s, {QDateTime::currentMSecsSinceEpoch() - 60'000, id}));
    const QString next = u"rw-00000000000000bb"_s;
    const QString nextId = bench.launched(next, u"3"_s);
    bench.shell->expect(u"scontrol"_s, {jobPage(record(u"3"_s, JobState::Running, next)), {}}, true);
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"3"_s, JobState::Running, next)), {}}, true);
    bench.connectNow();
    QTRY_VERIFY(bench.log.find(id)->outcome.contains(u"does not know"_s));
    QCOMPARE(bench.log.find(id)->state, JobState::Unknown);
    QTRY_COMPARE(bench.log.find(nextId)->state, JobState::Running);
}

void ClusterSessionTest::endsWhileItsLineIsMeasured()
{
    Bench bench;
    bench.shell->expect(u"/dev/urandom"_s, {.staysOpen = true}, true);
    measureLine(*bench.session);
    QSignalSpy changed(bench.session.get(), &ClusterSession::linkChanged);
    bench.connectNow();
    QTRY_VERIFY(!bench.shell->running().isEmpty());
    const qsizetype before = changed.count();
    bench.session.reset();
    QCOMPARE(changed.count(), before);
}

void ClusterSessionTest::aReusedJobIdIsAnotherJob()
{
    Bench bench;
    const QString id = bench.launched(u"rw-00000000000000bd"_s, u"3"_s);
    bench.shell->expect(u"scontrol"_s, {jobPage(record(u"3"_s, JobState::Failed, u"rw-00000000000000ee"_s)), {}}, true);
    bench.shell->expect(u"squeue"_s, {}, true);
    bench.connectNow();
    test::quietFor(300);
    QCOMPARE(bench.log.find(id)->state, JobState::Unknown);
}

void ClusterSessionTest::aSubmissionThatWasGivenUpIsFoundInTheQueue()
{
    Bench bench;
    const QString token = u"rw-00000000000000bf"_s;
    const QString id = bench.log.record({token, u"practice"_s, {}, {}, "x", {}})->id;
    QVERIFY_RESULT(bench.log.markSending(id));
    QVERIFY_RESULT(bench.log.markAbsent(id, u"not found"_s));
    bench.shell->expect(u"squeue"_s, {squeueRecord(record(u"12"_s, JobState::Pending, token)), {}}, true);
    bench.connectNow();
    QTRY_COMPARE(bench.log.find(id)->stage, EntryStage::Known);
    QCOMPARE(bench.log.find(id)->job, u"12"_s);
}

void ClusterSessionTest::aWatchedJobIsReportedUntilItEnds()
{
    Bench bench;
    bench.shell->expect(u"squeue"_s, {jobPage(record(u"4"_s, JobState::Pending)), {}});
    bench.shell->expect(u"squeue"_s, {jobPage(record(u"4"_s, JobState::Cancelled)), {}}, true);
    bench.session->open();
    JobWatch& watch = bench.session->watch(u"4"_s);
    QVERIFY(watch.isEager());
    QSignalSpy over(&watch, &JobWatch::jobEnded);
    bench.shell->setState(LinkState::Online);
    QTRY_COMPARE(over.count(), 1);
    QCOMPARE(watch.record().state, JobState::Cancelled);
    QVERIFY(watch.isOver());
    QVERIFY(!watch.isEager());
}

void ClusterSessionTest::aShorterAnswerLosesNothing()
{
    JobRecord known = record(u"4"_s, JobState::Running, u"rw-1"_s);
    known.nodeList = {u"n1"_s, u"n2"_s};
    known.standardOutput = u"/home/slurm-4.out"_s;
    known.gpus = 8;
    const JobRecord merged = mergedRecord(known, record(u"4"_s, JobState::Completed));
    QCOMPARE(merged.state, JobState::Completed);
    QCOMPARE(merged.nodeList, known.nodeList);
    QCOMPARE(merged.standardOutput, known.standardOutput);
    QCOMPARE(merged.gpus, known.gpus);
    QCOMPARE(merged.comment, known.comment);
}

void ClusterSessionTest::coverageCountsSecondsWithEveryGpu()
{
    CoverageMeter meter;
    QVERIFY(!meter.share(0, 10000));
    meter.expect(2, 2);
    const auto tick = [](const QString& node, qint64 second, int gpus) {
        NodeTick made{node, second * 1000 + 300, {}};
        for (int i = 0; i < gpus; ++i)
            made.gpus.append(GpuSample{i, {}, {}, {}, {}, {}, {}, {}, false});
        return made;
    };
    for (qint64 second = 100; second < 110; ++second) {
        meter.add(tick(u"a"_s, second, 2), 0);
        if (second != 103) // a node that was silent
            meter.add(tick(u"b"_s, second, second == 105 ? 1 : 2), 0); // a GPU that was silent
    }
    QCOMPARE(*meter.share(100000, 110000), 0.8);
    QCOMPARE(*meter.share(100900, 110900), 0.8); // whole seconds
    QCOMPARE(*meter.share(90000, 110000), 0.4);
    QCOMPARE(*meter.share(200000, 210000), 0.0);
    QVERIFY(!meter.share(100000, 100000));
}

void ClusterSessionTest::coverageCountsIntervals_data()
{
    QTest::addColumn<int>("intervalMs");
    QTest::addColumn<int>("jitterMs");
    QTest::addColumn<QList<int>>("missing"); // of twenty ticks
    QTest::addColumn<double>("share");
    QTest::newRow("each second") << 1000 << 0 << QList<int>{} << 1.0;
    QTest::newRow("each second, late by a little") << 1000 << 60 << QList<int>{} << 1.0;
    QTest::newRow("each second, two lost") << 1000 << 0 << QList<int>{5, 11} << 0.9;
    QTest::newRow("each 3 s") << 3000 << 0 << QList<int>{} << 1.0;
    QTest::newRow("each 4 s, late by a little") << 4000 << 90 << QList<int>{} << 1.0;
    QTest::newRow("each 4 s, one lost") << 4000 << 0 << QList<int>{7} << 0.95;
    QTest::newRow("each 3 s, half of them lost") << 3000 << 0 << QList<int>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19} << 0.5;
    QTest::newRow("each 1.5 s") << 1500 << 0 << QList<int>{} << 1.0;
}

void ClusterSessionTest::coverageCountsIntervals()
{
    QFETCH(int, intervalMs);
    QFETCH(int, jitterMs);
    QFETCH(QList<int>, missing);
    CoverageMeter meter;
    meter.expect(2, 1, intervalMs);
    constexpr qint64 begin = 500'000;
    for (int i = 0; i < 20; ++i) {
        if (missing.contains(i))
            continue;
        const qint64 ms = begin + 200 + i * qint64(intervalMs) + (i % 3) * jitterMs;
        meter.add({u"a"_s, ms, {GpuSample{}}}, 0);
        meter.add({u"b"_s, ms + 700, {GpuSample{}}}, 0); // another phase
    }
    QFETCH(double, share);
    QCOMPARE(*meter.share(begin, begin + 20LL * intervalMs), share);
}

void ClusterSessionTest::rowsJoinQueueAccountingAndLog()
{
    QTemporaryDir folder;
    const auto database = Database::open(folder.path());
    JobLog log(**database);
    const auto entry = [&log](const QString& token, const JobId& job) {
        const QString id = log.record({token, u"practice"_s, u"mine"_s, {}, "x", {}})->id;
        if (!job.isEmpty() && !log.markKnown(id, job))
            return QString();
        return id;
    };
    const QString running = entry(u"rw-1"_s, u"10"_s);
    const QString forgotten = entry(u"rw-2"_s, u"5"_s);
    const QString lost = entry(u"rw-3"_s, {});
    QVERIFY_RESULT(log.markUnknown(lost, linkLost()));
    const QList<JobRow> rows
        = jobRows(u"practice"_s, {record(u"10"_s, JobState::Running, u"rw-1"_s), record(u"11"_s, JobState::Pending)},
            {record(u"10"_s, JobState::Pending), record(u"9"_s, JobState::Completed)}, *log.newest(u"practice"_s, 100));
    QHash<QString, JobRow> byId;
    for (const JobRow& row : rows)
        byId.insert(row.job.id, row);
    QCOMPARE(rows.size(), 5);
    QCOMPARE(byId[u"10"_s].job.state, JobState::Running);
    QVERIFY(byId[u"10"_s].launchedHere);
    QCOMPARE(byId[u"10"_s].entryId, running);
    QVERIFY(!byId[u"11"_s].launchedHere);
    QCOMPARE(byId[u"5"_s].entryId, forgotten);
    QCOMPARE(byId[u"5"_s].job.state, JobState::Unknown); // not guessed
    QCOMPARE(byId[lost].entryId, lost);
    QVERIFY(byId[lost].note.contains(u"not known"_s));
}

RANKWRIGHT_TEST_MAIN(ClusterSessionTest)
#include "tst_clustersession.moc"
