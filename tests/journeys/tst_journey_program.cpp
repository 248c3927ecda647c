// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/practicebench.h"

#include <QProcess>
#include <QSignalSpy>

#include <csignal>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Our own program is killed (SIGKILL) at each moment: afterwards the log is put right by the next connection, and
/// nothing of ours stays on the cluster.
class JourneyProgramTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void killedWhileSubmitting_data();
    void killedWhileSubmitting();
    void killedWhileItRuns();

private:
    QString designPath(int seconds)
    {
        const QString path = m_bench.dataFolder() + u"/design.json"_s;
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(m_bench.designFile(seconds)) <= 0)
            qFatal("the design could not be written");
        return path;
    }

    void start(QProcess& program, const QStringList& words)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"RANKWRIGHT_DATA_DIR"_s, m_bench.dataFolder());
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(RANKWRIGHT_CLI), words);
        QVERIFY(program.waitForStarted());
    }

    void verifyAfterRestart()
    {
        m_bench.reopenLog();
        const auto session = m_bench.session();
        session->open();
        QVERIFY(waitUntil([&] { return session->isOnline(); }));
        QVERIFY(waitUntil([&] { return m_bench.log().unresolved(u"practice"_s)->isEmpty(); }));
        const auto entries = m_bench.log().newest({}, 10);
        QVERIFY_RESULT(entries);
        QVERIFY(entries->size() <= 1);
        if (entries->isEmpty()) {
            QVERIFY(m_bench.remote(u"squeue -h -u \"$(id -un)\""_s).trimmed().isEmpty());
            return;
        }
        const JobLogEntry& entry = entries->first();
        const QStringList jobs = m_bench.jobsWith(entry.token);
        qInfo("log: %s %s, jobs: %s", qPrintable(toText(entry.stage)), qPrintable(entry.job),
            qPrintable(jobs.join(u' ')));
        QVERIFY2(jobs.size() <= 1, qPrintable(jobs.join(u' ')));
        QCOMPARE(entry.stage == EntryStage::Known, jobs.size() == 1);
        if (!jobs.isEmpty())
            QCOMPARE(entry.job, jobs.first());
        else
            QVERIFY(entry.outcome.startsWith(u"Not submitted"_s));
    }

    PracticeBench m_bench;
};

void JourneyProgramTest::initTestCase()
{
    const QString missing = m_bench.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyProgramTest::cleanup()
{
    m_bench.cancelAll();
    m_bench.freshLog();
}

void JourneyProgramTest::killedWhileSubmitting_data()
{
    QTest::addColumn<QString>("moment");
    QTest::addColumn<int>("afterMs");
    QTest::newRow("while rehearsing") << u"rehearsing"_s << 0;
    QTest::newRow("once logged") << u"logged"_s << 0;
    for (const int ms : {5, 15, 30, 50, 80})
        QTest::addRow("%d ms after sending", ms) << u"sending"_s << ms;
}

void JourneyProgramTest::killedWhileSubmitting()
{
    QFETCH(QString, moment);
    QFETCH(int, afterMs);
    QProcess program;
    start(program, {u"submit"_s, designPath(20), u"--wait"_s});
    QByteArray reported;
    const auto reached = [&] {
        reported += program.readAllStandardError();
        if (moment == u"rehearsing"_s)
            return reported.contains("without queueing");
        const auto entries = m_bench.log().newest({}, 1);
        return entries && !entries->isEmpty()
            && (moment == u"logged"_s || entries->first().stage != EntryStage::Recorded);
    };
    for (int waited = 0; !reached() && waited < longWaitMs; ++waited)
        program.waitForReadyRead(1); // the moments are some milliseconds apart
    QVERIFY2(reached(), qPrintable(QString::fromUtf8(reported) + u'\n' + m_bench.nodeStates()));
    if (afterMs > 0)
        QThread::msleep(quint64(afterMs));
    ::kill(pid_t(program.processId()), SIGKILL);
    QVERIFY(program.waitForFinished(longWaitMs));
    verifyAfterRestart();
}

void JourneyProgramTest::killedWhileItRuns()
{
    QProcess program;
    start(program, {u"submit"_s, designPath(60)});
    QVERIFY(program.waitForFinished(longWaitMs));
    QCOMPARE(program.exitCode(), 0);
    const JobId job = QString::fromUtf8(program.readAllStandardOutput()).trimmed();
    QProcess watcher;
    start(watcher, {u"watch"_s, u"practice"_s, job});
    QByteArray lines;
    QVERIFY(waitUntil([&] {
        lines += watcher.readAllStandardOutput();
        return lines.count("\"utilizationPercent\"") >= 40;
    }));
    QVERIFY(!m_bench.oldSteps(0).isEmpty()); // there is something to leave behind
    ::kill(pid_t(watcher.processId()), SIGKILL);
    QVERIFY(watcher.waitForFinished(longWaitMs));
    QVERIFY2(waitUntil([&] { return m_bench.oldSteps(0).isEmpty(); }), qPrintable(m_bench.oldSteps(0).join(u'\n')));
    QVERIFY(m_bench.remote(u"squeue -h -j %1 -o %T"_s.arg(job)).contains(u"RUNNING"_s));
    // The next start finds the job, and its end.
    m_bench.reopenLog();
    const auto session = m_bench.session();
    session->open();
    const auto entries = m_bench.log().withJob(u"practice"_s, job);
    QVERIFY_RESULT(entries);
    QCOMPARE(entries->size(), 1);
    QVERIFY(waitUntil([&] { return m_bench.log().find(entries->first().id)->state == JobState::Completed; }));
    QCOMPARE(m_bench.jobsWith(entries->first().token), QStringList{job});
}

RANKWRIGHT_TEST_MAIN(JourneyProgramTest)
#include "tst_journey_program.moc"
