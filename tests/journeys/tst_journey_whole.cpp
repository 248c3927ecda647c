// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/practicebench.h"

#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The whole way, as a person goes it: connect, dry run, launch, follow live, COMPLETED, reported in the log.
class JourneyWholeTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup() { m_bench.cancelAll(); }

    void aDryRunQueuesNothing();
    void fromLaunchToCompleted();
    void aRefusalIsReportedAndNotRetried();

private:
    std::unique_ptr<ClusterSession> online()
    {
        auto session = m_bench.session();
        session->open();
        if (!waitUntil([&] { return session->isOnline(); }))
            return nullptr;
        return session;
    }

    PracticeBench m_bench;
};

void JourneyWholeTest::initTestCase()
{
    const QString missing = m_bench.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyWholeTest::aDryRunQueuesNothing()
{
    const auto session = online();
    QVERIFY(session != nullptr);
    SubmitOrder order = m_bench.order(20);
    order.rehearseOnly = true;
    session->submitFlow().start(order);
    QTRY_VERIFY(!session->submitFlow().state().isBusy());
    QCOMPARE(session->submitFlow().state().stage, SubmitState::Stage::Rehearsed);
    QCOMPARE(session->submitFlow().state().forecast.nodes.size(), 2);
    QVERIFY(m_bench.jobsWith(session->submitFlow().token()).isEmpty());
}

void JourneyWholeTest::fromLaunchToCompleted()
{
    m_bench.freshLog();
    const auto session = online();
    QVERIFY(session != nullptr);
    QSignalSpy ended(session.get(), &ClusterSession::ourJobEnded);
    SubmitFlow& flow = session->submitFlow();
    QVERIFY(flow.start(m_bench.order(30)));
    QVERIFY(!flow.start(m_bench.order(30))); // a double click
    QTRY_VERIFY(!flow.state().isBusy());
    QVERIFY2(flow.state().stage == SubmitState::Stage::Submitted, qPrintable(flow.state().error.oneLine()));
    const JobId job = flow.state().job;
    JobWatch& watch = session->watch(job);
    QSet<QString> nodes;
    int fewest = 99;
    QObject::connect(&watch, &JobWatch::tickArrived, this, [&](const NodeTick& tick) {
        nodes.insert(tick.node);
        fewest = qMin(fewest, int(tick.gpus.size()));
    });
    QTRY_VERIFY(watch.isOver());
    QCOMPARE(watch.record().state, JobState::Completed);
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(fewest, 4);
    const double coverage = watch.coverage(QDateTime::currentMSecsSinceEpoch()).value_or(0);
    QVERIFY2(coverage >= 0.9, qPrintable(u"seen %1"_s.arg(coverage)));
    QVERIFY(watch.output().losses().size() >= 5);
    QVERIFY(watch.output().losses().last().loss < watch.output().losses().first().loss);
    QTRY_COMPARE(ended.count(), 1);
    const auto entry = m_bench.log().find(flow.entryId());
    QVERIFY_RESULT(entry);
    QCOMPARE(entry->stage, EntryStage::Known);
    QCOMPARE(entry->job, job);
    QCOMPARE(entry->state, JobState::Completed);
    QVERIFY(!entry->outcome.isEmpty());
    QCOMPARE(m_bench.jobsWith(entry->token), QStringList{job});
    QTRY_VERIFY(m_bench.oldSteps(0).isEmpty());
}

void JourneyWholeTest::aRefusalIsReportedAndNotRetried()
{
    m_bench.freshLog();
    const auto session = online();
    QVERIFY(session != nullptr);
    SubmitOrder order = m_bench.order(20);
    order.script.replace(m_bench.status().account.toUtf8(), "project_999999999");
    session->submitFlow().start(order);
    QTRY_VERIFY(!session->submitFlow().state().isBusy());
    QCOMPARE(session->submitFlow().state().stage, SubmitState::Stage::Refused);
    QVERIFY(!session->submitFlow().state().error.remedy.isEmpty());
    QCOMPARE(m_bench.log().newest({}, 10)->size(), 0);
}

RANKWRIGHT_TEST_MAIN(JourneyWholeTest)
#include "tst_journey_whole.moc"
