// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/sampling/samplingend.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;
using test::FakeProcess;
using test::FakeShell;

namespace {

TelemetryFeed::Target twoNodes(bool oneStep = false)
{
    return {u"7100"_s, {u"n1"_s, u"n2"_s}, GpuVendor::Amd, oneStep, 1000};
}

TelemetryFeed::Patience hasty() { return {120, 200, 300, 10, {20, 10, 80}}; }

QByteArray line(const char* node) { return QByteArray("@rw-gpus ") + node + " 5 0;96;1;2;3;4;5;\n"; }

CommandOutcome outcome(const QByteArray& errors, int status)
{
    CommandOutcome made;
    made.errorOutput = errors;
    made.exitStatus = status;
    return made;
}

} // namespace

/// The feed against a fake cluster, and the sampling script itself on this machine with stubs for srun and the
/// tools.
class TelemetryFeedTest final : public test::Suite {
    Q_OBJECT
private slots:
    void oneChannelWhateverTheNodes();
    void commandNamesWhatIsNeeded();
    void linesBecomeTicks();
    void ranksAndCost();
    void sendsHeartbeats();
    void reportsASilentNodeAndItsReturn();
    void reportsWhyANodeHasNoData();
    void restartsWhenAllAreSilent();
    void takesTurns();
    void restartsAfterALostLink();
    void stopsWhenTryingCannotHelp();
    void waitsForAPendingJob();
    void theEndOfAJobIsNoError();
    void stopEndsTheChannel();
    void mayBeStoppedByItsListener();
    void noiseDoesNotFillTheMemory();
    void endings_data();
    void endings();
};

void TelemetryFeedTest::oneChannelWhateverTheNodes()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    feed.start();
    feed.start();
    QTRY_COMPARE(shell.commands().size(), 1);
    test::quietFor(10);
    QCOMPARE(shell.commands().size(), 1);
    QVERIFY(shell.commands().first().interactive);
    QVERIFY(!shell.commands().first().deadlineSeconds); // a stream
    QCOMPARE(feed.cost().steps, 2);
    TelemetryFeed other(shell, twoNodes(true));
    other.start();
    QCOMPARE(other.cost().steps, 1);
}

void TelemetryFeedTest::commandNamesWhatIsNeeded()
{
    const QString one = samplingCommand(twoNodes(true));
    QVERIFY(one.startsWith(
        u"srun --overlap --jobid=7100 --nodes=2 --ntasks=2 --ntasks-per-node=1 --kill-on-bad-exit=0 bash -c "_s));
    const QString perNode = samplingCommand(twoNodes());
    QVERIFY(perNode.startsWith(u"bash -c "_s));
    QVERIFY(perNode.endsWith(u" n1 n2"_s));
    for (const QString& command : {one, perNode}) {
        QVERIFY(!command.contains(u"--gres=none"_s)); // it would hide the GPUs
        QVERIFY(!command.contains(u"mktemp"_s) && !command.contains(u"/tmp"_s)); // no files on the cluster
    }
}

void TelemetryFeedTest::linesBecomeTicks()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy ticks(&feed, &TelemetryFeed::tickArrived);
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    const QByteArray bytes = "Lmod has detected ...\n" + line("n1") + "0: " + line("n2").replace("\n", "\r\n");
    for (const char byte : bytes) // cut anywhere
        shell.newest()->say(QByteArray(1, byte));
    QCOMPARE(ticks.size(), 2);
    QCOMPARE(ticks.at(1).first().value<NodeTick>().node, u"n2"_s);
    QCOMPARE(feed.cost().ticks, qint64(2));
    QCOMPARE(feed.cost().bytes, qint64(bytes.size()));
    QVERIFY(trouble.isEmpty());
}

void TelemetryFeedTest::ranksAndCost()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    feed.setPatience(hasty());
    QSignalSpy reported(&feed, &TelemetryFeed::processesArrived);
    QVERIFY(!feed.cost().cpuSeconds);
    feed.start();
    shell.newest()->say(line("n1") + "@rw-ranks n1 5 8;;;2;|1;0;;;;;;;;;;\n@rw-cost n1 6 1.5;\n@rw-cost n2 6 0.5;\n");
    QVERIFY(reported.isEmpty()); // the second line of the moment is missing
    shell.newest()->say("@rw-ranks n1 5 8;;;2;|2;1;;;;;;;;;;\n");
    QCOMPARE(reported.size(), 1);
    QCOMPARE(reported.first().first().value<NodeProcesses>().ranks.size(), 2);
    QCOMPARE(feed.cost().cpuSeconds, std::optional<double>(2.0));
    shell.newest()->say("@rw-cost n1 36 2.5;\n"); // so far, not since the line before
    QCOMPARE(feed.cost().cpuSeconds, std::optional<double>(3.0));
    shell.newest()->end(1);
    QTRY_VERIFY(shell.commands().size() >= 2);
    test::quietFor(5);
    shell.newest()->say("@rw-cost n1 40 0.25;\n"); // a new sampler counts from 0
    QCOMPARE(feed.cost().cpuSeconds, std::optional<double>(3.25));
    QVERIFY(feed.cost().runningMs > 0);
    feed.stop();
    const auto after = feed.cost();
    test::quietFor(5);
    QVERIFY(feed.cost() == after);
}

void TelemetryFeedTest::sendsHeartbeats()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    QCOMPARE(TelemetryFeed::Patience().pace.heartbeatMs, 3000); // the lease of the script is 10 s
    TelemetryFeed::Patience patience = hasty();
    patience.nodeSilentMs = patience.allSilentMs = patience.firstLineMs = test::longWaitMs;
    feed.setPatience(patience);
    feed.start();
    QTRY_VERIFY(shell.newest()->input().size() >= 4);
    QVERIFY(shell.newest()->input().startsWith("h\nh\n"));
}

void TelemetryFeedTest::reportsASilentNodeAndItsReturn()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    // A machine that stands still must not make n1 look silent as well.
    TelemetryFeed::Patience patience = hasty();
    patience.nodeSilentMs = 3000;
    patience.allSilentMs = patience.firstLineMs = test::longWaitMs;
    feed.setPatience(patience);
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    QTimer speaking;
    connect(&speaking, &QTimer::timeout, this, [&shell] { shell.newest()->say(line("n1")); });
    speaking.start(20);
    QTRY_COMPARE(trouble.size(), 1);
    const auto why = trouble.first().first().value<std::optional<Error>>().value();
    QVERIFY(why.what.startsWith(u"n2 has sent nothing"_s));
    QVERIFY(!why.what.contains(u"n1"_s));
    test::quietFor(100);
    QCOMPARE(trouble.size(), 1); // reported once
    shell.newest()->say(line("n2"));
    QTRY_COMPARE(trouble.size(), 2);
    QVERIFY(!trouble.at(1).first().value<std::optional<Error>>());
    QCOMPARE(shell.commands().size(), 1); // no restart for one node
}

void TelemetryFeedTest::reportsWhyANodeHasNoData()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    shell.newest()->say(
        line("n1") + "@rw-silence n2 5 ERROR:root:Driver not initialized (amdgpu not found in modules)\n");
    QCOMPARE(trouble.size(), 1);
    QVERIFY(trouble.first().first().value<std::optional<Error>>()->what.contains(
        u"n2 sends no GPU data: ERROR:root:Driver not initialized"_s));
}

void TelemetryFeedTest::restartsWhenAllAreSilent()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.output = line("n1") + line("n2"), .staysOpen = true});
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    feed.setPatience(hasty());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    QTRY_VERIFY(shell.commands().size() >= 2);
    QCOMPARE(shell.running().size(), 1); // the old channel is gone
    QVERIFY(!trouble.isEmpty());
    shell.newest()->say(line("n1") + line("n2"));
    QTRY_VERIFY(!trouble.last().first().value<std::optional<Error>>());
}

/// A server with too few sessions: the feed made room for another command. It goes on at once, says why there are gaps,
/// and does not blame the nodes meanwhile.
void TelemetryFeedTest::takesTurns()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    for (int turn = 1; turn <= 3; ++turn) {
        QTRY_COMPARE(shell.commands().size(), turn);
        test::quietFor(5);
        shell.newest()->say(line("n1") + line("n2"));
        shell.newest()->fail({Fault::Cancelled, u"One at a time."_s, {}, {}});
    }
    QCOMPARE(shell.commands().size(), 4); // without the back-off
    QVERIFY(feed.isRunning());
    QCOMPARE(feed.cost().steps, 8); // one for each node
    test::quietFor(1200); // the silence of nodes is looked at once a second
    QCOMPARE(trouble.size(), 1);
    QCOMPARE(trouble.first().first().value<std::optional<Error>>()->what, u"One at a time."_s);
}

void TelemetryFeedTest::restartsAfterALostLink()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    test::quietFor(5);
    shell.setState(LinkState::Lost);
    QCOMPARE(trouble.size(), 1);
    QCOMPARE(trouble.first().first().value<std::optional<Error>>()->fault, Fault::Offline);
    QVERIFY(feed.isRunning());
    shell.setState(LinkState::Online);
    QCOMPARE(shell.running().size(), 1); // at once, not after the back-off
    test::quietFor(5);
    shell.newest()->say(line("n1") + line("n2"));
    QVERIFY(!trouble.last().first().value<std::optional<Error>>());
}

void TelemetryFeedTest::stopsWhenTryingCannotHelp()
{
    FakeShell shell;
    shell.expect(
        u"srun"_s, {{}, "srun: error: Unable to create step for job 7100: Access/permission denied\n", 1}, true);
    TelemetryFeed feed(shell, twoNodes());
    feed.setPatience(hasty());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    QTRY_COMPARE(trouble.size(), 1);
    QVERIFY(!trouble.first().first().value<std::optional<Error>>()->remedy.isEmpty());
    test::quietFor(60);
    QCOMPARE(shell.commands().size(), 1);
    QVERIFY(!feed.isRunning());
}

void TelemetryFeedTest::waitsForAPendingJob()
{
    FakeShell shell;
    shell.expect(
        u"srun"_s, {{}, "srun: error: Unable to confirm allocation for job 7100: Job is pending execution\n", 1});
    shell.expect(u"srun"_s, {.output = line("n1"), .staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    feed.setPatience(hasty());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    QSignalSpy ticks(&feed, &TelemetryFeed::tickArrived);
    feed.start();
    QTRY_COMPARE(ticks.size(), 1);
    QVERIFY(trouble.first().first().value<std::optional<Error>>()->what.contains(u"has not started yet"_s));
    QVERIFY(!trouble.last().first().value<std::optional<Error>>());
}

void TelemetryFeedTest::theEndOfAJobIsNoError()
{
    FakeShell shell;
    shell.expect(u"srun"_s,
        {line("n1") + line("n2"),
            "slurmstepd-n1: error: *** STEP 7100.1 ON n1 CANCELLED AT 2026-03-01T10:00:00 ***\nsrun: error: n1: task "
            "0: "
            "Terminated\n",
            143});
    shell.expect(u"srun"_s, {{}, "srun: error: Slurm job 7100 has expired\n", 1});
    TelemetryFeed feed(shell, twoNodes());
    feed.setPatience(hasty());
    QSignalSpy trouble(&feed, &TelemetryFeed::troubleChanged);
    feed.start();
    QTRY_VERIFY(!feed.isRunning());
    QVERIFY(trouble.isEmpty());
    QCOMPARE(shell.outstanding(), 0);
}

void TelemetryFeedTest::stopEndsTheChannel()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true}, true);
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy ticks(&feed, &TelemetryFeed::tickArrived);
    feed.start();
    QPointer<FakeProcess> process = shell.newest();
    feed.stop();
    QVERIFY(process->isInputClosed()); // end of file ends the remote loop
    process->say(line("n1"));
    QTRY_VERIFY(process.isNull());
    QVERIFY(ticks.isEmpty());
    {
        TelemetryFeed brief(shell, twoNodes());
        brief.start();
        process = shell.newest();
    }
    QVERIFY(process.isNull());
}

void TelemetryFeedTest::mayBeStoppedByItsListener()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.output = line("n1") + line("n2"), .staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    int ticks = 0;
    connect(&feed, &TelemetryFeed::tickArrived, this, [&feed, &ticks] {
        ++ticks;
        feed.stop();
    });
    feed.start();
    QTRY_VERIFY(shell.running().isEmpty());
    QCOMPARE(ticks, 1);
}

void TelemetryFeedTest::noiseDoesNotFillTheMemory()
{
    FakeShell shell;
    shell.expect(u"srun"_s, {.staysOpen = true});
    TelemetryFeed feed(shell, twoNodes());
    QSignalSpy ticks(&feed, &TelemetryFeed::tickArrived);
    feed.start();
    for (int i = 0; i < 100; ++i)
        shell.newest()->say(QByteArray(100000, 'x'));
    shell.newest()->say("\n" + line("n1"));
    QCOMPARE(ticks.size(), 1);
}

void TelemetryFeedTest::endings_data()
{
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("hadData");
    QTest::addColumn<int>("next");
    QTest::addColumn<bool>("speaks");
    using Next = SamplingEnd::Next;
    const auto row = [](const char* name, const char* errors, int status, bool hadData, Next next, bool speaks) {
        QTest::newRow(name) << QByteArray(errors) << status << hadData << int(next) << speaks;
    };
    // texts of srun 22.05
    row("pending", "srun: error: Unable to confirm allocation for job 10: Job is pending execution\n", 1, false,
        Next::RetryLater, true);
    row("over", "srun: error: Slurm job 5 has expired\nsrun: Check SLURM_JOB_ID environment variable.\n", 1, false,
        Next::JobOver, true);
    row("over, watched", "srun: error: Slurm job 5 has expired\n", 1, true, Next::JobOver, false);
    row("unknown", "srun: error: Unable to confirm allocation for job 99: Invalid job id specified\n", 1, false,
        Next::JobOver, true);
    row("foreign", "srun: error: Unable to create step for job 9: Access/permission denied\n", 1, false, Next::Stop,
        true);
    row("nodes", "srun: error: Only allocated 2 nodes asked for 3\n", 1, false, Next::Stop, true);
    row("gres", "srun: error: Unable to create step for job 9: Invalid generic resource (gres) specification\n", 1,
        false, Next::Stop, true);
    row("busy", "srun: Job 9 step creation temporarily disabled, retrying (Requested nodes are busy)\n", 1, false,
        Next::Retry, true);
    row("job ended", "slurmstepd: error: *** STEP 9.1 ON n1 CANCELLED AT 2026-03-01T10:00:00 ***\n", 143, true,
        Next::JobOver, false);
    row("terminated", "srun: error: n1: task 0: Terminated\n", 143, true, Next::JobOver, false);
    row("lease ran out", "", 0, true, Next::Retry, false);
    row("no words", "", 1, true, Next::Retry, true);
    row("no srun", "bash: srun: command not found\n", 127, false, Next::Stop, true);
    row("other", "srun: error: Zero Bytes were transmitted or received\n", 1, false, Next::Retry, true);
}

void TelemetryFeedTest::endings()
{
    QFETCH(QByteArray, errors);
    QFETCH(int, status);
    QFETCH(bool, hadData);
    QFETCH(int, next);
    QFETCH(bool, speaks);
    const SamplingEnd end
        = samplingEnd(outcome(errors, status), u"10"_s, hadData ? SamplesBefore::Some : SamplesBefore::None);
    QCOMPARE(int(end.next), next);
    QCOMPARE(end.error.has_value(), speaks);
    QCOMPARE(end.error && !end.error->remedy.isEmpty(), speaks);
}

RANKWRIGHT_TEST_MAIN(TelemetryFeedTest)
#include "tst_telemetryfeed.moc"
