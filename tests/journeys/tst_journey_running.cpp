// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/practicebench.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Faults while a job runs and is watched: the job goes on, no step of ours stays behind, the watch comes back by
/// itself.
class JourneyRunningTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void aFaultWhileItRuns_data();
    void aFaultWhileItRuns();

private:
    PracticeBench m_bench;
};

void JourneyRunningTest::initTestCase()
{
    const QString missing = m_bench.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyRunningTest::cleanup()
{
    m_bench.fault(u"link-thaw"_s);
    m_bench.up();
    m_bench.cancelAll();
    m_bench.freshLog();
}

void JourneyRunningTest::aFaultWhileItRuns_data()
{
    QTest::addColumn<QStringList>("faults");
    QTest::addColumn<bool>("linkStays");
    QTest::newRow("sshd killed") << QStringList{u"sshd-kill"_s} << false;
    QTest::newRow("link killed") << QStringList{u"link-kill"_s} << false;
    QTest::newRow("link frozen, then killed") << QStringList{u"link-freeze"_s, u"link-kill"_s} << false;
    QTest::newRow("controller killed") << QStringList{u"slurmctld-kill"_s} << true;
}

void JourneyRunningTest::aFaultWhileItRuns()
{
    QFETCH(QStringList, faults);
    QFETCH(bool, linkStays);
    const auto session = m_bench.session();
    session->open();
    QVERIFY(waitUntil([&] { return session->isOnline(); }));
    SubmitFlow& flow = session->submitFlow();
    flow.start(m_bench.order(45));
    QVERIFY(waitUntil([&] { return !flow.state().isBusy(); }));
    QVERIFY2(flow.state().stage == SubmitState::Stage::Submitted, qPrintable(flow.state().error.oneLine()));
    JobWatch& watch = session->watch(flow.state().job);
    int ticks = 0;
    connect(&watch, &JobWatch::tickArrived, this, [&ticks] { ++ticks; });
    QVERIFY(waitUntil([&] { return ticks >= 6; }));

    // A controller that is killed forgets what it has not saved: it saves a new job within some seconds.
    if (linkStays)
        quietFor(12000);
    for (const QString& fault : faults) {
        QVERIFY(m_bench.fault(fault));
        if (fault == u"link-freeze"_s)
            quietFor(16000); // the remote side must end by itself; nobody can notify it
    }
    if (linkStays) {
        const int before = ticks;
        QVERIFY2(waitUntil([&] { return ticks - before >= 8; }),
            qPrintable(u"%1 ticks while the controller was away"_s.arg(ticks - before)));
        QVERIFY(session->isOnline());
    }
    QVERIFY(m_bench.up());
    const int before = ticks;
    QVERIFY(waitUntil([&] { return ticks > before + 4; }));
    // Steps of the connection that died are gone: only the one that is watched now may be there.
    if (!linkStays) {
        QVERIFY2(waitUntil([&] { return m_bench.oldSteps(0).filter(u"bash"_s).size() <= 1; }),
            qPrintable(m_bench.oldSteps(0).join(u'\n')));
    }
    QVERIFY(waitUntil([&] { return watch.isOver(); }));
    QCOMPARE(watch.record().state, JobState::Completed);
    QVERIFY(watch.output().losses().size() >= 5);
    const auto entry = m_bench.log().find(flow.entryId());
    QVERIFY_RESULT(entry);
    QCOMPARE(entry->job, flow.state().job);
    QVERIFY(waitUntil([&] { return m_bench.log().find(flow.entryId())->state == JobState::Completed; }));
    QCOMPARE(m_bench.jobsWith(flow.token()).size(), 1);
    QVERIFY(waitUntil([&] { return m_bench.oldSteps(0).isEmpty(); }));
}

RANKWRIGHT_TEST_MAIN(JourneyRunningTest)
#include "tst_journey_running.moc"
