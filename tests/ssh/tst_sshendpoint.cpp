// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshendpoint.h"

#include "ssh/sshconfighosts.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QStandardPaths>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

class SshEndpointTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void labels_data();
    void labels();
    void jumps_data();
    void jumps();
    void printedConfiguration();
    void oldProxyCommands_data();
    void oldProxyCommands();
    void resolvesAliases();
    void shortNamesOfTheCatalogue_data();
    void shortNamesOfTheCatalogue();
    void optionsWinOverTheConfiguration();
    void chainsOfJumps();
    void fingerprintsOfTheGateway();
    void circlesEnd();
    void hostsOfTheConfiguration();
    void commandsShownAreQuoted();
    void keyCommandsAreRefused();
    void refusesNonsense_data();
    void refusesNonsense();

private:
    QString configuration(const QByteArray& text) const
    {
        const QString file = m_home->path(u"config"_s);
        SshHome::write(file, text);
        return file;
    }
    static bool hasClient() { return !QStandardPaths::findExecutable(u"ssh"_s).isEmpty(); }
    std::unique_ptr<SshHome> m_home;
};

void SshEndpointTest::labels_data()
{
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("keyName");
    QTest::newRow("usual") << u"ada"_s << u"lumi.csc.fi"_s << 22 << u"ada@lumi.csc.fi"_s << u"lumi.csc.fi"_s;
    QTest::newRow("port") << u"ada"_s << u"127.0.0.1"_s << 2222 << u"ada@127.0.0.1:2222"_s << u"[127.0.0.1]:2222"_s;
    QTest::newRow("no user") << QString() << u"Host"_s << 22 << u"Host"_s << u"host"_s;
    QTest::newRow("IPv6") << u"a"_s << u"fe80::1"_s << 2222 << u"a@[fe80::1]:2222"_s << u"[fe80::1]:2222"_s;
}

void SshEndpointTest::labels()
{
    QFETCH(QString, user);
    QFETCH(QString, host);
    QFETCH(int, port);
    SshEndpoint endpoint;
    endpoint.user = user;
    endpoint.host = host;
    endpoint.port = port;
    QTEST(endpoint.label(), "label");
    QTEST(endpoint.keyName(), "keyName");
    endpoint.hostKeyAlias = u"alias"_s;
    QCOMPARE(endpoint.keyName(), u"alias"_s);
}

void SshEndpointTest::jumps_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("valid");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::newRow("host") << u"gate"_s << true << QString() << u"gate"_s << 0;
    QTest::newRow("all") << u"ada@gate.example.org:2200"_s << true << u"ada"_s << u"gate.example.org"_s << 2200;
    QTest::newRow("uri") << u"ssh://ada@gate:22/"_s << true << u"ada"_s << u"gate"_s << 22;
    QTest::newRow("IPv6") << u"ada@[fe80::1]:2200"_s << true << u"ada"_s << u"fe80::1"_s << 2200;
    QTest::newRow("user with a dot") << u"a.b-c@gate"_s << true << u"a.b-c"_s << u"gate"_s << 0;
    QTest::newRow("option") << u"-oProxyCommand=x"_s << false << QString() << QString() << 0;
    QTest::newRow("space") << u"gate two"_s << false << QString() << QString() << 0;
    QTest::newRow("no port") << u"gate:"_s << false << QString() << QString() << 0;
    QTest::newRow("large port") << u"gate:99999"_s << false << QString() << QString() << 0;
    QTest::newRow("empty") << QString() << false << QString() << QString() << 0;
}

void SshEndpointTest::jumps()
{
    QFETCH(QString, text);
    QFETCH(bool, valid);
    const std::optional<SshRequest> request = parseJump(text);
    QCOMPARE(request.has_value(), valid);
    if (!valid)
        return;
    QTEST(request->user, "user");
    QTEST(request->host, "host");
    QTEST(request->port.value_or(0), "port");
}

/// Lines as OpenSSH 9.2 prints them.
void SshEndpointTest::printedConfiguration()
{
    QString jumps;
    const Result<SshEndpoint> endpoint
        = parseResolved("user ada\nhostname lumi.csc.fi\nport 22\nidentitiesonly yes\n"
                        "identityfile ~/.ssh/id_lumi\nidentityfile ~/.ssh/id_rsa\n"
                        "userknownhostsfile /home/ada/.ssh/known_hosts /home/ada/.ssh/known_hosts2\n"
                        "identityagent SSH_AUTH_SOCK\nproxyjump gate,ada@second:2200\n",
            &jumps);
    QVERIFY_RESULT(endpoint);
    QCOMPARE(endpoint->host, u"lumi.csc.fi"_s);
    QCOMPARE(endpoint->user, u"ada"_s);
    QCOMPARE(endpoint->identities, QStringList(QDir::homePath() + u"/.ssh/id_lumi"_s));
    QVERIFY(endpoint->identitiesOnly);
    QCOMPARE(endpoint->knownHosts, u"/home/ada/.ssh/known_hosts"_s);
    QVERIFY(endpoint->agentSocket.isEmpty());
    QCOMPARE(jumps, u"gate,ada@second:2200"_s);
    QVERIFY(!parseResolved("nonsense", &jumps));
}

void SshEndpointTest::oldProxyCommands_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("jump"); // empty: an error
    QTest::newRow("plain") << u"ssh -W %h:%p gate"_s << u"gate"_s;
    QTest::newRow("path and options") << u"/usr/bin/ssh -q -W [%h]:%p ada@gate"_s << u"ada@gate"_s;
    QTest::newRow("option behind") << u"ssh -W %h:%p -q gate"_s << u"gate"_s;
    QTest::newRow("netcat") << u"nc -X connect -x proxy:8080 %h %p"_s << QString();
    QTest::newRow("two commands") << u"ssh -W %h:%p gate; rm x"_s << QString();
}

void SshEndpointTest::oldProxyCommands()
{
    QFETCH(QString, command);
    QFETCH(QString, jump);
    QString jumps;
    const Result<SshEndpoint> endpoint
        = parseResolved("hostname h\nport 22\nproxycommand " + command.toUtf8() + '\n', &jumps);
    QCOMPARE(endpoint.hasValue(), !jump.isEmpty());
    if (endpoint)
        QCOMPARE(jumps, jump);
    else
        QVERIFY(!endpoint.error().remedy.isEmpty());
}

void SshEndpointTest::resolvesAliases()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"lumi"_s;
    request.configFile
        = configuration("Host lumi\n  HostName lumi.csc.fi\n  User ada\n  Port 2200\n  IdentityFile ~/keys/lumi\n"
                        "  HostKeyAlias lumi-logins\n  IdentityAgent /run/agent.sock\n  IdentitiesOnly yes\n");
    request.published = {u"SHA256:x"_s};
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    QCOMPARE(endpoint->label(), u"ada@lumi.csc.fi:2200"_s);
    QCOMPARE(endpoint->identities, QStringList(QDir::homePath() + u"/keys/lumi"_s));
    QCOMPARE(endpoint->keyName(), u"lumi-logins"_s);
    QCOMPARE(endpoint->agentSocket, u"/run/agent.sock"_s);
    QVERIFY(endpoint->identitiesOnly);
    QCOMPARE(endpoint->published, request.published);
    QVERIFY(endpoint->jumps.isEmpty());
    request.host = u"other.example.org"_s;
    const Result<SshEndpoint> other = resolveEndpoint(request);
    QVERIFY_RESULT(other);
    QCOMPARE(other->host, u"other.example.org"_s);
    QVERIFY(other->identities.isEmpty());
}

void SshEndpointTest::shortNamesOfTheCatalogue_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("label");
    const auto row
        = [](const char* name, const QByteArray& text, const QString& label) { QTest::newRow(name) << text << label; };
    row("the short name alone", "Host lumi\n HostName lumi.csc.fi\n User ada\n Port 2200\n", u"ada@lumi.csc.fi:2200"_s);
    row("one login node of several", "Host lumi\n HostName lumi-uan03.csc.fi\n User ada\n", u"ada@lumi-uan03.csc.fi"_s);
    row("the full name counts first", "Host lumi\n HostName lumi.csc.fi\n User eve\nHost lumi.csc.fi\n User ada\n",
        u"ada@lumi.csc.fi"_s);
    row("both on one line", "Host lumi lumi.csc.fi\n HostName lumi.csc.fi\n User ada\n", u"ada@lumi.csc.fi"_s);
    row("something else of this name", "Host lumi\n HostName raspberry.example.org\n User eve\nHost *\n User ada\n",
        u"ada@lumi.csc.fi"_s);
    row("no name of its own", "Host lumi\n User eve\nHost *\n User ada\n", u"ada@lumi.csc.fi"_s);
    row("a pattern is not a name", "Host lum*\n User ada\n", u"ada@lumi.csc.fi"_s);
}

/// The catalogue's cluster is lumi, at lumi.csc.fi; people have a Host lumi.
void SshEndpointTest::shortNamesOfTheCatalogue()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    QFETCH(QByteArray, text);
    QFETCH(QString, label);
    SshRequest request;
    request.host = u"lumi.csc.fi"_s;
    request.alias = u"lumi"_s;
    request.configFile = configuration(text);
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    QCOMPARE(endpoint->label(), label);
}

void SshEndpointTest::optionsWinOverTheConfiguration()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"lumi"_s;
    request.port = 22;
    request.user = u"grace"_s;
    request.identities = {u"~/mine"_s};
    request.knownHosts = u"/tmp/with space/known_hosts"_s;
    request.jump = u"none"_s;
    request.configFile
        = configuration("Host lumi\n  User ada\n  Port 2200\n  ProxyJump gate\n  IdentityFile ~/keys/lumi\n");
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    QCOMPARE(endpoint->label(), u"grace@lumi"_s);
    QCOMPARE(endpoint->identities, QStringList(QDir::homePath() + u"/mine"_s));
    QCOMPARE(endpoint->knownHosts, request.knownHosts);
    QVERIFY(endpoint->jumps.isEmpty());
}

void SshEndpointTest::chainsOfJumps()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"target"_s;
    request.configFile
        = configuration("Host target\n  ProxyJump ada@first,second:2200\nHost first\n  HostName first.example.org\n"
                        "  ProxyJump zeroth\nHost second\n  User bob\n  ProxyJump ignored\n");
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    QStringList hosts;
    for (const SshEndpoint& jump : endpoint->jumps) {
        hosts << jump.host;
        QVERIFY(jump.jumps.isEmpty());
    }
    QCOMPARE(hosts, (QStringList{u"zeroth"_s, u"first.example.org"_s, u"second"_s}));
    QCOMPARE(endpoint->jumps[1].user, u"ada"_s);
    QCOMPARE(endpoint->jumps[2].label(), u"bob@second:2200"_s);
}

/// A gateway's published keys are held against the gateway, never against the host behind it (MPCDF publishes the keys
/// of its gateways alone).
void SshEndpointTest::fingerprintsOfTheGateway()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"raven.mpcdf.mpg.de"_s;
    request.publishedJump = u"gate.mpcdf.mpg.de"_s;
    request.publishedForJump = {u"SHA256:gate"_s};
    request.configFile = configuration("Host g\n  HostName gate.mpcdf.mpg.de\n");
    for (const QString& jump : {u"gate.mpcdf.mpg.de"_s, u"ada@g"_s, u"other.example.org"_s}) {
        request.jump = jump;
        const Result<SshEndpoint> endpoint = resolveEndpoint(request);
        QVERIFY_RESULT(endpoint);
        QVERIFY(endpoint->published.isEmpty());
        QCOMPARE(endpoint->jumps.first().published,
            jump == u"other.example.org"_s ? QStringList() : request.publishedForJump);
    }
}

void SshEndpointTest::circlesEnd()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"a"_s;
    request.configFile = configuration("Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n");
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().fault, Fault::Invalid);
}

void SshEndpointTest::refusesNonsense_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("jump");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("an option") << u"-oProxyCommand=touch /tmp/x"_s << QString();
    QTest::newRow("a space") << u"a b"_s << QString();
    QTest::newRow("jump is an option") << u"host"_s << u"-x"_s;
}

void SshEndpointTest::refusesNonsense()
{
    QFETCH(QString, host);
    QFETCH(QString, jump);
    SshRequest request;
    request.host = host;
    request.jump = jump;
    const Result<SshEndpoint> endpoint = resolveEndpoint(request);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().fault, Fault::Invalid);
}

void SshEndpointTest::hostsOfTheConfiguration()
{
    SshHome::write(m_home->path(u"more.conf"_s), "host included\n");
    const QString file
        = configuration("# Host commented\nHost *\n User x\nHost one two \"three\" # four\n HostName far\n"
                        "Host=five\nHost web-* !web-1\nInclude "
            + m_home->path(u"more*.conf"_s).toUtf8() + "\nInclude " + m_home->path(u"config"_s).toUtf8()
            + "\nMatch host six\n");
    for (const char* known : {"one", "two", "three", "five", "included"})
        QVERIFY2(isConfiguredHost(QString::fromLatin1(known), file), known);
    for (const char* unknown : {"", "*", "four", "far", "six", "web-1", "web-2", "commented", "-one", "x"})
        QVERIFY2(!isConfiguredHost(QString::fromLatin1(unknown), file), unknown);
    QVERIFY(!isConfiguredHost(u"one"_s, m_home->path(u"nothing"_s)));
}

void SshEndpointTest::commandsShownAreQuoted()
{
    if (!hasClient())
        QSKIP("the OpenSSH client is not installed");
    SshRequest request;
    request.host = u"far;id"_s;
    request.configFile = configuration("Nonsense here\n");
    const auto endpoint = resolveEndpoint(request);
    QVERIFY(!endpoint);
    QVERIFY2(endpoint.error().remedy.contains(u"ssh -G 'far;id'"_s), qPrintable(endpoint.error().remedy));
}

void SshEndpointTest::keyCommandsAreRefused()
{
    QString jumps;
    const auto endpoint = parseResolved("user ada\nhostname far\nport 22\nknownhostscommand /bin/keys %h\n", &jumps);
    QVERIFY(!endpoint);
    QVERIFY(endpoint.error().what.contains(u"KnownHostsCommand"_s));
    QVERIFY(!parseResolved("hostname far\nport 22\nuserknownhostsfile /a/%C\n", &jumps));
    const auto plain
        = parseResolved("host typed\nhostname far\nport 2200\nuser ada\nuserknownhostsfile /a/%n_%p /b/%h/%r\n"
                        "globalknownhostsfile none\nrevokedhostkeys ~/revoked\n",
            &jumps);
    QVERIFY_RESULT(plain);
    QCOMPARE(plain->knownHosts, u"/a/typed_2200"_s);
    QCOMPARE(plain->otherKnownHosts, QStringList{u"/b/far/ada"_s});
    QCOMPARE(plain->systemKnownHosts, std::optional(QStringList()));
    QCOMPARE(plain->revokedHostKeys, QString(QDir::homePath() + u"/revoked"_s));
}

RANKWRIGHT_TEST_MAIN(SshEndpointTest)
#include "tst_sshendpoint.moc"
