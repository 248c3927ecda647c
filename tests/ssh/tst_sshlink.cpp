// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Beginnings and ends of connections.
class SshLinkTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void notConnected();
    void unreachable();
    void strangerThatIsNoSshServer();
    void serverThatSaysNothing();
    void droppedInTheMiddle();
    void silentPeerIsLost();
    void idleLinkStaysAlive();
    void closeFinishesCommands();
    void closeWhileConnecting();
    void closeWhileAsking();
    void reopens();
    void shellMayGoAnyTime_data();
    void shellMayGoAnyTime();
    void guiThreadStaysFree();

private:
    std::unique_ptr<SshServer> serve(const QByteArray& password = "p")
    {
        return std::make_unique<SshServer>(SshServer::Options{.password = password});
    }
    static void answerWith(SshClient& client, const QByteArray& password)
    {
        client.answerer = [password](const LoginPrompt&) { return SshClient::with({password}); };
    }
    static SshTuning quick()
    {
        SshTuning tuning = patientTuning();
        tuning.keepAliveMs = 1000; // after a standstill of twice as long the program asks again
        tuning.silentTicks = 3;
        return tuning;
    }
    std::unique_ptr<SshHome> m_home;
};

void SshLinkTest::notConnected()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    const Result<CommandOutcome> outcome = client.run(u"true"_s);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Offline);
    QCOMPARE(client.shell().state(), LinkState::Offline);
    QVERIFY(!client.shell().traffic()->roundTripMs);
    client.shell().close();
    QVERIFY(client.states.isEmpty());
}

void SshLinkTest::unreachable()
{
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = Listener::freePort();
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::Offline);
    QVERIFY(client.shell().lastError()->detail.contains(u"refused"_s));

    endpoint.host = u"no-such-host.invalid"_s;
    SshClient lost(endpoint, SshTuning()); // a resolver may take its time
    QCOMPARE(lost.connectNow(), LinkState::Offline);
    QCOMPARE(lost.shell().lastError()->fault, Fault::Offline);
}

void SshLinkTest::strangerThatIsNoSshServer()
{
    const Listener stranger("HTTP/1.1 400 Bad Request\r\n\r\n" + QByteArray(2000, 'x') + "\r\n");
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = stranger.port();
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::Offline);
}

void SshLinkTest::serverThatSaysNothing()
{
    const Listener mute;
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = mute.port();
    SshTuning tuning = patientTuning();
    tuning.connectMs = 300;
    SshClient client(endpoint, tuning);
    QCOMPARE(client.connectNow(), LinkState::Offline); // nothing else would ever end it
    QCOMPARE(client.shell().lastError()->fault, Fault::Offline);
    QVERIFY(client.shell().lastError()->detail.contains(u"0.3 s"_s));
}

void SshLinkTest::droppedInTheMiddle()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Online);
    const auto process = client.shell().start(RemoteCommand::shell(u"echo begun; sleep 3000"_s));
    QByteArray output;
    std::optional<Fault> fault;
    LinkState stateAtEnd = LinkState::Online;
    connect(process.get(), &RemoteProcess::outputArrived, process.get(), [&](const QByteArray& b) { output += b; });
    connect(process.get(), &RemoteProcess::finished, process.get(), [&](const Result<CommandOutcome>& outcome) {
        fault = outcome ? Fault::Invalid : outcome.error().fault;
        stateAtEnd = client.shell().state();
    });
    QTRY_COMPARE(output, QByteArray("begun\n"));
    server->dropAll();
    QVERIFY(client.waitFor(LinkState::Lost));
    QTRY_VERIFY(fault.has_value());
    QCOMPARE(*fault, Fault::Offline);
    QCOMPARE(stateAtEnd, LinkState::Lost);
    QCOMPARE(client.shell().lastError()->fault, Fault::Offline);
    QVERIFY(!client.run(u"true"_s));
}

void SshLinkTest::silentPeerIsLost()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server), quick());
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Online);
    const auto process = client.shell().start(RemoteCommand::shell(u"sleep 3000"_s));
    std::optional<Fault> fault;
    connect(process.get(), &RemoteProcess::finished, process.get(),
        [&](const Result<CommandOutcome>& outcome) { fault = outcome ? Fault::Invalid : outcome.error().fault; });
    QTRY_COMPARE(server->openNow(), 1);
    server->setSilent(true);
    QVERIFY(client.waitFor(LinkState::Lost)); // nothing else would ever end it
    QTRY_COMPARE(fault.value_or(Fault::Invalid), Fault::Offline);
    server->setSilent(false);
}

void SshLinkTest::idleLinkStaysAlive()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server), quick());
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Online);
    test::quietFor(3500); // longer than a silent peer is kept
    QCOMPARE(client.shell().state(), LinkState::Online);
    QTRY_VERIFY(client.shell().traffic()->roundTripMs.has_value());
    QVERIFY(*client.shell().traffic()->roundTripMs > 0);
    QCOMPARE(client.shell().traffic()->openChannels, 0);
}

void SshLinkTest::closeFinishesCommands()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Online);
    QObject guard;
    QList<Fault> faults;
    for (int i = 0; i < 10; ++i) {
        client.shell().run(
            RemoteCommand::shell(u"sleep 3000"_s), &guard, [&faults](const Result<CommandOutcome>& outcome) {
                faults << (outcome ? Fault::Invalid : outcome.error().fault);
            });
    }
    QTRY_COMPARE(server->openNow(), 6);
    server->setSilent(true); // one that waited for the server would never return
    client.shell().close();
    server->setSilent(false);
    QCOMPARE(faults, QList<Fault>(10, Fault::Offline));
    QCOMPARE(client.shell().state(), LinkState::Offline);
    QVERIFY(!client.shell().lastError());
}

void SshLinkTest::closeWhileConnecting()
{
    const Listener mute;
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = mute.port();
    for (const int wait : {0, 1, 5, 50}) {
        SshClient client(endpoint);
        client.shell().open();
        test::quietFor(wait);
        client.shell().close(); // one that waited for the server would never return
        QCOMPARE(client.shell().state(), LinkState::Offline);
        test::quietFor(20);
        QCOMPARE(client.states, (QList{LinkState::Connecting, LinkState::Offline}));
    }
    // A name that does not resolve soon: the thread is left to itself.
    endpoint.host = u"no-such-host.invalid"_s;
    SshClient client(endpoint);
    client.shell().open();
    test::quietFor(2);
    client.destroyShell();
}

void SshLinkTest::closeWhileAsking()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    client.shell().open();
    QTRY_COMPARE(client.prompts.size(), 1);
    const quint64 id = client.prompts.first().id;
    client.shell().close();
    client.shell().answer(id, SshClient::with({"p"}));
    test::quietFor(50);
    QCOMPARE(client.shell().state(), LinkState::Offline);
    QCOMPARE(server->passwordTries(), 0);
}

void SshLinkTest::reopens()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    answerWith(client, "p");
    for (int i = 0; i < 3; ++i) {
        QVERIFY2(client.connectNow() == LinkState::Online, qPrintable(client.whyNot()));
        QVERIFY_RESULT(client.run(u"true"_s));
        if (i == 1) {
            server->dropAll();
            QVERIFY(client.waitFor(LinkState::Lost));
        } else {
            client.shell().close();
            QCOMPARE(client.shell().state(), LinkState::Offline);
        }
    }
    QCOMPARE(server->connections(), 3);
}

void SshLinkTest::shellMayGoAnyTime_data()
{
    QTest::addColumn<int>("waitMs");
    for (const int wait : {0, 1, 3, 10, 30, 100})
        QTest::addRow("%d ms", wait) << wait;
}

void SshLinkTest::shellMayGoAnyTime()
{
    QFETCH(int, waitMs);
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    answerWith(client, "p");
    client.shell().open();
    test::quietFor(waitMs);
    int ended = 0;
    const auto process = client.shell().start(RemoteCommand::shell(u"sleep 3000"_s));
    connect(process.get(), &RemoteProcess::finished, process.get(), [&ended] { ++ended; });
    client.destroyShell();
    process->write("late");
    process->closeInput();
    QTRY_COMPARE(ended, 1);
}

/// Everything at once: the event loop of the GUI thread keeps turning. Held against the thread's own processor time,
/// and never waiting for the server, which answers only after everything was asked.
void SshLinkTest::guiThreadStaysFree()
{
    const auto server = serve();
    SshClient client(m_home->endpoint(*server));
    answerWith(client, "p");
    QObject guard;
    const TurnWatch watch;
    QCOMPARE(client.connectNow(), LinkState::Online);
    int done = 0;
    server->setSilent(true);
    for (int i = 0; i < 12; ++i) {
        const QString line
            = i % 3 == 0 ? u"head -c 3000000 /dev/zero"_s : u"for i in 1 2 3 4 5; do echo $i; sleep 0.5; done"_s;
        client.shell().run(RemoteCommand::shell(line), &guard, [&done](const Result<CommandOutcome>&) { ++done; });
    }
    server->setSilent(false);
    QTRY_COMPARE(done, 12);
    client.shell().close();
    QVERIFY2(watch.longestWorkMs() < 5 * slack, qPrintable(QString::number(watch.longestWorkMs())));
}

RANKWRIGHT_TEST_MAIN(SshLinkTest)
#include "tst_sshlink.moc"
