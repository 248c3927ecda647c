// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/localshell.h"

#include "tests/support/testbase.h"

#include <QFile>

#include <csignal>

using namespace rankwright;
using namespace Qt::StringLiterals;

class LocalShellTest final : public test::Suite {
    Q_OBJECT
private slots:
    void cleanupTestCase() { test::quietFor(100); } // what was killed is collected by the event loop
    void runs_data();
    void runs();
    void input();
    void interactive();
    void deadline();
    void droppedHandleEndsTheGroup();
    void outputLimit();

private:
    Result<CommandOutcome> run(const RemoteCommand& command)
    {
        Result<CommandOutcome> result = fail(Fault::TimedOut, u"the test waited in vain"_s);
        bool done = false;
        QObject guard;
        m_shell.run(command, &guard, [&](const Result<CommandOutcome>& outcome) {
            result = outcome;
            done = true;
        });
        (void)test::comes([&done] { return done; });
        return result;
    }
    LocalShell m_shell;
};

void LocalShellTest::runs_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<int>("status"); // -1: none
    QTest::addColumn<QByteArray>("signal");
    QTest::newRow("output") << u"printf 'a b'"_s << QByteArray("a b") << QByteArray() << 0 << QByteArray();
    QTest::newRow("failure") << u"echo no >&2; exit 4"_s << QByteArray() << QByteArray("no\n") << 4 << QByteArray();
    QTest::newRow("signal") << u"echo x; kill -TERM $$"_s << QByteArray("x\n") << QByteArray() << -1
                            << QByteArray("TERM");
}

void LocalShellTest::runs()
{
    QFETCH(QString, line);
    const Result<CommandOutcome> outcome = run(RemoteCommand::shell(line));
    QVERIFY_RESULT(outcome);
    QTEST(outcome->output, "output");
    QTEST(outcome->errorOutput, "errors");
    QTEST(outcome->exitStatus.value_or(-1), "status");
    QTEST(outcome->exitSignal, "signal");
    QCOMPARE(m_shell.state(), LinkState::Online);
}

void LocalShellTest::input()
{
    const QByteArray data(3 << 20, 'i');
    const Result<CommandOutcome> outcome = run(RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == data);
}

void LocalShellTest::interactive()
{
    RemoteCommand command = RemoteCommand::of({u"cat"_s}, "1");
    command.interactive = true;
    const auto process = m_shell.start(command);
    QByteArray output;
    bool done = false;
    connect(process.get(), &RemoteProcess::outputArrived, process.get(), [&](const QByteArray& b) { output += b; });
    connect(process.get(), &RemoteProcess::finished, process.get(), [&] { done = true; });
    QTRY_COMPARE(output, QByteArray("1"));
    process->write("2");
    QTRY_COMPARE(output, QByteArray("12"));
    process->closeInput();
    process->write("3");
    QTRY_VERIFY(done);
    QCOMPARE(output, QByteArray("12"));
}

void LocalShellTest::deadline()
{
    RemoteCommand command = RemoteCommand::shell(u"sleep 3000"_s);
    command.deadlineSeconds = 1;
    const Result<CommandOutcome> outcome = run(command); // by itself it would end too late for this test
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::TimedOut);
}

void LocalShellTest::droppedHandleEndsTheGroup()
{
    auto process = m_shell.start(RemoteCommand::shell(u"trap '' TERM; sleep 3000 & echo $!; wait"_s));
    QByteArray pid;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&pid](const QByteArray& bytes) { pid += bytes; });
    QTRY_VERIFY(pid.endsWith('\n'));
    QCOMPARE(::kill(pid.trimmed().toInt(), 0), 0);
    process.reset(); // the command ignores SIGTERM: one that waited for its end would take 3000 s
    const auto isGone = [&pid] {
        // Without an init process nobody collects it: then it stays as a zombie.
        QFile state(u"/proc/%1/stat"_s.arg(pid.trimmed().toInt()));
        return !state.open(QIODevice::ReadOnly) || state.readAll().contains(") Z ");
    };
    QTRY_VERIFY(isGone());
}

void LocalShellTest::outputLimit()
{
    RemoteCommand command = RemoteCommand::shell(u"cat /dev/zero"_s);
    command.outputLimit = 1000000;
    const Result<CommandOutcome> outcome = run(command);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Unreadable);
}

RANKWRIGHT_TEST_MAIN(LocalShellTest)
#include "tst_localshell.moc"
