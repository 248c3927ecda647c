// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/queuepoller.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QElapsedTimer>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// How often the queue is asked for, and whose answers count.
class QueuePollerTest final : public Suite {
    Q_OBJECT

    static constexpr int neverMs = 1000000; // longer than any test of this takes
    struct Bench {
        Bench()
        {
            shell.setState(LinkState::Offline);
            poller.setTiming({.idleMs = neverMs, .activeMs = 200, .eagerMs = 50});
        }
        void answer(const JobRecord& job) { shell.expect(u"squeue"_s, {squeueRecord(job), {}}, true); }
        qsizetype asked() const { return shell.commands().size(); }
        FakeShell shell;
        SlurmClient client{shell};
        QueuePoller poller{shell, client};
    };
    static JobRecord record(const JobId& id, JobState state)
    {
        JobRecord made;
        made.id = id;
        made.name = u"first"_s;
        made.state = state;
        made.partition = u"small-g"_s;
        return made;
    }

private slots:
    void asksOnceConnectedThenSeldom();
    void paceAndPage_data();
    void paceAndPage();

    /// Nobody sees the window: seldom, and at once when it comes back.
    void hiddenWindowsAskSeldom();
    void withNobodyToSeeItNothingIsAsked();
    void hiddenAPageThatOpensAsksNothing();
    void hiddenAnAwaitedJobIsAskedForMoreOften();
    void aPageThatOpensSeesAFreshQueue();
    void oneQuestionAtATime();
    void troubleIsReportedAndTriedAgain();
    void answersOfAnOlderConnectionAreDropped();
    void aPageFillsTheHolesOfTheTable();
    void namesAreAskedForOncePerConnection();
};

void QueuePollerTest::asksOnceConnectedThenSeldom()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    QSignalSpy queues(&bench.poller, &QueuePoller::queueChanged);
    bench.poller.refresh();
    QCOMPARE(bench.asked(), 0); // not connected
    bench.shell.setState(LinkState::Online);
    QTRY_COMPARE(queues.size(), 1);
    QCOMPARE(bench.poller.queue().first().id, u"7"_s);
    QVERIFY(bench.poller.queueTime().isValid());
    test::quietFor(500);
    QCOMPARE(bench.asked(), 1); // nobody looks and nothing of ours runs
}

void QueuePollerTest::paceAndPage_data()
{
    QTest::addColumn<int>("pace");
    QTest::addColumn<bool>("wanted");
    QTest::addColumn<int>("idleMs");
    QTest::addColumn<int>("activeMs");
    QTest::addColumn<int>("eagerMs");
    QTest::addColumn<bool>("goesOn"); // only by the interval that is not "never"
    const auto row = [](const char* name, QueuePoller::Pace pace, bool wanted) -> QTestData& {
        return QTest::newRow(name) << int(pace) << wanted;
    };
    row("idle", QueuePoller::Pace::Idle, false) << 20 << neverMs << neverMs << true;
    row("idle is not active", QueuePoller::Pace::Idle, false) << neverMs << 20 << 20 << false;
    row("a page shows it", QueuePoller::Pace::Idle, true) << neverMs << 20 << neverMs << true;
    row("a job of ours", QueuePoller::Pace::Active, false) << neverMs << 20 << neverMs << true;
    row("a job of ours is not eager", QueuePoller::Pace::Active, false) << 20 << neverMs << 20 << false;
    row("a watched one waits", QueuePoller::Pace::Awaiting, false) << neverMs << 20 << neverMs << true;
    row("may start each second", QueuePoller::Pace::Eager, true) << neverMs << neverMs << 20 << true;
}

void QueuePollerTest::paceAndPage()
{
    QFETCH(int, pace);
    QFETCH(bool, wanted);
    QFETCH(int, idleMs);
    QFETCH(int, activeMs);
    QFETCH(int, eagerMs);
    QFETCH(bool, goesOn);
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    bench.poller.setTiming({.idleMs = idleMs, .activeMs = activeMs, .eagerMs = eagerMs});
    bench.poller.setPace(QueuePoller::Pace(pace));
    bench.poller.setWanted(wanted);
    bench.shell.setState(LinkState::Online);
    QTRY_VERIFY(bench.asked() >= 1);
    if (goesOn) {
        QTRY_VERIFY(bench.asked() >= 5);
    } else {
        test::quietFor(300);
        QCOMPARE(bench.asked(), 1);
    }
}

void QueuePollerTest::hiddenWindowsAskSeldom()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    bench.poller.setPace(QueuePoller::Pace::Eager);
    bench.poller.setWanted(true);
    bench.poller.setSight(QueuePoller::Sight::Tray);
    bench.shell.setState(LinkState::Online);
    test::quietFor(700);
    QCOMPARE(bench.asked(), 1); // on connecting
    bench.poller.setSight(QueuePoller::Sight::Window);
    QCOMPARE(bench.asked(), 2);
    QTRY_VERIFY(bench.asked() >= 4);
}

void QueuePollerTest::withNobodyToSeeItNothingIsAsked()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    bench.poller.setTiming(
        {.idleMs = neverMs, .activeMs = -1, .eagerMs = 20, .unseenAwaitingMs = 20, .unseenMs = 20, .unseenIdleMs = 20});
    bench.poller.setSight(QueuePoller::Sight::Unseen);
    bench.shell.setState(LinkState::Online);
    QTRY_VERIFY(bench.poller.queueTime().isValid());
    test::quietFor(300);
    QCOMPARE(bench.asked(), 1); // on connecting: is a job of ours there?
    bench.poller.setSight(QueuePoller::Sight::Window);
    QCOMPARE(bench.asked(), 2); // at once
    QSignalSpy queues(&bench.poller, &QueuePoller::queueChanged);
    QTRY_COMPARE(queues.size(), 1);
    bench.poller.setSight(QueuePoller::Sight::Unseen);
    bench.poller.setPace(QueuePoller::Pace::Active); // one of ours is there: its end is reported
    QTRY_VERIFY(bench.asked() >= 4);
    bench.poller.setPace(QueuePoller::Pace::Idle);
    bench.poller.setSight(QueuePoller::Sight::Tray); // its menu shows the queue
    const qsizetype before = bench.asked();
    QTRY_VERIFY(bench.asked() >= before + 2);
}

void QueuePollerTest::hiddenAPageThatOpensAsksNothing()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    bench.poller.setTiming(
        {.idleMs = neverMs, .activeMs = 200, .eagerMs = 50, .unseenMs = 400, .unseenIdleMs = neverMs});
    bench.poller.setSight(QueuePoller::Sight::Tray);
    bench.shell.setState(LinkState::Online);
    QTRY_VERIFY(bench.poller.queueTime().isValid());
    test::quietFor(300);
    bench.poller.setWanted(true);
    QCOMPARE(bench.asked(), 1);
    bench.poller.setPace(QueuePoller::Pace::Active); // a job of ours: more often than with none
    bench.poller.setWanted(false);
    QTRY_VERIFY(bench.asked() >= 2);
}

/// Also after the first moments of waiting: else the first minute of the job is not recorded.
void QueuePollerTest::hiddenAnAwaitedJobIsAskedForMoreOften()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Pending));
    bench.poller.setTiming(
        {.idleMs = neverMs, .activeMs = neverMs, .eagerMs = neverMs, .unseenAwaitingMs = 50, .unseenMs = neverMs});
    bench.poller.setPace(QueuePoller::Pace::Awaiting);
    bench.poller.setSight(QueuePoller::Sight::Unseen);
    bench.shell.setState(LinkState::Online);
    QTRY_VERIFY(bench.asked() >= 4);
}

void QueuePollerTest::aPageThatOpensSeesAFreshQueue()
{
    Bench bench;
    bench.answer(record(u"7"_s, JobState::Running));
    bench.shell.setState(LinkState::Online);
    test::quietFor(400); // longer than the queue of a page may be old
    QCOMPARE(bench.asked(), 1);
    bench.poller.setWanted(true);
    QCOMPARE(bench.asked(), 2);
}

void QueuePollerTest::oneQuestionAtATime()
{
    Bench bench;
    bench.shell.expect(u"squeue"_s, {.staysOpen = true}, true);
    bench.shell.setState(LinkState::Online);
    bench.poller.refresh();
    bench.poller.refresh();
    QCOMPARE(bench.asked(), 1);
}

void QueuePollerTest::troubleIsReportedAndTriedAgain()
{
    Bench bench;
    bench.shell.expect(
        u"squeue"_s, {{}, "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", 1});
    bench.answer(record(u"7"_s, JobState::Running));
    QList<bool> troubles;
    QElapsedTimer since;
    since.start();
    qint64 triedAgainMs = 0;
    connect(&bench.poller, &QueuePoller::troubleChanged, this,
        [&troubles, &since, &triedAgainMs](const std::optional<Error>& why) {
            troubles.append(why.has_value());
            triedAgainMs = since.elapsed();
        });
    bench.poller.setPace(QueuePoller::Pace::Eager);
    bench.shell.setState(LinkState::Online);
    QTRY_COMPARE(troubles.size(), 2);
    QVERIFY2(triedAgainMs >= 900, qPrintable(QString::number(triedAgainMs))); // at first after a second
    QCOMPARE(troubles, QList<bool>({true, false}));
}

void QueuePollerTest::answersOfAnOlderConnectionAreDropped()
{
    Bench bench;
    bench.shell.expect(u"squeue"_s, {.staysOpen = true});
    bench.answer(record(u"8"_s, JobState::Running));
    bench.shell.setState(LinkState::Online);
    const QPointer<FakeProcess> old = bench.shell.newest();
    bench.shell.setState(LinkState::Connecting); // the link itself says nothing yet
    bench.shell.setState(LinkState::Online);
    QVERIFY(!old); // cancelled
    QTRY_COMPARE(bench.poller.queue().size(), 1);
    QCOMPARE(bench.poller.queue().first().id, u"8"_s);
}

void QueuePollerTest::aPageFillsTheHolesOfTheTable()
{
    Bench bench;
    JobRecord page = record(u"7"_s, JobState::Running);
    page.workdir = u"/scratch/run"_s;
    bench.shell.expect(u"scontrol"_s, {jobPage(page), {}}, true);
    bench.answer(record(u"7"_s, JobState::Running));
    QSignalSpy pages(&bench.poller, &QueuePoller::pageArrived);
    QSignalSpy queues(&bench.poller, &QueuePoller::queueChanged);
    bench.shell.setState(LinkState::Online);
    QTRY_COMPARE(queues.size(), 1);
    bench.poller.askPage(u"7"_s);
    QTRY_COMPARE(pages.size(), 1);
    QCOMPARE(pages.first().first().toString(), u"7"_s);
    bench.poller.refresh();
    QTRY_COMPARE(queues.size(), 2);
    QCOMPARE(bench.poller.queue().first().workdir, u"/scratch/run"_s);
}

void QueuePollerTest::namesAreAskedForOncePerConnection()
{
    Bench bench;
    bench.shell.expect({}, {}, true);
    bench.poller.learnNames();
    QCOMPARE(bench.asked(), 0);
    bench.shell.setState(LinkState::Online);
    QCOMPARE(bench.asked(), 1); // the queue
    bench.poller.learnNames();
    bench.poller.learnNames();
    QCOMPARE(bench.asked(), 2);
    bench.shell.setState(LinkState::Lost, linkLost());
    bench.shell.setState(LinkState::Online);
    bench.poller.learnNames();
    QCOMPARE(bench.asked(), 4);
}

RANKWRIGHT_TEST_MAIN(QueuePollerTest)
#include "tst_queuepoller.moc"
