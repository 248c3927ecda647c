// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/jobwatch.h"
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/fakeshell.h"
#include "tests/support/memoryhistory.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobRecord recordOf(JobState state, const QStringList& nodes, int startedSecond)
{
    JobRecord record;
    record.id = u"7"_s;
    record.state = state;
    record.partition = u"small-g"_s;
    record.nodes = 2;
    record.gpus = 4;
    record.nodeList = nodes;
    if (startedSecond >= 0)
        record.started = QDateTime(QDate(2026, 3, 1), QTime(8, 0), Qt::UTC).addSecs(startedSecond);
    return record;
}

/// The sampling commands in flight.
QList<test::FakeProcess*> sampling(const test::FakeShell& shell)
{
    QList<test::FakeProcess*> found;
    for (test::FakeProcess* process : shell.running()) {
        if (process->command().line.contains(u"srun"_s))
            found.append(process);
    }
    return found;
}

} // namespace

/// A watched job whose nodes change under it.
class JobWatchTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void requeuedJobIsWatchedAnew();
    void startMissedBetweenTwoQuestions();
    void shrunkJobIsSampledOnWhatIsLeft();
    void completingKeepsTheNodes();
    void troubleComesAndGoesBySource();
    void joinsWithWhatWasRecorded();
    void onlyTheEndMakesAFailure_data();
    void onlyTheEndMakesAFailure();
    void samplesComeBeforeTheOutput();
    void aSlowLineBringsSamplesFirst();
    void theOutputWaitsForTheLinesRate();
    void aSlowLineBringsTheEndOfAnEndedJob();

private:
    /// A fresh watch of a running job with an output file.
    void watchWithOutput(const LineRate& line);
    int following() const { return int(m_shell->lines().filter(u"run.out"_s).filter(u"@rw-following"_s).size()); }

    QStringList samplings() const { return m_shell->lines().filter(u"srun"_s); } ///< commands, oldest first
    ClusterProfile m_profile; ///< of a site that wants one step for each node: they are named then
    std::unique_ptr<test::FakeShell> m_shell;
    std::unique_ptr<JobWatch> m_watch;
};

void JobWatchTest::init()
{
    m_watch.reset();
    m_shell = std::make_unique<test::FakeShell>();
    m_profile = *loadCatalogue({}).find(u"practice"_s);
    m_profile.launch.monitorAllNodesInOneStep = false;
    m_shell->expect({}, {.staysOpen = true}, true);
    m_watch = std::make_unique<JobWatch>(*m_shell, m_profile, u"7"_s);
    m_watch->update(recordOf(JobState::Running, {u"nid9001"_s, u"nid9002"_s}, 0));
    QCOMPARE(sampling(*m_shell).size(), 1);
}

/// F10: who joins a recorded job has seen what the recording has.
void JobWatchTest::joinsWithWhatWasRecorded()
{
    const qint64 started = recordOf(JobState::Running, {}, 0).started.toMSecsSinceEpoch();
    constexpr int seconds = 600;
    MemoryHistory history({u"nid9001"_s, u"nid9002"_s}, 2);
    for (int second = 0; second < seconds; ++second) {
        for (const QString& node : history.nodes()) {
            NodeTick tick;
            tick.node = node;
            tick.takenMs = started + second * 1000LL;
            tick.gpus = {GpuSample(), GpuSample()};
            tick.gpus[1].index = 1;
            history.store(tick);
        }
    }
    const qint64 now = started + seconds * 1000LL;
    QVERIFY(m_watch->coverage(now).value_or(0) < 0.01);
    m_watch->addPast(history, {}, {});
    QVERIFY(m_watch->coverage(now).value_or(0) > 0.98);
}

void JobWatchTest::requeuedJobIsWatchedAnew()
{
    QSignalSpy ticks(m_watch.get(), &JobWatch::tickArrived);
    sampling(*m_shell).first()->say("@rw-gpus nid9001 5 0;96;1;2;3;4;5;\n@rw-gpus nid9002 5 0;96;1;2;3;4;5;\n");
    QCOMPARE(ticks.size(), 2);
    const int steps = m_watch->cost().steps;
    QVERIFY(steps > 0);
    m_watch->update(recordOf(JobState::Pending, {}, -1));
    QTRY_VERIFY(sampling(*m_shell).isEmpty());
    QVERIFY(m_watch->record().nodeList.isEmpty()); // it has none
    QVERIFY(!m_watch->record().started.isValid());
    QCOMPARE(m_watch->record().gpus, std::optional(4)); // what was asked for stands
    QVERIFY(!m_watch->coverage(m_watch->record().submitted.toMSecsSinceEpoch()));
    QCOMPARE(m_watch->cost().steps, steps); // what the first run cost is not forgotten
    QVERIFY(!m_watch->isOver());
    m_watch->update(recordOf(JobState::Running, {u"nid9003"_s, u"nid9004"_s}, 300));
    QCOMPARE(sampling(*m_shell).size(), 1);
    QVERIFY(samplings().last().contains(u"nid9003"_s) && !samplings().last().contains(u"nid9001"_s));
    QVERIFY(m_watch->cost().steps > steps);
    sampling(*m_shell).first()->say("@rw-gpus nid9003 5 0;96;1;2;3;4;5;\n");
    QCOMPARE(ticks.size(), 3);
}

void JobWatchTest::startMissedBetweenTwoQuestions()
{
    m_watch->update(recordOf(JobState::Running, {u"nid9003"_s, u"nid9004"_s}, 300));
    QTRY_VERIFY(samplings().last().contains(u"nid9003"_s) && !samplings().last().contains(u"nid9001"_s));
    QTRY_COMPARE(sampling(*m_shell).size(), 1);
}

void JobWatchTest::shrunkJobIsSampledOnWhatIsLeft()
{
    m_watch->update(recordOf(JobState::Running, {u"nid9001"_s, u"nid9002"_s}, 0));
    const qsizetype before = samplings().size();
    QCOMPARE(before, 1);
    m_watch->update(recordOf(JobState::Running, {u"nid9001"_s}, 0));
    QTRY_VERIFY(!samplings().last().contains(u"nid9002"_s));
    QTRY_COMPARE(sampling(*m_shell).size(), 1);
}

void JobWatchTest::completingKeepsTheNodes()
{
    JobRecord half = recordOf(JobState::Completing, {u"nid9002"_s}, 0);
    half.nodes = 1;
    half.gpus = 2;
    m_watch->update(half);
    QCOMPARE(m_watch->record().gpus, std::optional(4));
    QCOMPARE(m_watch->record().nodeList, QStringList({u"nid9001"_s, u"nid9002"_s}));
    QCOMPARE(samplings().size(), 1);
    m_watch->update(recordOf(JobState::Completed, {}, 0));
    QTRY_VERIFY(sampling(*m_shell).isEmpty());
}

void JobWatchTest::troubleComesAndGoesBySource()
{
    QStringList told;
    connect(
        m_watch.get(), &JobWatch::troubleChanged, this, [&told](TroubleSource source, const std::optional<Error>& why) {
            told.append(toText(source) + u": "_s + (why ? why->what : u"well"_s));
        });
    m_watch->reportMissing({Fault::Invalid, u"Slurm does not know job 7."_s, {}, {}});
    m_watch->update(recordOf(JobState::Running, {u"nid9001"_s, u"nid9002"_s}, 0));
    sampling(*m_shell).first()->sayError("srun: error: Access/permission denied\n");
    sampling(*m_shell).first()->end(1);
    QTRY_COMPARE(told.size(), 3);
    QCOMPARE(told.mid(0, 2), QStringList({u"scheduler: Slurm does not know job 7."_s, u"scheduler: well"_s}));
    QVERIFY(told.at(2).startsWith(u"telemetry: Job 7 belongs to somebody else"_s));
    m_watch->update(recordOf(JobState::Completed, {}, 0));
    QCOMPARE(told.last(), u"telemetry: well"_s);
}

void JobWatchTest::onlyTheEndMakesAFailure_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("kind");
    QTest::newRow("unknown module") << QByteArray("job_script: line 4: module: command not found\n")
                                    << u"missing_module"_s;
    QTest::newRow("port taken") << QByteArray(
        "[E1122 10:00:00.1 socket.cpp:500] [c10d] The server socket has failed to "
        "listen on any local network address.\n")
                                << u"port_in_use"_s;
    QTest::newRow("caught out of memory")
        << QByteArray("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n") << u"oom_gpu"_s;
}

/// The line of a failure in the output of a job that goes on: no failure while it runs, none when it has completed; one
/// when it ended otherwise.
void JobWatchTest::onlyTheEndMakesAFailure()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, kind);
    for (const JobState end : {JobState::Completed, JobState::Failed}) {
        init();
        JobRecord record = recordOf(JobState::Running, {u"nid9001"_s, u"nid9002"_s}, 0);
        record.standardOutput = u"/scratch/out-7.txt"_s;
        m_watch->update(record);
        test::FakeProcess* tail = nullptr;
        for (test::FakeProcess* process : m_shell->running())
            tail = process->command().line.contains(u"out-7.txt"_s) ? process : tail;
        QVERIFY(tail);
        const QByteArray size = QByteArray::number(line.size());
        tail->say("@rw-following\n@rw-bytes 0 0 " + size + ' ' + size + '\n' + line);
        const auto failures = [this] {
            QStringList kinds;
            for (const Alert& alert : m_watch->alerts().all()) {
                if (alert.level == Alert::Level::Failure)
                    kinds.append(alert.kind);
            }
            return kinds;
        };
        QCOMPARE(m_watch->output().diagnoses().size(), 1);
        QVERIFY(!m_watch->output().diagnoses().first().confirmed);
        QVERIFY2(failures().isEmpty(), qPrintable(failures().join(u' ')));
        record.state = end;
        record.ended = record.started.addSecs(60);
        m_watch->update(record);
        QCOMPARE(failures(), end == JobState::Failed ? QStringList{kind} : QStringList());
        QCOMPARE(m_watch->output().diagnoses().size(), end == JobState::Failed ? 1 : 0);
    }
}

void JobWatchTest::watchWithOutput(const LineRate& line)
{
    m_watch.reset();
    m_shell = std::make_unique<test::FakeShell>();
    m_shell->expect({}, {.staysOpen = true}, true);
    m_watch = std::make_unique<JobWatch>(*m_shell, m_profile, u"7"_s);
    m_watch->setLineRate(line);
    JobRecord record = recordOf(JobState::Running, {u"nid9001"_s, u"nid9002"_s}, 0);
    record.standardOutput = u"/scratch/run.out"_s;
    m_watch->update(record);
}

/// A server that allows one session gives it to whoever asks first.
void JobWatchTest::samplesComeBeforeTheOutput()
{
    watchWithOutput({});
    QCOMPARE(following(), 1);
    QVERIFY2(m_shell->lines().first().contains(u"srun"_s), qPrintable(m_shell->lines().first()));
}

void JobWatchTest::aSlowLineBringsSamplesFirst()
{
    watchWithOutput({false, 4096.0});
    QCOMPARE(sampling(*m_shell).size(), 1);
    QCOMPARE(following(), 0);
    QVERIFY(m_watch->plan()->bytesPerSecond <= 4096.0 / 2 || m_watch->plan()->intervalMs >= 4000);
    sampling(*m_shell).first()->say("@rw-gpus nid9001 5 0;96;1;2;3;4;5;\n");
    QCOMPARE(following(), 1);
    QVERIFY(m_shell->lines().filter(u"@rw-following"_s).first().contains(u" 16384 "_s)); // four seconds of the line
}

void JobWatchTest::theOutputWaitsForTheLinesRate()
{
    watchWithOutput({true, {}});
    QCOMPARE(sampling(*m_shell).size(), 1);
    QCOMPARE(following(), 0);
    m_watch->setLineRate({false, 1e6});
    QCOMPARE(following(), 1);
    watchWithOutput({true, {}});
    m_watch->setLineRate({false, {}}); // it could not be measured
    QCOMPARE(following(), 1);
}

/// The output of a job that has ended was read in full over any line.
void JobWatchTest::aSlowLineBringsTheEndOfAnEndedJob()
{
    m_watch.reset();
    m_shell = std::make_unique<test::FakeShell>();
    m_shell->expect({}, {.staysOpen = true}, true);
    m_watch = std::make_unique<JobWatch>(*m_shell, m_profile, u"7"_s);
    m_watch->setLineRate({false, 4096.0});
    JobRecord record = recordOf(JobState::Completed, {u"nid9001"_s}, 0);
    record.standardOutput = u"/scratch/run.out"_s;
    m_watch->update(record);
    QCOMPARE(following(), 1);
    QVERIFY(m_shell->lines().filter(u"@rw-following"_s).first().contains(u" 16384 "_s));
}

RANKWRIGHT_TEST_MAIN(JobWatchTest)
#include "tst_jobwatch.moc"
