// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/practicebench.h"
#include "tests/journeys/support/relay.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Stage = SubmitState::Stage;

/// The link, the ssh server and the controller fail at each moment of a submission. Whatever happens: at most one job,
/// and the log says what is.
class JourneySubmitTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void theNetworkFails_data();
    void theNetworkFails();
    void theClusterFails_data();
    void theClusterFails();

private:
    QString whyNot(const SubmitFlow& flow) const
    {
        return u"%1 %2 %3\n%4"_s.arg(
            flow.state().text, flow.state().error.oneLine(), flow.state().error.detail, m_bench.nodeStates());
    }

    static void strike(Relay& relay, const QString& what, qint64 scriptSize = 0)
    {
        if (what.startsWith(u"lose"_s) || what.startsWith(u"late"_s)) {
            const auto how = what.startsWith(u"lose"_s) ? Relay::AtUpload::LoseAnswer : Relay::AtUpload::DeliverLate;
            if (what.endsWith(u"word"_s))
                relay.strikeAtWord(how);
            else
                relay.strikeAtUpload(scriptSize * 8 / 10, how);
            return;
        }
        if (what == u"cut"_s) {
            relay.cut();
            return;
        }
        relay.freezeToClient(true);
        if (what != u"answer"_s)
            relay.freezeToServer(true);
        QTimer::singleShot(3000, &relay, [&relay, what] {
            if (what != u"thaw"_s)
                relay.cut();
            relay.freezeToServer(false);
            relay.freezeToClient(false);
        });
    }

    /// Holds the log against the cluster. A controller that is killed forgets what it had confirmed in its last seconds
    /// (it saves its state every few seconds): then the log keeps the id that was given, and says that it is not known.
    void verify(ClusterSession& session, bool mayForget = false)
    {
        const SubmitFlow& flow = session.submitFlow();
        const QStringList jobs = m_bench.jobsWith(flow.token());
        QVERIFY2(jobs.size() <= 1, qPrintable(jobs.join(u' ')));
        const auto entries = m_bench.log().newest({}, 10);
        QVERIFY_RESULT(entries);
        if (entries->isEmpty()) {
            QVERIFY(jobs.isEmpty());
            QCOMPARE(flow.state().stage, Stage::Refused);
            return;
        }
        QCOMPARE(entries->size(), 1);
        const JobLogEntry& entry = entries->first();
        qInfo("log: %s, flow: %s, jobs: %s", qPrintable(toText(entry.stage)), qPrintable(flow.state().text),
            qPrintable(jobs.join(u' ')));
        QVERIFY(entry.isResolved());
        if (mayForget && jobs.isEmpty() && entry.stage == EntryStage::Known) {
            const bool said
                = waitUntil([&] { return m_bench.log().find(entry.id)->outcome.contains(u"does not know"_s); });
            const auto last = m_bench.log().find(entry.id);
            QVERIFY2(said,
                qPrintable(u"job %1, %2: %3; the cluster: %4"_s.arg(
                    last->job, toText(last->state), last->outcome, m_bench.everythingOf(last->job))));
            return;
        }
        QCOMPARE(entry.stage == EntryStage::Known, jobs.size() == 1);
        QCOMPARE(flow.state().stage == Stage::Submitted, jobs.size() == 1);
        if (!jobs.isEmpty())
            QCOMPARE(entry.job, jobs.first());
    }

    PracticeBench m_bench;
};

void JourneySubmitTest::initTestCase()
{
    const QString missing = m_bench.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneySubmitTest::cleanup()
{
    m_bench.up();
    m_bench.cancelAll();
    m_bench.freshLog();
}

void JourneySubmitTest::theNetworkFails_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<int>("afterMs");
    QTest::addColumn<QString>("what");
    // The search column of the stage is when it happens; `afterMs` later, to meet sbatch before, in and after its
    // work.
    QTest::newRow("cut while rehearsing") << int(Stage::Rehearsing) << 0 << u"cut"_s;
    QTest::newRow("cut between log and sending") << int(Stage::Recording) << 0 << u"cut"_s;
    QTest::newRow("cut when sending begins") << int(Stage::Sending) << 0 << u"cut"_s;
    QTest::newRow("cut before the word to submit") << int(Stage::Sending) << 0 << u"lose"_s;
    QTest::newRow("script arrives when nobody waits") << int(Stage::Sending) << 0 << u"late"_s;
    QTest::newRow("answer lost after the word to submit") << int(Stage::Sending) << 0 << u"lose word"_s;
    QTest::newRow("word arrives when nobody waits") << int(Stage::Sending) << 0 << u"late word"_s;
    for (const int ms : {25, 60, 90})
        QTest::addRow("answer lost %d ms after sending", ms) << int(Stage::Sending) << ms << u"answer"_s;
    QTest::newRow("frozen and thawed") << int(Stage::Sending) << 0 << u"thaw"_s;
    QTest::newRow("frozen, then dead") << int(Stage::Sending) << 0 << u"freeze"_s;
}

void JourneySubmitTest::theNetworkFails()
{
    QFETCH(int, stage);
    QFETCH(int, afterMs);
    QFETCH(QString, what);
    Relay relay(m_bench.status().host, quint16(m_bench.status().port));
    const auto session = m_bench.session(relay.port());
    session->open();
    QVERIFY(waitUntil([&] { return session->isOnline(); }));
    bool struck = false;
    const SubmitOrder order = m_bench.order(20);
    connect(&session->submitFlow(), &SubmitFlow::stateChanged, session.get(), [&](const SubmitState& state) {
        if (int(state.stage) != stage || std::exchange(struck, true))
            return;
        if (afterMs == 0)
            strike(relay, what, order.script.size());
        else
            QTimer::singleShot(afterMs, &relay, [&relay, what, this] { strike(relay, what); });
    });
    session->submitFlow().start(order);
    QVERIFY(waitUntil([&] { return !session->submitFlow().state().isBusy(); }));
    QVERIFY2(struck, qPrintable(whyNot(session->submitFlow())));
    verify(*session);
    if (what != u"lose"_s && what != u"late"_s)
        return;
    // Here the outcome is certain: without the word nothing is submitted.
    QCOMPARE(session->submitFlow().state().stage, Stage::Refused);
    const auto events = m_bench.log().events(session->submitFlow().entryId());
    QStringList kinds;
    for (const JobLogEvent& event : *events)
        kinds.append(event.kind.text());
    QCOMPARE(kinds.mid(0, 4), QStringList({u"recorded"_s, u"sending"_s, u"unknown"_s, u"absent"_s}));
}

void JourneySubmitTest::theClusterFails_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<QString>("fault");
    for (const Stage stage : {Stage::Rehearsing, Stage::Sending}) {
        const char* when = stage == Stage::Sending ? "while sending" : "before sending";
        for (const char* fault : {"sshd-kill", "link-kill", "slurmctld-kill"})
            QTest::addRow("%s %s", fault, when) << int(stage) << QString::fromLatin1(fault);
    }
}

void JourneySubmitTest::theClusterFails()
{
    QFETCH(int, stage);
    QFETCH(QString, fault);
    const auto session = m_bench.session();
    session->open();
    QVERIFY(waitUntil([&] { return session->isOnline(); }));
    bool struck = false;
    PracticeCluster practice;
    connect(&session->submitFlow(), &SubmitFlow::stateChanged, session.get(), [&](const SubmitState& state) {
        if (int(state.stage) != stage || std::exchange(struck, true))
            return;
        // Before sending: nothing is on its way, and the fault is complete when it goes on. While sending: beside
        // it.
        if (stage == int(Stage::Rehearsing))
            m_bench.fault(fault);
        else
            practice.order({u"fault"_s, fault}, session.get(), [](const Result<QByteArray>&) {});
    });
    session->submitFlow().start(m_bench.order(20));
    // A submission that is refused before its moment comes says so at once.
    const SubmitFlow& flow = session->submitFlow();
    QVERIFY(waitUntil([&] { return struck || !flow.state().isBusy(); }));
    QVERIFY2(struck, qPrintable(whyNot(flow)));
    QVERIFY(waitUntil([&] { return !practice.isBusy(); }));
    QVERIFY(m_bench.up()); // what failed is back
    QVERIFY(waitUntil([&] { return !session->submitFlow().state().isBusy(); }));
    if (fault == u"slurmctld-kill"_s)
        QVERIFY(session->isOnline()); // only the scheduler was away
    verify(*session, fault == u"slurmctld-kill"_s);
}

RANKWRIGHT_TEST_MAIN(JourneySubmitTest)
#include "tst_journey_submit.moc"
