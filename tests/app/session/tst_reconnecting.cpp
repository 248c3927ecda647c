// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/linkkeeper.h"
#include "models/cluster/slurm/jobrecord.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QElapsedTimer>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A LinkKeeper over real SSH against a server that counts what it asks of people: nobody's telephone rings because a
/// line was cut.
class ReconnectingTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void twoHundredCutsWithoutAnUnaskedPush();
    void cutsOfALoginByCode();
    void aPushBehindTheKeyIsNotRepeated();
    void aKeyComesBackByItself();
    void aServerThatDropsAfterLogin();

private:
    static SshServer::Options pushing() { return {.interactive = {{"Duo", "A push was sent to your phone", {}}}}; }
    std::unique_ptr<SshHome> m_home;
};

void ReconnectingTest::twoHundredCutsWithoutAnUnaskedPush()
{
    constexpr int cuts = 200;
    SshServer server(pushing());
    SshShell shell(m_home->endpoint(server));
    LinkKeeper keeper(shell, u"far"_s, u"Far away"_s, RetryPolicy(5, 10));
    for (int clicks = 1; clicks <= cuts; ++clicks) {
        keeper.open();
        QTRY_COMPARE(keeper.info().state, LinkState::Online);
        QCOMPARE(server.interactiveTries(), clicks);
        server.dropAll();
        QTRY_VERIFY(keeper.info().waitsForPerson);
        test::quietFor(20); // longer than any wait before a try of its own
        QVERIFY(keeper.info().error->what.contains(u"needs you"_s));
    }
    test::quietFor(300);
    QCOMPARE(server.interactiveTries(), cuts);
    QCOMPARE(server.connections(), cuts);
}

void ReconnectingTest::cutsOfALoginByCode()
{
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_code"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    options.keyIsNotEnough = true;
    options.interactive = {{"Second factor", "", {{"Code: ", false, "123456"}}}};
    SshServer server(options);
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshShell shell(endpoint);
    LinkKeeper keeper(shell, u"far"_s, u"Far away"_s, RetryPolicy(5, 10));
    int asked = 0;
    connect(&keeper, &LinkKeeper::promptRaised, this, [&](const LoginPrompt& prompt) {
        ++asked;
        shell.answer(prompt.id, SshClient::with({"123456"}));
    });
    for (int clicks = 1; clicks <= 20; ++clicks) {
        keeper.open();
        QTRY_COMPARE(keeper.info().state, LinkState::Online);
        server.dropAll();
        QTRY_VERIFY(keeper.info().waitsForPerson);
        test::quietFor(20);
        QCOMPARE(asked, clicks);
    }
    QCOMPARE(server.connections(), 20);
}

void ReconnectingTest::aPushBehindTheKeyIsNotRepeated()
{
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_push"_s, &publicKey);
    SshServer server({.authorizedKeys = {publicKey}, .thoughtMs = 3000});
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshShell shell(endpoint);
    SshTuning tuning = patientTuning();
    tuning.thoughtMs = 400;
    shell.setTuning(tuning);
    LinkKeeper keeper(shell, u"far"_s, u"Far away"_s, RetryPolicy(5, 10));
    keeper.open();
    QTRY_COMPARE(keeper.info().state, LinkState::Online);
    server.dropAll();
    QTRY_VERIFY(keeper.info().waitsForPerson);
    test::quietFor(300);
    QCOMPARE(server.connections(), 1);
}

void ReconnectingTest::aKeyComesBackByItself()
{
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_alone"_s, &publicKey);
    SshServer server({.authorizedKeys = {publicKey}});
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshShell shell(endpoint);
    LinkKeeper keeper(shell, u"far"_s, u"Far away"_s, RetryPolicy(5, 10));
    keeper.open();
    QTRY_COMPARE(keeper.info().state, LinkState::Online);
    server.dropAll();
    QTRY_COMPARE(server.connections(), 2);
    QTRY_COMPARE(keeper.info().state, LinkState::Online);
    QVERIFY(!keeper.info().waitsForPerson && !keeper.info().error);
}

/// Twenty minutes of a server that ends every connection after its login, in six seconds.
void ReconnectingTest::aServerThatDropsAfterLogin()
{
    constexpr double haste = 200;
    constexpr int windowMs = int(ReconnectPolicy::windowMs / haste);
    QByteArray publicKey;
    const QString file = m_home->newKey(u"key_dropped"_s, &publicKey);
    SshServer server({.authorizedKeys = {publicKey}});
    SshEndpoint endpoint = m_home->endpoint(server);
    endpoint.identities = {file};
    SshShell shell(endpoint);
    QList<qint64> logins;
    QElapsedTimer clock;
    connect(&shell, &RemoteShell::stateChanged, this, [&](LinkState state) {
        if (state == LinkState::Connecting) // when it is decided; how long a login takes is the machine's affair
            logins << clock.elapsed();
        if (state == LinkState::Online)
            server.dropAll();
    });
    LinkKeeper keeper(shell, u"far"_s, u"Far away"_s);
    keeper.setHaste(haste);
    clock.start();
    keeper.open();
    test::quietFor(2 * windowMs + windowMs / 10);
    QTRY_VERIFY(logins.size() >= 5); // it comes back all the same
    for (const qint64 begin : std::as_const(logins)) {
        const auto within = std::count_if(
            logins.cbegin(), logins.cend(), [&](qint64 at) { return at >= begin && at - begin < windowMs * 98 / 100; });
        QVERIFY2(within <= ReconnectPolicy::mostInWindow, qPrintable(QString::number(within)));
    }
    keeper.close();
}

RANKWRIGHT_TEST_MAIN(ReconnectingTest)
#include "tst_reconnecting.moc"
