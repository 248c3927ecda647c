// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshgreeting.h"
#include "tests/ssh/support/cuttingrelay.h"
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Connections that end where they should not, and whether that is told soon and in words that help.
class SshCutsTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void cutsDuringLogin_data();
    void cutsDuringLogin();
    void cutsOfAJumpDuringLogin();
    void frozenServerIsToldInTime();
    void doubtIsSettledSooner();
    void greetings_data();
    void greetings();
    void whatAServerSaysInPlaceOfSsh_data();
    void whatAServerSaysInPlaceOfSsh();
    void closedBeforeAWord();
    void unknownNameIsSaidAsSuch();
    void silentPushIsNoticed_data();
    void silentPushIsNoticed();

private:
    SshEndpoint endpointOf(const SshServer& server, const QString& key, int port) const
    {
        SshEndpoint endpoint = m_home->endpoint(server);
        endpoint.identities = {key};
        endpoint.port = port;
        const QByteArray was = "]:" + QByteArray::number(server.port()) + ' ';
        const QByteArray now = "]:" + QByteArray::number(port) + ' ';
        const QByteArray line = server.knownHostsLine().replace(was, now);
        endpoint.knownHosts = m_home->path(u"known_%1"_s.arg(port));
        SshHome::write(endpoint.knownHosts, line);
        return endpoint;
    }
    /// Connects through a relay that cuts `cuts` times at random bytes up to what a whole login takes.
    void cutAtRandom(SshServer& server, const SshEndpoint& endpoint, CuttingRelay& relay, int cuts);
    std::unique_ptr<SshHome> m_home;
};

void SshCutsTest::cutAtRandom(SshServer& server, const SshEndpoint& endpoint, CuttingRelay& relay, int cuts)
{
    const auto answer = [](const LoginPrompt&) { return SshClient::with({"secret"}); };
    qint64 whole = 0;
    {
        SshClient client(endpoint);
        client.answerer = answer;
        QCOMPARE(client.connectNow(), LinkState::Online);
        whole = relay.bytes();
        QVERIFY(whole > 1000);
    }
    QRandomGenerator random(20260801);
    for (int i = 0; i < cuts; ++i) {
        const qint64 after = random.bounded(whole);
        const auto way = CuttingRelay::Way(i % 3);
        relay.cutAfter(after, way);
        // Nothing but what the cut itself shows ends the login: every limit of the program's is longer than the test's.
        // A cut at the very end is one of a connection that stands: a keep-alive may be what notices it.
        SshTuning tuning = patientTuning();
        tuning.keepAliveMs = 1000;
        SshClient client(endpoint, tuning);
        client.answerer = answer;
        client.shell().open();
        const bool told = test::comes([&client] {
            const LinkState state = client.shell().state();
            return state == LinkState::Offline || state == LinkState::Lost;
        });
        const QString where = u"cut %1 after %2 of %3 bytes, way %4: "_s.arg(i).arg(after).arg(whole).arg(i % 3);
        QVERIFY2(told, qPrintable(where));
        QVERIFY(client.shell().lastError());
        const Error why = *client.shell().lastError();
        const QString said = where + why.oneLine();
        QVERIFY2(!why.what.isEmpty() && !why.remedy.isEmpty(), qPrintable(said));
        QVERIFY2(why.fault == Fault::Offline || why.fault == Fault::TurnedAway || why.fault == Fault::LoginRefused,
            qPrintable(said));
    }
    QVERIFY(server.connections() > 1);
}

void SshCutsTest::cutsDuringLogin_data()
{
    QTest::addColumn<bool>("questions");
    QTest::newRow("key") << false;
    QTest::newRow("key and code") << true;
}

/// One in five hung for 120 s although the socket was gone.
void SshCutsTest::cutsDuringLogin()
{
    QFETCH(bool, questions);
    SshServer::Options options;
    QByteArray publicKey;
    const QString file = m_home->newKey(questions ? u"cut_code"_s : u"cut_key"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    if (questions) {
        options.keyIsNotEnough = true;
        options.interactive = {{"Two factors", "", {{"Code: ", false, "secret"}}}};
    }
    SshServer server(options);
    CuttingRelay relay(server.port());
    cutAtRandom(server, endpointOf(server, file, relay.port()), relay, 50);
}

/// What is behind the jump waited for answers that could not come.
void SshCutsTest::cutsOfAJumpDuringLogin()
{
    QByteArray publicKey;
    const QString file = m_home->newKey(u"cut_jump"_s, &publicKey);
    SshServer target({.authorizedKeys = {publicKey}});
    SshServer gate({.authorizedKeys = {publicKey}});
    CuttingRelay relay(gate.port());
    SshEndpoint endpoint = endpointOf(target, file, target.port());
    endpoint.jumps = {endpointOf(gate, file, relay.port())};
    cutAtRandom(gate, endpoint, relay, 30);
}

/// With a tenth of the real waits: the defaults tell it within 45 s.
void SshCutsTest::frozenServerIsToldInTime()
{
    const SshTuning defaults;
    QVERIFY(defaults.keepAliveMs * defaults.silentTicks <= 45000 - 5000);
    QByteArray publicKey;
    const QString file = m_home->newKey(u"frozen"_s, &publicKey);
    SshServer server({.authorizedKeys = {publicKey}});
    SshTuning tuning;
    tuning.keepAliveMs = defaults.keepAliveMs / 10;
    SshClient client(endpointOf(server, file, server.port()), tuning);
    QCOMPARE(client.connectNow(), LinkState::Online);
    // Just after an answer: the worst moment.
    QTRY_VERIFY(client.shell().traffic()->roundTripMs);
    server.setSilent(true);
    QVERIFY(client.waitFor(LinkState::Lost)); // nothing else would ever end it
    static const QRegularExpression words(u"Nothing came for [4-9]"_s);
    QVERIFY2(
        words.match(client.shell().lastError()->detail).hasMatch(), qPrintable(client.shell().lastError()->detail));
    server.setSilent(false);
}

void SshCutsTest::doubtIsSettledSooner()
{
    QByteArray publicKey;
    const QString file = m_home->newKey(u"doubt"_s, &publicKey);
    SshServer server({.authorizedKeys = {publicKey}});
    SshTuning tuning = patientTuning();
    tuning.hurryMs = 2000;
    SshClient client(endpointOf(server, file, server.port()), tuning);
    QCOMPARE(client.connectNow(), LinkState::Online);
    const qint64 heard = client.shell().traffic()->bytesIn;
    client.shell().probe();
    QTRY_VERIFY(client.shell().traffic()->bytesIn > heard);
    test::quietFor(2500);
    QCOMPARE(client.shell().state(), LinkState::Online); // it answered
    server.setSilent(true);
    // What it has begun to answer may still come: then the next question is the one that it owes.
    QVERIFY(test::comes(
        [&client] {
            client.shell().probe();
            return client.shell().state() == LinkState::Lost;
        },
        500));
    server.setSilent(false);
}

void SshCutsTest::greetings_data()
{
    QTest::addColumn<FailedGreeting>("seen");
    QTest::addColumn<QString>("what");
    QTest::addColumn<bool>("leaveAlone");
    const QString host = u"login.example.org"_s;
    QTest::newRow("captive portal") << FailedGreeting{host, u"HTTP/1.1 302 Found"_s, {}, 400, true, 0} << u"web page"_s
                                    << false;
    QTest::newRow("page without a head") << FailedGreeting{host, u"<!DOCTYPE html>"_s, {}, 400, true, 0}
                                         << u"web page"_s << false;
    QTest::newRow("MaxStartups") << FailedGreeting{host, u"Exceeded MaxStartups"_s, {}, 22, true, 0}
                                 << u"takes no more connections"_s << true;
    QTest::newRow("penalty") << FailedGreeting{host, u"Not allowed at this time"_s, {}, 26, true, 0}
                             << u"takes no more connections"_s << true;
    QTest::newRow("closed at once") << FailedGreeting{host, {}, u"Socket error: disconnected"_s, 0, true, 0}
                                    << u"closed the connection before"_s << true;
    QTest::newRow("mail server") << FailedGreeting{host, u"220 mail ESMTP"_s, {}, 30, false, 0}
                                 << u"does not answer as an SSH server"_s << false;
    QTest::newRow("another protocol") << FailedGreeting{host, u"J\u00ad\u00f3\u00df\u00b0\u00c1x"_s, {}, 30, false, 0}
                                      << u"does not answer as an SSH server"_s << false;
    QTest::newRow("mute") << FailedGreeting{host, {}, {}, 0, false, 20000} << u"says nothing"_s << false;
    QTest::newRow("cut in the exchange") << FailedGreeting{host, {}, u"Socket error: disconnected"_s, 900, true, 0}
                                         << u"while keys were exchanged"_s << false;
    QTest::newRow("frozen in the exchange")
        << FailedGreeting{host, {}, {}, 900, false, 20000} << u"fell silent"_s << false;
    QTest::newRow("nothing in common") << FailedGreeting{host, {},
        u"kex error : no match for method kex algos: server [x], client [y]"_s, 900, false, 0}
                                       << u"no common way to encrypt"_s << false;
    QTest::newRow("nothing in common, and reset") << FailedGreeting{host, {}, u"Socket error: disconnected"_s, 900,
        true, 0, u"MAC to the server: the server takes x; this program offers y"_s}
                                                  << u"no common way to encrypt"_s << false;
}

void SshCutsTest::greetings()
{
    QFETCH(FailedGreeting, seen);
    QFETCH(QString, what);
    QFETCH(bool, leaveAlone);
    const Error why = greetingError(seen);
    QVERIFY2(why.what.contains(what) && why.what.contains(seen.host), qPrintable(why.oneLine()));
    QCOMPARE(why.fault, leaveAlone ? Fault::TurnedAway : Fault::Offline);
    QVERIFY(!why.remedy.isEmpty());
}

void SshCutsTest::whatAServerSaysInPlaceOfSsh_data()
{
    QTest::addColumn<QByteArray>("greeting");
    QTest::addColumn<QString>("what");
    QTest::addColumn<Fault>("fault");
    QTest::newRow("captive portal") << QByteArray("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>")
                                    << u"web page"_s << Fault::Offline;
    QTest::newRow("MaxStartups") << QByteArray("Exceeded MaxStartups\r\n") << u"takes no more connections"_s
                                 << Fault::TurnedAway;
    QTest::newRow("penalty") << QByteArray("Not allowed at this time\r\n") << u"takes no more connections"_s
                             << Fault::TurnedAway;
    QTest::newRow("mail server") << QByteArray("220 mail.example.org ESMTP\r\n")
                                 << u"does not answer as an SSH server"_s << Fault::Offline;
}

void SshCutsTest::whatAServerSaysInPlaceOfSsh()
{
    QFETCH(QByteArray, greeting);
    QFETCH(QString, what);
    QFETCH(Fault, fault);
    const Listener stranger(greeting);
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = stranger.port();
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const Error why = *client.shell().lastError();
    QVERIFY2(why.what.contains(what), qPrintable(why.oneLine()));
    QCOMPARE(why.fault, fault);
}

void SshCutsTest::closedBeforeAWord()
{
    SshServer server({.password = "p"});
    for (const auto way : {CuttingRelay::Way::Close, CuttingRelay::Way::Reset, CuttingRelay::Way::HalfClose}) {
        CuttingRelay relay(server.port());
        relay.cutAfter(0, way);
        SshEndpoint endpoint = m_home->endpoint(server);
        endpoint.port = relay.port();
        SshClient client(endpoint);
        QCOMPARE(client.connectNow(), LinkState::Offline);
        const Error why = *client.shell().lastError();
        QVERIFY2(why.what.contains(u"before it said anything"_s), qPrintable(why.oneLine()));
        QCOMPARE(why.fault, Fault::TurnedAway);
    }
}

void SshCutsTest::unknownNameIsSaidAsSuch()
{
    SshEndpoint endpoint;
    endpoint.host = u"no-such-host.invalid"_s;
    SshClient client(endpoint, SshTuning()); // a resolver may take its time
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const Error why = *client.shell().lastError();
    QCOMPARE(why.fault, Fault::Offline);
    QVERIFY2(why.what.contains(endpoint.host) && why.what.contains(u"name server"_s), qPrintable(why.oneLine()));
}

void SshCutsTest::silentPushIsNoticed_data()
{
    QTest::addColumn<int>("slownessMs");
    QTest::addColumn<int>("thoughtMs");
    QTest::addColumn<int>("boundMs"); // what is taken for a person's time: no busy machine is so slow by itself
    QTest::addColumn<bool>("took");
    QTest::newRow("a key, answered at once") << 0 << 0 << test::longWaitMs << false;
    QTest::newRow("a push behind the key") << 0 << 3000 << 400 << true;
    QTest::newRow("a server that is slow in everything") << 2000 << 0 << 400 << false;
}

/// Some sites ring a telephone after the key was accepted, without a word to the client.
void SshCutsTest::silentPushIsNoticed()
{
    QFETCH(int, slownessMs);
    QFETCH(int, thoughtMs);
    QFETCH(int, boundMs);
    QFETCH(bool, took);
    QByteArray publicKey;
    const QString file = m_home->newKey(QString::fromLatin1(QTest::currentDataTag()).replace(u' ', u'_'), &publicKey);
    SshServer server({.authorizedKeys = {publicKey}, .slownessMs = slownessMs, .thoughtMs = thoughtMs});
    SshTuning tuning = patientTuning();
    tuning.thoughtMs = boundMs;
    SshClient client(endpointOf(server, file, server.port()), tuning);
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.shell().loginTookPerson(), took);
}

RANKWRIGHT_TEST_MAIN(SshCutsTest)
#include "tst_sshcuts.moc"
