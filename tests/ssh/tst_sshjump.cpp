// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The way through jump hosts, each a server of its own in this process.
class SshJumpTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void jump();
    void jumpCarriesMuchBothWays();
    void jumpThatCannotReachTheTarget();
    void jumpThatFails();
    void jumpIsCut();

private:
    static std::unique_ptr<SshServer> serve(const QByteArray& password = "p")
    {
        return std::make_unique<SshServer>(SshServer::Options{.password = password});
    }
    static void answerWith(SshClient& client, const QByteArray& password)
    {
        client.answerer = [password](const LoginPrompt&) { return SshClient::with({password}); };
    }
    std::unique_ptr<SshHome> m_home;
};

void SshJumpTest::jump()
{
    const auto target = serve("far");
    const auto gate = serve("near");
    SshEndpoint endpoint = m_home->endpoint(*target, false);
    endpoint.jumps = {m_home->endpoint(*gate)};
    SshClient client(endpoint);
    client.answerer = [&](const LoginPrompt& prompt) -> std::optional<PromptAnswer> {
        if (prompt.kind == LoginPrompt::Kind::HostKey)
            return SshClient::yes();
        return SshClient::with({prompt.host.endsWith(QString::number(gate->port())) ? "near" : "far"});
    };
    QCOMPARE(client.connectNow(), LinkState::Online);
    // The gate's key is on record; then its password, the target's key, the target's password.
    QCOMPARE(client.prompts.size(), 3);
    QCOMPARE(client.prompts[0].kind, LoginPrompt::Kind::Password);
    QVERIFY(client.prompts[0].isJump && !client.prompts[2].isJump); // no password of the one for the other
    QCOMPARE(client.prompts[1].fingerprint, target->fingerprint());
    const Result<CommandOutcome> outcome = client.run(u"echo through the gate"_s);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("through the gate\n"));
    QCOMPARE(target->connections(), 1);
    QCOMPARE(gate->connections(), 1);
}

void SshJumpTest::jumpCarriesMuchBothWays()
{
    const auto target = serve();
    const auto middle = serve();
    const auto gate = serve();
    SshEndpoint endpoint = m_home->endpoint(*target);
    endpoint.jumps = {m_home->endpoint(*gate), m_home->endpoint(*middle)};
    SshClient client(endpoint);
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Online);
    QByteArray data;
    for (quint32 i = 0; data.size() < (8 << 20); ++i) {
        const quint32 word = i * 2654435761U;
        data.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    const Result<CommandOutcome> outcome = client.run(RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == data);
}

void SshJumpTest::jumpThatCannotReachTheTarget()
{
    const auto gate = serve();
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = Listener::freePort();
    endpoint.jumps = {m_home->endpoint(*gate)};
    SshClient client(endpoint);
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::Offline);
    QVERIFY2(
        client.shell().lastError()->what.contains(u"jump host"_s), qPrintable(client.shell().lastError()->oneLine()));
}

void SshJumpTest::jumpThatFails()
{
    const auto target = serve();
    const auto gate = serve("other");
    SshEndpoint endpoint = m_home->endpoint(*target);
    endpoint.jumps = {m_home->endpoint(*gate)};
    SshClient client(endpoint);
    answerWith(client, "p");
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::LoginRefused);
    QVERIFY(client.shell().lastError()->what.startsWith(u"Jump host 127.0.0.1"_s));
    QCOMPARE(target->connections(), 0);
}

void SshJumpTest::jumpIsCut()
{
    const auto target = serve();
    const auto gate = serve();
    SshEndpoint endpoint = m_home->endpoint(*target);
    endpoint.jumps = {m_home->endpoint(*gate)};
    for (SshServer* victim : {gate.get(), target.get()}) {
        SshClient client(endpoint);
        answerWith(client, "p");
        QCOMPARE(client.connectNow(), LinkState::Online);
        const auto process = client.shell().start(RemoteCommand::shell(u"sleep 3000"_s));
        bool failed = false;
        connect(process.get(), &RemoteProcess::finished, process.get(),
            [&failed](const Result<CommandOutcome>& outcome) { failed = !outcome; });
        QTRY_COMPARE(target->openNow(), 1);
        victim->dropAll();
        QVERIFY(client.waitFor(LinkState::Lost));
        QTRY_VERIFY(failed);
    }
}

RANKWRIGHT_TEST_MAIN(SshJumpTest)
#include "tst_sshjump.moc"
