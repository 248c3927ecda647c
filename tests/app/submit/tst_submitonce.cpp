// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/database.h"
#include "app/submit/submitflow.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>
#include <QSqlQuery>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;
using Stage = SubmitState::Stage;

/// Several windows and shells that submit one design: each with a connection, a flow and a database connection of its
/// own, the job log in one folder.
class SubmitOnceTest final : public Suite {
    Q_OBJECT

    struct Window {
        explicit Window(const QString& folder, const SubmitRecovery::Timing& timing = {150, 20, 40, 60000, 60000})
            : database(openStore(folder)), log(*database), client(shell),
              recovery(shell, client, log, u"practice"_s, timing, nullptr), flow(shell, client, log, recovery)
        {
            QObject::connect(&flow, &SubmitFlow::stateChanged, &flow,
                [this](const SubmitState& state) { texts.append(state.text); });
        }
        /// What the cluster answers; a reply of sbatch without an exit status is one that never comes.
        void expect(const FakeShell::Reply& sbatch, int rehearsalMs = 0)
        {
            FakeShell::Reply rehearsal = rehearsedWell();
            rehearsal.delayMs = rehearsalMs;
            shell.expect(u"--test-only"_s, rehearsal, true);
            shell.expect(u"--parsable"_s, sbatch);
        }
        qsizetype sent() const
        {
            return std::count_if(shell.commands().cbegin(), shell.commands().cend(),
                [](const RemoteCommand& command) { return command.line.contains(u"--parsable"_s); });
        }
        std::unique_ptr<Database> database;
        JobLog log;
        FakeShell shell;
        SlurmClient client;
        SubmitRecovery recovery;
        SubmitFlow flow;
        QStringList texts;
    };

    static SubmitOrder order()
    {
        SubmitOrder made;
        made.cluster = u"practice"_s;
        made.name = u"first"_s;
        made.design = "{}";
        made.script = "#!/bin/bash\ntrue\n";
        return made;
    }
    /// The entries get a process that cannot exist: the kernel's largest id is 4194304.
    static void loseOwner(Window& window)
    {
        if (!window.database->run(u"UPDATE entries SET owner=? || '/4194305/1'"_s,
                {window.log.newest({}, 1)->first().owner.section(u'/', 0, 0)}))
            qFatal("the job log could not be written");
    }
    /// The entries are of another machine with the same home folder.
    static void moveOwner(Window& window)
    {
        if (!window.database->run(u"UPDATE entries SET owner='00000000-0000-0000-0000-000000000000/1/1'"_s))
            qFatal("the job log could not be written");
    }

private slots:
    void severalAtOnceAreOneJob_data();
    void severalAtOnceAreOneJob();

    /// It logs in or uploads while the other one is already done.
    void theSlowerOneAskedBeforeTheFasterHadItsJob();
    void askedForAgainItIsAnotherJob_data();
    void askedForAgainItIsAnotherJob();
    void anotherScriptDoesNotWait();
    void whatTheOtherOneWasRefusedIsTried();
    void whatTheOtherOneLeftIsTakenOver_data();

    /// The other program is killed while this one waits for it: long before the job log would be looked through by
    /// itself.
    void whatTheOtherOneLeftIsTakenOver();

    /// Between the rehearsal and the own entry.
    void oneThatWasFasterDuringTheRehearsalIsTheAnswer();

    /// The data folder lies on a network file system, and the same design is submitted on two machines.
    void anotherMachineIsWaitedFor_data();
    void anotherMachineIsWaitedFor();
    void waitingCanBeStopped();
};

void SubmitOnceTest::severalAtOnceAreOneJob_data()
{
    QTest::addColumn<int>("windows");
    QTest::addColumn<int>("apart"); ///< ms between the starts
    QTest::addColumn<int>("answerMs");
    QTest::newRow("two, same moment") << 2 << 0 << 50;
    QTest::newRow("two, the second while the first rehearses") << 2 << 30 << 50;
    QTest::newRow("two, the second while the first sends") << 2 << 100 << 300;
    QTest::newRow("five") << 5 << 5 << 50;
}

void SubmitOnceTest::severalAtOnceAreOneJob()
{
    QFETCH(int, windows);
    QFETCH(int, apart);
    QFETCH(int, answerMs);
    QTemporaryDir folder;
    std::vector<std::unique_ptr<Window>> all;
    for (int i = 0; i < windows; ++i) {
        all.push_back(std::make_unique<Window>(folder.path()));
        all.back()->expect({QByteArray::number(4711 + i) + '\n', {}, 0, answerMs}, 60);
    }
    for (const auto& window : all) {
        QVERIFY(window->flow.start(order()));
        test::quietFor(apart);
    }
    qsizetype sent = 0;
    JobId job;
    for (const auto& window : all) {
        QTRY_COMPARE(window->flow.state().stage, Stage::Submitted);
        window->flow.acknowledge();
        sent += window->sent();
        if (window->sent() == 1)
            job = window->flow.state().job;
    }
    QCOMPARE(sent, 1);
    for (const auto& window : all) {
        QCOMPARE(window->flow.state().job, job);
        QCOMPARE(window->flow.state().wasFound, window->sent() == 0);
        if (window->sent() == 0)
            QVERIFY2(window->flow.state().text.contains(u"by another program or window"),
                qPrintable(window->flow.state().text));
    }
    QCOMPARE(all.front()->log.newest({}, 10)->size(), 1);
}

void SubmitOnceTest::theSlowerOneAskedBeforeTheFasterHadItsJob()
{
    QTemporaryDir folder;
    Window fast(folder.path());
    Window slow(folder.path());
    SubmitOrder late = order();
    late.asked = slow.log.openedAt();
    fast.expect({"1\n"});
    QVERIFY(fast.flow.start(order()));
    QTRY_COMPARE(fast.flow.state().stage, Stage::Submitted);
    fast.flow.acknowledge();
    slow.expect({"2\n"});
    QVERIFY(slow.flow.start(late));
    QTRY_COMPARE(slow.flow.state().stage, Stage::Submitted);
    QCOMPARE(slow.flow.state().job, u"1"_s);
    QCOMPARE(slow.sent(), 0);
}

void SubmitOnceTest::askedForAgainItIsAnotherJob_data()
{
    QTest::addColumn<bool>("acknowledged");
    QTest::newRow("the first one has ended") << true;
    QTest::newRow("the first one waits for the job's end") << false; // submit --wait
}

void SubmitOnceTest::askedForAgainItIsAnotherJob()
{
    QFETCH(bool, acknowledged);
    QTemporaryDir folder;
    Window first(folder.path());
    first.expect({"1\n"});
    QVERIFY(first.flow.start(order()));
    QTRY_COMPARE(first.flow.state().stage, Stage::Submitted);
    if (acknowledged)
        first.flow.acknowledge();
    Window second(folder.path());
    second.expect({"2\n"});
    SubmitOrder again = order();
    again.asked = second.log.openedAt();
    QVERIFY(second.flow.start(again));
    QTRY_COMPARE(second.flow.state().stage, Stage::Submitted);
    QCOMPARE(second.flow.state().job, u"2"_s);
    QVERIFY(!second.flow.state().wasFound);
    second.flow.acknowledge();
    // In the same window.
    second.expect({"3\n"});
    QVERIFY(second.flow.start(order()));
    QTRY_COMPARE(second.flow.state().job, u"3"_s);
}

void SubmitOnceTest::anotherScriptDoesNotWait()
{
    QTemporaryDir folder;
    Window first(folder.path());
    Window second(folder.path());
    first.expect({"1\n", {}, 0, 60000});
    second.expect({"2\n"});
    QVERIFY(first.flow.start(order()));
    QTRY_COMPARE(first.sent(), 1);
    SubmitOrder other = order();
    other.script += "\n";
    QVERIFY(second.flow.start(other));
    QTRY_COMPARE(second.flow.state().stage, Stage::Submitted);
    QCOMPARE(second.flow.state().job, u"2"_s);
}

void SubmitOnceTest::whatTheOtherOneWasRefusedIsTried()
{
    QTemporaryDir folder;
    Window first(folder.path());
    Window second(folder.path());
    first.expect({{}, "sbatch: error: Batch job submission failed: Invalid qos specification\n", 1, 100});
    second.expect({"2\n"});
    QVERIFY(first.flow.start(order()));
    QTRY_COMPARE(first.sent(), 1);
    QVERIFY(second.flow.start(order()));
    QCOMPARE(second.flow.state().stage, Stage::Recovering);
    QVERIFY2(second.texts.last().contains(u"Another program or window"), qPrintable(second.texts.last()));
    QTRY_COMPARE(second.flow.state().stage, Stage::Submitted);
    QCOMPARE(first.flow.state().stage, Stage::Refused);
    QCOMPARE(second.sent(), 1);
}

void SubmitOnceTest::whatTheOtherOneLeftIsTakenOver_data()
{
    QTest::addColumn<bool>("sending");
    QTest::addColumn<bool>("arrived");
    QTest::newRow("died before it sent") << false << false;
    QTest::newRow("died while sending, Slurm has it") << true << true;
    QTest::newRow("died while sending, it never arrived") << true << false;
}

void SubmitOnceTest::whatTheOtherOneLeftIsTakenOver()
{
    QFETCH(bool, sending);
    QFETCH(bool, arrived);
    QTemporaryDir folder;
    Window other(folder.path());
    Window window(folder.path());
    window.expect({"6\n"});
    window.shell.expect(
        u"sacct"_s, {arrived ? foundInQueue(u"5"_s, u"rw-00000000000000aa"_s) : nothingFound(), {}}, true);
    test::quietFor(30); // the search has read the log by now
    const QString id = other.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}})->id;
    if (sending)
        QVERIFY_RESULT(other.log.markSending(id));
    QVERIFY(window.flow.start(order()));
    QCOMPARE(window.flow.state().stage, Stage::Recovering);
    test::quietFor(300);
    QCOMPARE(window.flow.state().stage, Stage::Recovering); // it lives: nothing is decided about it
    loseOwner(other);
    QTRY_COMPARE(window.flow.state().stage, Stage::Submitted);
    QCOMPARE(window.flow.state().job, arrived ? u"5"_s : u"6"_s);
    QCOMPARE(window.sent(), arrived ? 0 : 1);
    QCOMPARE(window.log.find(id)->stage, arrived ? EntryStage::Known : EntryStage::Absent);
    if (arrived)
        QVERIFY(window.flow.state().text.contains(u"answer was lost"_s));
}

void SubmitOnceTest::oneThatWasFasterDuringTheRehearsalIsTheAnswer()
{
    QTemporaryDir folder;
    Window other(folder.path());
    Window window(folder.path());
    window.expect({"6\n"}, 200);
    QVERIFY(window.flow.start(order()));
    QTRY_COMPARE(window.flow.state().stage, Stage::Rehearsing);
    const QString id = other.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}})->id;
    QVERIFY_RESULT(other.log.markSending(id));
    QTRY_COMPARE(window.flow.state().stage, Stage::Recovering);
    QVERIFY(window.flow.entryId().isEmpty());
    QVERIFY_RESULT(other.log.markKnown(id, u"5"_s));
    QTRY_COMPARE(window.flow.state().stage, Stage::Submitted);
    QCOMPARE(window.flow.state().job, u"5"_s);
    QCOMPARE(window.sent(), 0);
    QCOMPARE(window.log.newest({}, 10)->size(), 1);
}

void SubmitOnceTest::anotherMachineIsWaitedFor_data()
{
    QTest::addColumn<bool>("dies");
    QTest::newRow("it has its job") << false;
    QTest::newRow("it dies") << true;
}

void SubmitOnceTest::anotherMachineIsWaitedFor()
{
    QFETCH(bool, dies);
    QTemporaryDir folder;
    Window other(folder.path());
    Window window(folder.path(), {150, 20, 40, 100, 1000});
    window.expect({"6\n"});
    window.shell.expect(u"sacct"_s, {nothingFound(), {}}, true);
    const QString id = other.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}})->id;
    QVERIFY_RESULT(other.log.markSending(id));
    moveOwner(other);
    QVERIFY(window.flow.start(order()));
    QCOMPARE(window.flow.state().stage, Stage::Recovering);
    if (!dies)
        QVERIFY_RESULT(other.log.markKnown(id, u"5"_s));
    QTRY_COMPARE(window.flow.state().stage, Stage::Submitted);
    QCOMPARE(window.flow.state().job, dies ? u"6"_s : u"5"_s);
    QCOMPARE(window.flow.state().text.contains(u"at the same moment"_s), !dies);
}

void SubmitOnceTest::waitingCanBeStopped()
{
    QTemporaryDir folder;
    Window other(folder.path());
    Window window(folder.path());
    QVERIFY_RESULT(other.log.record({u"rw-00000000000000aa"_s, u"practice"_s, {}, {}, order().script, {}}));
    QVERIFY(window.flow.start(order()));
    QCOMPARE(window.flow.state().stage, Stage::Recovering);
    window.flow.stop();
    QCOMPARE(window.flow.state().stage, Stage::Refused);
    QCOMPARE(window.flow.state().error.fault, Fault::Cancelled);
    QCOMPARE(window.sent(), 0);
}

RANKWRIGHT_TEST_MAIN(SubmitOnceTest)
#include "tst_submitonce.moc"
