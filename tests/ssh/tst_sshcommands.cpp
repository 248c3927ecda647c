// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QElapsedTimer>
#include <QThread>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Commands on an open connection, against the server in this process.
class SshCommandsTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void fifteenAtOnce();
    void refusedPlacesAreTriedAgain();
    void endings_data();
    void endings();
    void serverThatReportsNoExit();
    void streamsArriveAsTheyCome();
    void cancelIsFastAndEndsTheProcess();
    void inputReachesTheCommand();
    void interactiveInputUntilItsEnd();
    void twentyMegabytesUpAndDown();
    void slowReaderIsHeldBack();
    void startUpNoiseIsCut();
    void shellThatRunsSomethingElse();
    void refusedCommand();
    void deadlines();
    void outputLimit();
    void urgentGoesFirst();
    void unsendableLines_data();
    void unsendableLines();
    void handlesMayGoInTheirOwnSignals();

private:
    std::unique_ptr<SshServer> serve(SshServer::Options options = {})
    {
        options.password = "p";
        return std::make_unique<SshServer>(options);
    }
    std::unique_ptr<SshClient> connectTo(const SshServer& server, const SshTuning& tuning = patientTuning())
    {
        auto client = std::make_unique<SshClient>(m_home->endpoint(server), tuning);
        client->answerer = [](const LoginPrompt&) { return SshClient::with({"p"}); };
        client->connectNow();
        return client;
    }
    std::unique_ptr<SshHome> m_home;
};

void SshCommandsTest::fifteenAtOnce()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 15; ++i) {
        client->shell().run(RemoteCommand::shell(u"sleep 0.1; echo answer %1"_s.arg(i)), &guard,
            [&got](const Result<CommandOutcome>& outcome) {
                got << (outcome ? QString::fromLatin1(outcome->output) : outcome.error().oneLine());
            });
    }
    QTRY_COMPARE(got.size(), 15);
    for (int i = 0; i < 15; ++i)
        QVERIFY2(got.contains(u"answer %1\n"_s.arg(i)), qPrintable(got.join(u' ')));
    QCOMPARE(server->refusedOpens(), 0);
    QCOMPARE(server->mostOpen(), SshTuning().openChannels);
    QCOMPARE(client->shell().traffic()->commands, 15);
    QVERIFY(client->shell().traffic()->bytesIn > 1000);
    QVERIFY(client->shell().traffic()->roundTripMs.has_value());
}

/// A server with fewer places than we use: nothing is lost.
void SshCommandsTest::refusedPlacesAreTriedAgain()
{
    SshServer::Options options;
    options.maxSessions = 3;
    const auto server = serve(options);
    const auto client = connectTo(*server);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 15; ++i) {
        client->shell().run(RemoteCommand::shell(u"sleep 0.02; echo %1"_s.arg(i)), &guard,
            [&got](const Result<CommandOutcome>& outcome) {
                got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
            });
    }
    QTRY_COMPARE(got.size(), 15);
    for (int i = 0; i < 15; ++i)
        QVERIFY2(got.contains(QString::number(i)), qPrintable(got.join(u' ')));
    QVERIFY(server->refusedOpens() > 0);
    QCOMPARE(server->mostOpen(), 3);
}

void SshCommandsTest::endings_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("status"); // -1: none
    QTest::addColumn<QByteArray>("signal");
    QTest::addColumn<QByteArray>("errors");
    QTest::newRow("success") << u"true"_s << 0 << QByteArray() << QByteArray();
    QTest::newRow("failure") << u"echo why >&2; exit 7"_s << 7 << QByteArray() << QByteArray("why\n");
    QTest::newRow("not found") << u"no_such_program_here 2>/dev/null"_s << 127 << QByteArray() << QByteArray();
    QTest::newRow("signal") << u"kill -KILL $$"_s << -1 << QByteArray("KILL") << QByteArray();
}

void SshCommandsTest::endings()
{
    QFETCH(QString, line);
    QFETCH(int, status);
    QFETCH(QByteArray, signal);
    QFETCH(QByteArray, errors);
    const auto server = serve();
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(line);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->exitStatus.value_or(-1), status);
    QCOMPARE(outcome->exitSignal, signal);
    QCOMPARE(outcome->errorOutput, errors);
}

void SshCommandsTest::serverThatReportsNoExit()
{
    SshServer::Options options;
    options.reportsExit = false;
    const auto server = serve(options);
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(u"echo done"_s);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("done\n"));
    QVERIFY(!outcome->exitStatus);
    QVERIFY(outcome->exitSignal.isEmpty());
    QVERIFY(!outcome->succeeded());
}

void SshCommandsTest::streamsArriveAsTheyCome()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    RemoteCommand command = RemoteCommand::shell(
        u"for i in 1 2 3; do echo $i; echo e$i >&2; until [ -e '%1'$i ]; do sleep 0.02; done; done"_s.arg(
            m_home->path(u"seen"_s)));
    command.deadlineSeconds.reset();
    const auto process = client->shell().start(command);
    QList<QByteArray> lines;
    QByteArray errors;
    bool done = false;
    connect(process.get(), &RemoteProcess::outputArrived, process.get(), [&](const QByteArray& b) { lines << b; });
    connect(process.get(), &RemoteProcess::errorArrived, process.get(), [&](const QByteArray& b) { errors += b; });
    connect(process.get(), &RemoteProcess::finished, process.get(), [&](const Result<CommandOutcome>& outcome) {
        done = true;
        QVERIFY_RESULT(outcome);
        QVERIFY(outcome->output.isEmpty());
        QCOMPARE(outcome->errorOutput, QByteArray("e1\ne2\ne3\n"));
    });
    for (int i = 1; i <= 3; ++i) { // the next one is printed when this one has come
        QTRY_COMPARE(lines.size(), i);
        QVERIFY(!done);
        SshHome::write(m_home->path(u"seen%1"_s.arg(i)), "yes");
    }
    QTRY_VERIFY(done);
    QCOMPARE(lines, (QList<QByteArray>{"1\n", "2\n", "3\n"}));
    QCOMPARE(errors, QByteArray("e1\ne2\ne3\n"));
}

void SshCommandsTest::cancelIsFastAndEndsTheProcess()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    const QString file = m_home->path(u"alive"_s);
    RemoteCommand command = RemoteCommand::shell(u"while :; do echo x; echo x >> '%1'; sleep 0.02; done"_s.arg(file));
    command.deadlineSeconds.reset();
    auto process = client->shell().start(command);
    int arrived = 0;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&arrived] { ++arrived; });
    QTRY_VERIFY(arrived > 2);
    server->setSilent(true); // one that waited for the server would never return
    process.reset();
    server->setSilent(false);
    const int before = arrived;
    QTRY_COMPARE(server->openNow(), 0); // by itself it would never end
    const qsizetype written = SshHome::read(file).size();
    test::quietFor(100);
    QCOMPARE(SshHome::read(file).size(), written);
    QCOMPARE(arrived, before);
    QVERIFY_RESULT(client->run(u"true"_s)); // the connection lives
}

void SshCommandsTest::inputReachesTheCommand()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    const QByteArray script = "#!/bin/bash\n#SBATCH --nodes=4\n\0binary\xff\n";
    const Result<CommandOutcome> outcome = client->run(RemoteCommand::of({u"cat"_s}, script));
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, script);
    const Result<CommandOutcome> none = client->run(RemoteCommand::of({u"cat"_s}));
    QVERIFY_RESULT(none); // the end of the input came
    QVERIFY(none->succeeded());
}

void SshCommandsTest::interactiveInputUntilItsEnd()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    RemoteCommand command = RemoteCommand::of({u"cat"_s}, "first ");
    command.interactive = true;
    const auto process = client->shell().start(command);
    QByteArray output;
    bool done = false;
    connect(process.get(), &RemoteProcess::outputArrived, process.get(), [&](const QByteArray& b) { output += b; });
    connect(process.get(), &RemoteProcess::finished, process.get(), [&] { done = true; });
    QTRY_COMPARE(output, QByteArray("first "));
    process->write("second ");
    QTRY_COMPARE(output, QByteArray("first second "));
    process->write("third");
    process->closeInput();
    process->write("ignored");
    QTRY_VERIFY(done);
    QCOMPARE(output, QByteArray("first second third"));
}

void SshCommandsTest::twentyMegabytesUpAndDown()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    QByteArray data;
    data.reserve(20 << 20);
    for (quint32 i = 0; data.size() < (20 << 20); ++i) {
        const quint32 word = i * 2654435761U;
        data.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    const Result<CommandOutcome> outcome = client->run(RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output.size(), data.size());
    QVERIFY(outcome->output == data);
}

/// The GUI thread is away for a while; the server must not be able to fill the memory meanwhile.
void SshCommandsTest::slowReaderIsHeldBack()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    RemoteCommand command = RemoteCommand::shell(u"head -c 60000000 /dev/zero"_s);
    const auto process = client->shell().start(command);
    qint64 received = 0;
    bool done = false;
    connect(process.get(), &RemoteProcess::outputArrived, process.get(),
        [&](const QByteArray& b) { received += b.size(); });
    connect(process.get(), &RemoteProcess::finished, process.get(), [&] { done = true; });
    const qint64 before = residentBytes();
    for (qint64 last = -1; last <= 0 || last != server->bytesOut();) { // until it sends no more
        last = server->bytesOut();
        QThread::msleep(500);
    }
    // 1 MiB of ours, and twice libssh's window of 1.28 MB: one in its buffer, one under way.
    QVERIFY2(server->bytesOut() < (1 << 20) + 2 * 1280000 + 300000, qPrintable(QString::number(server->bytesOut())));
    QVERIFY2(residentBytes() - before < (16 << 20) * slack, qPrintable(QString::number(residentBytes() - before)));
    QTRY_VERIFY(done);
    QCOMPARE(received, 60000000);
    QVERIFY2(residentBytes() - before < (24 << 20) * slack, qPrintable(QString::number(residentBytes() - before)));
}

void SshCommandsTest::startUpNoiseIsCut()
{
    SshServer::Options options;
    options.noise = "Welcome to the cluster. Maintenance on Monday!";
    const auto server = serve(options);
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(u"echo 42; echo bad >&2; exit 1"_s);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("42\n"));
    QCOMPARE(outcome->errorOutput, QByteArray("bad\n"));
    RemoteCommand open = RemoteCommand::shell(u"echo 42"_s);
    open.fenced = false;
    const Result<CommandOutcome> raw = client->run(open);
    QVERIFY_RESULT(raw);
    QCOMPARE(raw->output, QByteArray(options.noise + "42\n"));
}

void SshCommandsTest::shellThatRunsSomethingElse()
{
    SshServer::Options options;
    options.noise = "menu'; echo; echo Choose: 1 or 2; exit 0; echo '"; // a forced menu instead of the command
    const auto server = serve(options);
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(u"sbatch"_s);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Unreadable);
    QVERIFY(outcome.error().detail.contains(u"Choose: 1 or 2"_s));
}

void SshCommandsTest::refusedCommand()
{
    SshServer::Options options;
    options.refusesExec = true;
    const auto server = serve(options);
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(u"true"_s);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Io);
    QCOMPARE(client->shell().state(), LinkState::Online);
}

void SshCommandsTest::deadlines()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    RemoteCommand command = RemoteCommand::shell(u"echo begun; sleep 3000"_s);
    command.deadlineSeconds = 1;
    QElapsedTimer clock;
    clock.start();
    const Result<CommandOutcome> outcome = client->run(command); // by itself it would end too late for this test
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::TimedOut);
    QVERIFY(clock.elapsed() >= 1000);
    QTRY_COMPARE(server->openNow(), 0); // and the process is gone
    QVERIFY_RESULT(client->run(u"true"_s));
}

void SshCommandsTest::outputLimit()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    RemoteCommand command = RemoteCommand::shell(u"head -c 3000000 /dev/zero; sleep 3000"_s);
    command.outputLimit = 1000000;
    const Result<CommandOutcome> outcome = client->run(command);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Unreadable);
    QTRY_COMPARE(server->openNow(), 0);
}

void SshCommandsTest::urgentGoesFirst()
{
    const auto server = serve();
    SshTuning tuning = patientTuning();
    tuning.openChannels = 1;
    const auto client = connectTo(*server, tuning);
    QObject guard;
    QByteArray order;
    const QString gate = m_home->path(u"gate"_s);
    const auto run = [&](const QString& name, bool urgent) {
        RemoteCommand command
            = RemoteCommand::shell(u"until [ -e '%1' ]; do sleep 0.02; done; printf %2"_s.arg(gate, name));
        command.urgent = urgent;
        client->shell().run(command, &guard,
            [&order](const Result<CommandOutcome>& outcome) { order += outcome ? outcome->output : QByteArray("!"); });
    };
    run(u"a"_s, false);
    QTRY_COMPARE(server->openNow(), 1);
    run(u"b"_s, false);
    run(u"c"_s, false);
    run(u"S"_s, true);
    run(u"C"_s, true);
    SshHome::write(gate, "open");
    QTRY_COMPARE(order, QByteArray("aSCbc"));
}

void SshCommandsTest::unsendableLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("nul") << QString(u"echo a"_s + QChar(u'\0') + u"b"_s);
    QTest::newRow("too long") << QString(u"echo "_s + QString(200000, u'x'));
}

void SshCommandsTest::unsendableLines()
{
    QFETCH(QString, line);
    const auto server = serve();
    const auto client = connectTo(*server);
    const Result<CommandOutcome> outcome = client->run(line);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Invalid);
    QVERIFY_RESULT(client->run(QString(u"echo "_s + QString(100000, u'x'))));
}

void SshCommandsTest::handlesMayGoInTheirOwnSignals()
{
    const auto server = serve();
    const auto client = connectTo(*server);
    auto talking = client->shell().start(RemoteCommand::shell(u"echo out; echo err >&2; sleep 5"_s));
    QObject guard;
    connect(talking.get(), &RemoteProcess::outputArrived, &guard, [&talking] { talking.reset(); });
    auto ending = client->shell().start(RemoteCommand::shell(u"true"_s));
    connect(ending.get(), &RemoteProcess::finished, &guard, [&ending] { ending.reset(); });
    QTRY_VERIFY(!talking && !ending);
    QTRY_COMPARE(server->openNow(), 0);
}

RANKWRIGHT_TEST_MAIN(SshCommandsTest)
#include "tst_sshcommands.moc"
