// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/hanginspection.h"
#include "models/cluster/catalogue/catalogue.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/fakeshell.h"
#include "tests/support/heldthreads.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

JobRecord lookedAt(JobState state, const QStringList& nodes = {u"n1"_s, u"n2"_s})
{
    JobRecord job;
    job.id = u"7"_s;
    job.state = state;
    job.nodes = int(nodes.size());
    job.nodeList = nodes;
    return job;
}

QByteArray nodeLine(const QByteArray& node, const QByteArray& cells)
{
    return "@rw-hang " + node + " 1795908707712 " + cells + '\n';
}

/// A rank that stands in `state` at both looks.
QByteArray rankLines(const QByteArray& node, const QByteArray& rank, const QByteArray& state)
{
    const QByteArray pid = "4" + rank;
    return nodeLine(node, "rank;" + pid + ';' + rank + ";0;2;python3 train.py;")
        + nodeLine(node, "look;" + pid + ";1;" + state + ";futex_do_wait;202;;100;200;300;62;9;")
        + nodeLine(node, "look;" + pid + ";2;" + state + ";futex_do_wait;202;;100;200;300;62;9;");
}

QByteArray wholeNode(const QByteArray& node, const QByteArray& rank, const QByteArray& state)
{
    return nodeLine(node, "begin;1;0;") + rankLines(node, rank, state) + nodeLine(node, "end;4000;1;");
}

} // namespace

/// One look at a job's ranks, from the question for its nodes to the answer.
class HangInspectionTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void namesTheStoppedRank();
    void jobThatDoesNotRun();
    void endsMeanwhile_data();
    void endsMeanwhile();
    void goesOnBySshWhereStepsAreRefused();
    void saysWhatWasRefused();
    void saysThatTheLineWasLost();
    void aCancelledInspectionSaysNothing();
    void oneInspectionAtATime();
    void keepsTheInputOpen();
    void readsBesideTheWindow();

private:
    void expectJob(JobState state) { m_shell->expect(u"squeue"_s, {.output = jobPage(lookedAt(state))}); }
    void expectNodes(const FakeShell::Reply& reply) { m_shell->expect(u"rankwright"_s, reply); }
    /// Runs to its end.
    HangAnswer answer();
    Error error();

    ClusterProfile m_profile;
    std::unique_ptr<FakeShell> m_shell;
    std::unique_ptr<SlurmClient> m_client;
    std::unique_ptr<HangInspection> m_inspection;
    QList<Result<HangAnswer>> m_answers;
};

void HangInspectionTest::init()
{
    m_inspection.reset();
    m_client.reset();
    m_answers.clear();
    m_profile = *loadCatalogue({}).find(u"practice"_s);
    m_profile.login.nodeLogin = false;
    m_shell = std::make_unique<FakeShell>();
    m_client = std::make_unique<SlurmClient>(*m_shell);
    m_inspection = std::make_unique<HangInspection>(*m_client, *m_shell, m_profile);
    connect(m_inspection.get(), &HangInspection::finished, this,
        [this](const Result<HangAnswer>& answer) { m_answers.append(answer); });
}

HangAnswer HangInspectionTest::answer()
{
    m_inspection->begin(u"7"_s);
    const bool came = comes([this] { return !m_answers.isEmpty(); });
    if (!came || !m_answers.first())
        qWarning("no answer came");
    return came && m_answers.first() ? *m_answers.first() : HangAnswer();
}

Error HangInspectionTest::error()
{
    m_inspection->begin(u"7"_s);
    const bool came = comes([this] { return !m_answers.isEmpty(); });
    if (!came || m_answers.first())
        qWarning("no error came");
    return came && !m_answers.first() ? m_answers.first().error() : Error();
}

void HangInspectionTest::namesTheStoppedRank()
{
    expectJob(JobState::Running);
    expectNodes({.output = wholeNode("n1", "0", "T") + wholeNode("n2", "1", "S")});
    QSignalSpy asking(m_inspection.get(), &HangInspection::nodesAsked);
    const HangAnswer found = answer();
    QCOMPARE(asking.size(), 1);
    QCOMPARE(asking.first().first().toLongLong(), 2);
    QCOMPARE(found.ranksSeen, 2);
    QCOMPARE(found.verdict.cause, HangCause::Stopped);
    QCOMPARE(found.verdict.odd, QList<int>{0});
    QVERIFY2(
        found.verdict.sentence.startsWith(u"Rank 0 (node n1, GPU 0) is stopped"_s), qPrintable(found.verdict.sentence));
    // the words lead to the rows that they are about
    QVERIFY(!found.verdict.proofs.isEmpty());
    QCOMPARE(found.verdict.proofs.first().rows, QList<qsizetype>{0});
    QCOMPARE(found.verdict.rows.first().node, u"n1"_s);
    QVERIFY(!m_inspection->isRunning());
    QCOMPARE(m_shell->unexpected(), 0);
}

void HangInspectionTest::jobThatDoesNotRun()
{
    expectJob(JobState::Pending);
    QCOMPARE(error().what, u"Job 7 is not running."_s);
    QCOMPARE(m_shell->commands().size(), 1);
}

void HangInspectionTest::endsMeanwhile_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QByteArray>("error");
    QTest::addColumn<int>("exit");
    QTest::addColumn<JobState>("state");
    QTest::addColumn<QString>("sentence");
    const QString over = u"The job ended while it was inspected (%1)."_s;
    QTest::newRow("silent") << QByteArray() << QByteArray("srun: Force Terminated StepId=7.3") << 143
                            << JobState::Completed << over.arg(u"COMPLETED"_s);
    QTest::newRow("expired") << QByteArray() << QByteArray("srun: error: Invalid job id specified") << 1
                             << JobState::Timeout << over.arg(u"TIMEOUT"_s);
    QTest::newRow("half said") << QByteArray(nodeLine("n1", "begin;1;0;") + rankLines("n1", "0", "S"))
                               << QByteArray("srun: Force Terminated StepId=7.3") << 143 << JobState::Failed
                               << over.arg(u"FAILED"_s);
    QTest::newRow("completing") << QByteArray(nodeLine("n1", "begin;1;0;") + rankLines("n1", "0", "S")) << QByteArray()
                                << 0 << JobState::Completing << over.arg(u"COMPLETING"_s);
    QTest::newRow("requeued") << QByteArray() << QByteArray("srun: Force Terminated StepId=7.3") << 143
                              << JobState::Pending
                              << u"The job went back into the queue while it was inspected (PENDING)."_s;
}

/// It is not "too little was reachable", and nobody is accused.
void HangInspectionTest::endsMeanwhile()
{
    QFETCH(QByteArray, said);
    QFETCH(QByteArray, error);
    QFETCH(int, exit);
    QFETCH(JobState, state);
    QFETCH(QString, sentence);
    expectJob(JobState::Running);
    expectNodes({.output = said, .errorOutput = error, .exitStatus = exit});
    expectJob(state);
    const HangAnswer found = answer();
    QCOMPARE(found.verdict.sentence, sentence);
    QCOMPARE(found.verdict.cause, HangCause::Over);
    QVERIFY(found.verdict.odd.isEmpty());
    QCOMPARE(found.ranksSeen, said.isEmpty() ? 0 : 1);
}

void HangInspectionTest::goesOnBySshWhereStepsAreRefused()
{
    m_profile.login.nodeLogin = true;
    expectJob(JobState::Running);
    expectNodes(
        {.errorOutput = "srun: error: Unable to create step for job 7: Requested nodes are busy", .exitStatus = 1});
    expectNodes({.output = wholeNode("n1", "0", "T") + wholeNode("n2", "1", "S")});
    QCOMPARE(answer().verdict.odd, QList<int>{0});
    QVERIFY(m_shell->lines().last().contains(u" ssh 7 "_s));
}

void HangInspectionTest::saysWhatWasRefused()
{
    expectJob(JobState::Running);
    expectNodes(
        {.errorOutput = "srun: error: Unable to create step for job 7: Requested nodes are busy", .exitStatus = 1});
    expectJob(JobState::Running);
    const Error why = error();
    QVERIFY2(why.what.contains(u"does not let the measuring step run"_s), qPrintable(why.what));
}

void HangInspectionTest::saysThatTheLineWasLost()
{
    expectJob(JobState::Running);
    expectNodes({.staysOpen = true});
    m_inspection->begin(u"7"_s);
    QTRY_COMPARE(m_shell->commands().size(), 2);
    m_shell->setState(LinkState::Lost, linkLost());
    QTRY_COMPARE(m_answers.size(), 1);
    QVERIFY(!m_answers.first());
    QCOMPARE(m_answers.first().error().fault, Fault::Offline);
}

void HangInspectionTest::aCancelledInspectionSaysNothing()
{
    expectJob(JobState::Running);
    expectNodes({.output = wholeNode("n1", "0", "T"), .staysOpen = true});
    m_inspection->begin(u"7"_s);
    QTRY_COMPARE(m_shell->commands().size(), 2);
    m_inspection->cancel();
    QVERIFY(m_shell->running().isEmpty());
    QVERIFY(!m_inspection->isRunning());
    expectJob(JobState::Pending); // and another one begins again
    QCOMPARE(error().what, u"Job 7 is not running."_s);
    QCOMPARE(m_answers.size(), 1);
}

void HangInspectionTest::oneInspectionAtATime()
{
    m_shell->expect(u"squeue"_s, {.output = jobPage(lookedAt(JobState::Running))}, true);
    expectNodes({.staysOpen = true});
    expectNodes({.staysOpen = true});
    m_inspection->begin(u"7"_s);
    QTRY_COMPARE(m_shell->commands().size(), 2);
    m_inspection->begin(u"7"_s);
    QVERIFY(m_shell->running().size() <= 1);
    QTRY_COMPARE(m_shell->commands().size(), 4);
    QCOMPARE(m_shell->running().size(), 1);
}

/// The end of its input ends everything on the nodes.
void HangInspectionTest::keepsTheInputOpen()
{
    expectJob(JobState::Running);
    expectNodes({.staysOpen = true});
    m_inspection->begin(u"7"_s);
    QTRY_COMPARE(m_shell->commands().size(), 2);
    QVERIFY(m_shell->newest()->command().interactive);
    QVERIFY(!m_shell->newest()->isInputClosed());
    QTRY_VERIFY(m_shell->newest()->input().contains('\n'));
}

/// Megabytes of records: the window goes on meanwhile, and whoever cancels then hears nothing.
void HangInspectionTest::readsBesideTheWindow()
{
    HeldThreads threads(HangReading::threads());
    QVERIFY(threads.areHeld());
    expectJob(JobState::Running);
    expectNodes({.output = wholeNode("n1", "0", "T") + wholeNode("n2", "1", "S")});
    m_inspection->begin(u"7"_s);
    QTRY_COMPARE(m_shell->commands().size(), 2);
    QTRY_VERIFY(m_shell->running().isEmpty());
    quietFor(50);
    QVERIFY(m_answers.isEmpty());
    QVERIFY(m_inspection->isRunning());
    m_inspection->cancel();
    threads.release();
    QVERIFY(HangReading::threads().waitForDone(longWaitMs));
    quietFor(0);
    QVERIFY(m_answers.isEmpty());
    expectJob(JobState::Running);
    expectNodes({.output = wholeNode("n1", "0", "S") + wholeNode("n2", "1", "T")});
    QCOMPARE(answer().verdict.odd, QList<int>{1});
}

RANKWRIGHT_TEST_MAIN(HangInspectionTest)
#include "tst_hanginspection.moc"
