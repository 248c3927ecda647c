// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/hostkey.h"

#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

class HostKeyTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void verdicts_data();
    void verdicts();
    void aListThatCannotBeReadIsNoRevocation();
    void readsWhatOpenSshWrites();
    void brokenLinesDoNotHideTheRest();
    void preferredKindFirst();
    void remembersWithAPrivateMode();

    void unknownHostIsAskedAndAccepted();
    void unknownHostIsRefused();
    void changedKeyIsRefusedWithoutAsking();
    void otherKindIsRefusedWithoutAsking();
    void publishedMatchIsAsked();
    void publishedMismatchIsRefused();
    void knownKeyOfTheServerIsPreferred();
    void revokedWhereverItStands_data();
    void revokedWhereverItStands();
    void strictnessOfTheConfiguration_data();
    void strictnessOfTheConfiguration();

private:
    static SshServer::Options passwordServer() { return {.password = "secret"}; }
    std::unique_ptr<SshHome> m_home;
};

void HostKeyTest::verdicts_data()
{
    using Kind = HostKeyVerdict::Kind;
    QTest::addColumn<QList<KnownKey>>("known");
    QTest::addColumn<QStringList>("published");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("inDetail");
    const KnownKey same{u"kh"_s, 3, u"ssh-ed25519"_s, u"SHA256:same"_s, false};
    const KnownKey old{u"kh"_s, 7, u"ssh-ed25519"_s, u"SHA256:old"_s, false};
    const KnownKey rsa{u"kh"_s, 9, u"ssh-rsa"_s, u"SHA256:rsa"_s, false};
    KnownKey revoked = same;
    revoked.revoked = true;
    KnownKey revokedOld = old;
    revokedOld.revoked = true;
    const QStringList none;
    const QStringList match = {u"SHA256:else"_s, u"SHA256:same"_s};
    const QStringList mismatch = {u"SHA256:else"_s};
    QTest::newRow("known") << QList{same} << none << Kind::Trusted << QString();
    QTest::newRow("known beside others") << QList{old, rsa, same} << none << Kind::Trusted << QString();
    QTest::newRow("known, older catalogue") << QList{same} << mismatch << Kind::Trusted << QString();
    QTest::newRow("unknown") << QList<KnownKey>{} << none << Kind::Ask << QString();
    QTest::newRow("unknown, published") << QList<KnownKey>{} << match << Kind::Ask << QString();
    QTest::newRow("unknown, another published") << QList<KnownKey>{} << mismatch << Kind::Refused << u"SHA256:else"_s;
    QTest::newRow("changed") << QList{old} << none << Kind::Refused << u"SHA256:old (kh, line 7)"_s;
    QTest::newRow("changed, though published") << QList{old} << match << Kind::Refused << u"SHA256:same"_s;
    QTest::newRow("other kind") << QList{rsa} << none << Kind::Refused << u"ssh-rsa SHA256:rsa (kh, line 9)"_s;
    QTest::newRow("revoked") << QList{revoked} << none << Kind::Refused << u"SHA256:same"_s;
    QTest::newRow("revoked and listed") << QList{same, revoked} << none << Kind::Refused << u"SHA256:same"_s;
    QTest::newRow("another one revoked") << QList{revokedOld} << none << Kind::Ask << QString();
}

void HostKeyTest::verdicts()
{
    QFETCH(QList<KnownKey>, known);
    QFETCH(QStringList, published);
    QFETCH(HostKeyVerdict::Kind, kind);
    QFETCH(QString, inDetail);
    SshEndpoint endpoint;
    endpoint.host = u"lumi.csc.fi"_s;
    endpoint.published = published;
    if (kind == HostKeyVerdict::Kind::Trusted && !published.isEmpty())
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"not among the published"_s));
    const HostKeyVerdict verdict = verifyHostKey({u"ssh-ed25519"_s, u"SHA256:same"_s, "AAAA"}, known, endpoint);
    QCOMPARE(verdict.kind, kind);
    QVERIFY2(verdict.refusal.detail.contains(inDetail), qPrintable(verdict.refusal.detail));
    if (kind == HostKeyVerdict::Kind::Refused) {
        QCOMPARE(verdict.refusal.fault, Fault::HostKeyRefused);
        QVERIFY(verdict.refusal.detail.contains(u"SHA256:same"_s));
        QVERIFY(!verdict.refusal.remedy.isEmpty());
    }
}

/// A list that no program can read says nothing of the key: it was reported as revoked.
void HostKeyTest::aListThatCannotBeReadIsNoRevocation()
{
    QTemporaryDir folder;
    QFile list(folder.filePath(u"krl"_s));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write(QByteArray("SSHKRL\n\0garbage", 15));
    list.close();
    SshEndpoint endpoint;
    endpoint.host = u"lumi.csc.fi"_s;
    endpoint.revokedHostKeys = list.fileName();
    const auto refused = revokedBy({u"ssh-ed25519"_s, u"SHA256:same"_s, "AAAA"}, endpoint);
    QVERIFY(refused);
    QCOMPARE(refused->fault, Fault::HostKeyRefused);
    QVERIFY2(refused->what.contains(u"cannot be seen"_s), qPrintable(refused->what));
}

/// ssh-keygen makes the keys, the hashes and the fingerprints to compare with.
void HostKeyTest::readsWhatOpenSshWrites()
{
    const QString keygen = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    if (keygen.isEmpty())
        QSKIP("ssh-keygen is not installed");
    const QString file = m_home->path(u"from_openssh"_s);
    QByteArray lines = "# a comment\n\n@cert-authority * ssh-ed25519 AAAA\n";
    QStringList expected;
    for (const QString& type : {u"ed25519"_s, u"ecdsa"_s, u"rsa"_s}) {
        const QString key = m_home->path(u"host_"_s + type);
        QProcess::execute(keygen, {u"-q"_s, u"-t"_s, type, u"-N"_s, QString(), u"-f"_s, key});
        QProcess print;
        print.start(keygen, {u"-l"_s, u"-f"_s, key + u".pub"_s});
        print.waitForFinished(longWaitMs);
        expected << QString::fromLatin1(print.readAllStandardOutput().split(' ').value(1));
        const QList<QByteArray> words = SshHome::read(key + u".pub"_s).split(' ');
        const QByteArray separator = type == u"rsa" ? "\t" : " "; // OpenSSH takes both
        lines += "[login.example.org]:2200,10.0.0.1" + separator + words[0] + separator + words[1] + " comment\n";
    }
    SshHome::write(file, lines);
    QProcess::execute(keygen, {u"-q"_s, u"-H"_s, u"-f"_s, file}); // hashes the host names
    const QList<KnownKey> known = knownKeys({file, m_home->path(u"missing"_s)}, u"[login.example.org]:2200"_s);
    QStringList fingerprints;
    for (const KnownKey& key : known)
        fingerprints << key.fingerprint;
    QCOMPARE(fingerprints, expected);
    QVERIFY(knownKeys({file}, u"login.example.org"_s).isEmpty());
    QCOMPARE(known.first().type, u"ssh-ed25519"_s);
}

void HostKeyTest::brokenLinesDoNotHideTheRest()
{
    const SshServer server(passwordServer());
    const QByteArray name = "[127.0.0.1]:" + QByteArray::number(server.port());
    const QString file = m_home->path(u"broken"_s);
    SshHome::write(file,
        name + " ssh-future AAAAfuture\n" + name + " ssh-ed25519 not-base64!\n" + name + "\nx\n"
            + server.knownHostsLine().trimmed());
    const QList<KnownKey> known = knownKeys({file}, QString::fromLatin1(name));
    QCOMPARE(known.size(), 1);
    QCOMPARE(known.first().fingerprint, server.fingerprint());
    QCOMPARE(known.first().line, 5);
}

void HostKeyTest::preferredKindFirst()
{
    QCOMPARE(preferredAlgorithms({}), QByteArray());
    const QByteArray order = preferredAlgorithms({{u"f"_s, 1, u"ssh-rsa"_s, u"x"_s, false}});
    QVERIFY(order.startsWith("rsa-sha2-512,rsa-sha2-256,ssh-ed25519"));
    const QByteArray ecdsa = preferredAlgorithms(
        {{u"f"_s, 1, u"ssh-ed25519"_s, u"x"_s, true}, {u"f"_s, 1, u"ecdsa-sha2-nistp256"_s, u"x"_s, false}});
    QVERIFY(ecdsa.startsWith("ecdsa-sha2-nistp256,ssh-ed25519"));
}

void HostKeyTest::remembersWithAPrivateMode()
{
    const QString file = m_home->path(u"new/folder/known_hosts"_s);
    const PresentedKey key{u"ssh-ed25519"_s, u"SHA256:x"_s, "AAAAx"};
    QVERIFY_RESULT(rememberHostKey(file, u"[h]:1"_s, key));
    QCOMPARE(QFileInfo(file).permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup),
        QFile::Permissions());
    QCOMPARE(SshHome::read(file), QByteArray("[h]:1 ssh-ed25519 AAAAx\n"));
    SshHome::write(file, "no end");
    QVERIFY_RESULT(rememberHostKey(file, u"h"_s, key));
    QCOMPARE(SshHome::read(file), QByteArray("no end\nh ssh-ed25519 AAAAx\n"));
    const Result<void> impossible = rememberHostKey(u"/proc/none/known_hosts"_s, u"h"_s, key);
    QVERIFY(!impossible);
    QCOMPARE(impossible.error().fault, Fault::Io);
}

void HostKeyTest::unknownHostIsAskedAndAccepted()
{
    SshServer server(passwordServer());
    const SshEndpoint endpoint = m_home->endpoint(server, false);
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt& prompt) -> std::optional<PromptAnswer> {
        return prompt.kind == LoginPrompt::Kind::HostKey ? SshClient::yes() : SshClient::with({"secret"});
    };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 2);
    const LoginPrompt& prompt = client.prompts.first();
    QCOMPARE(prompt.kind, LoginPrompt::Kind::HostKey);
    QCOMPARE(prompt.fingerprint, server.fingerprint());
    QCOMPARE(prompt.keyType, u"ssh-ed25519"_s);
    QCOMPARE(prompt.host, u"ada@127.0.0.1:%1"_s.arg(server.port()));
    QCOMPARE(prompt.knownHostsFile, endpoint.knownHosts);
    QCOMPARE(SshHome::read(endpoint.knownHosts), server.knownHostsLine());
    QCOMPARE(client.states,
        (QList{LinkState::Connecting, LinkState::NeedsAnswer, LinkState::Connecting, LinkState::NeedsAnswer,
            LinkState::Connecting, LinkState::Online}));
    // The second time nobody is asked about it.
    SshClient again(endpoint);
    again.answerer = [](const LoginPrompt&) { return SshClient::with({"secret"}); };
    QCOMPARE(again.connectNow(), LinkState::Online);
    QCOMPARE(again.prompts.size(), 1);
}

void HostKeyTest::unknownHostIsRefused()
{
    SshServer server(passwordServer());
    const SshEndpoint endpoint = m_home->endpoint(server, false);
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::no(); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::HostKeyRefused);
    QVERIFY(!QFile::exists(endpoint.knownHosts));
    QCOMPARE(server.passwordTries(), 0);
}

void HostKeyTest::changedKeyIsRefusedWithoutAsking()
{
    SshServer server(passwordServer());
    const SshServer other(passwordServer());
    SshEndpoint endpoint = m_home->endpoint(server);
    QByteArray line = other.knownHostsLine();
    line.replace(QByteArray::number(other.port()), QByteArray::number(server.port()));
    SshHome::write(endpoint.knownHosts, line);
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::yes(); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QVERIFY(client.prompts.isEmpty());
    const Error error = client.shell().lastError().value();
    QCOMPARE(error.fault, Fault::HostKeyRefused);
    QVERIFY(error.detail.contains(server.fingerprint()));
    QVERIFY(error.detail.contains(other.fingerprint()));
    QVERIFY(error.detail.contains(u"line 1"_s));
    QVERIFY(error.remedy.contains(u"ssh-keygen -R '[127.0.0.1]:%1'"_s.arg(server.port())));
    QCOMPARE(SshHome::read(endpoint.knownHosts), line);
    QCOMPARE(server.passwordTries(), 0);
}

void HostKeyTest::otherKindIsRefusedWithoutAsking()
{
    SshServer server(passwordServer());
    SshEndpoint endpoint = m_home->endpoint(server);
    const std::shared_ptr<ssh_key_struct> ecdsa = SshServer::newKey(SSH_KEYTYPE_ECDSA_P256, 256);
    SshHome::write(endpoint.knownHosts,
        "[127.0.0.1]:" + QByteArray::number(server.port()) + " ecdsa-sha2-nistp256 "
            + SshServer::publicBase64(ecdsa.get()) + "\n");
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::yes(); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QVERIFY(client.prompts.isEmpty());
    QCOMPARE(client.shell().lastError()->fault, Fault::HostKeyRefused);
    QVERIFY(client.shell().lastError()->what.contains(u"another kind"_s));
}

void HostKeyTest::publishedMatchIsAsked()
{
    SshServer server(passwordServer());
    SshEndpoint endpoint = m_home->endpoint(server, false);
    endpoint.published = {u"SHA256:somethingelse"_s, server.fingerprint()};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt& prompt) -> std::optional<PromptAnswer> {
        return prompt.kind == LoginPrompt::Kind::HostKey ? SshClient::yes() : SshClient::with({"secret"});
    };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.first().published, endpoint.published);
}

void HostKeyTest::publishedMismatchIsRefused()
{
    SshServer server(passwordServer());
    SshEndpoint endpoint = m_home->endpoint(server, false);
    endpoint.published = {u"SHA256:somethingelse"_s};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::yes(); };
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QVERIFY(client.prompts.isEmpty());
    QCOMPARE(client.shell().lastError()->fault, Fault::HostKeyRefused);
    QVERIFY(client.shell().lastError()->detail.contains(u"SHA256:somethingelse"_s));
}

/// An old RSA line on record and a server that also has it: no false alarm.
void HostKeyTest::knownKeyOfTheServerIsPreferred()
{
    SshServer::Options options = passwordServer();
    options.hostKey = SshServer::newKey(SSH_KEYTYPE_RSA, 2048);
    SshServer server(options);
    SshClient client(m_home->endpoint(server));
    client.answerer = [](const LoginPrompt&) { return SshClient::with({"secret"}); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
}

/// What `ssh` refuses, read from the same configuration, is refused here.
void HostKeyTest::revokedWhereverItStands_data()
{
    QTest::addColumn<QByteArray>("configuration");
    QTest::addColumn<bool>("online");
    QTest::newRow("nowhere") << QByteArray() << true;
    QTest::newRow("second user file") << QByteArray("UserKnownHostsFile %d/known %d/revoked\n") << false;
    QTest::newRow("second user file, pattern") << QByteArray("UserKnownHostsFile %d/known %d/pattern\n") << false;
    QTest::newRow("system's file") << QByteArray("GlobalKnownHostsFile %d/other %d/revoked\n") << false;
    QTest::newRow("name with a token") << QByteArray("UserKnownHostsFile %d/known %d/revo%%%%ked-%%p\n") << false;
    QTest::newRow("RevokedHostKeys") << QByteArray("RevokedHostKeys %d/keys\n") << false;
    QTest::newRow("RevokedHostKeys, KRL") << QByteArray("RevokedHostKeys %d/krl\n") << false;
    QTest::newRow("RevokedHostKeys of others") << QByteArray("RevokedHostKeys %d/otherkeys\n") << true;
    QTest::newRow("RevokedHostKeys, KRL of others") << QByteArray("RevokedHostKeys %d/otherkrl\n") << true;
    QTest::newRow("RevokedHostKeys is not there") << QByteArray("RevokedHostKeys %d/nothing\n") << false;
    QTest::newRow("RevokedHostKeys is nonsense") << QByteArray("RevokedHostKeys %d/known\n") << false;
}

void HostKeyTest::revokedWhereverItStands()
{
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty() || QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("the OpenSSH client is not installed");
    QFETCH(QByteArray, configuration);
    QFETCH(bool, online);
    SshServer server(passwordServer());
    const QByteArray line = server.knownHostsLine().trimmed(); // "[127.0.0.1]:port type base64"
    const QByteArray key = line.mid(line.indexOf(' ') + 1);
    const auto path = [this](const char* name) { return m_home->path(QString::fromLatin1(name)); };
    SshHome::write(path("known"), line + '\n');
    SshHome::write(path("other"), "# nothing\n");
    SshHome::write(path("revoked"), "@revoked " + line + '\n');
    SshHome::write(path("pattern"), "@revoked * " + key + '\n');
    SshHome::write(m_home->path(u"revo%ked-%1"_s.arg(server.port())), "@revoked " + line + '\n');
    SshHome::write(path("keys"), "# revoked\n" + key + '\n');
    QByteArray other;
    m_home->newKey(u"another"_s, &other);
    SshHome::write(path("otherkeys"), "ssh-ed25519 " + other + '\n');
    for (const auto& [krl, keys] : {std::pair{"krl", "keys"}, {"otherkrl", "otherkeys"}})
        QCOMPARE(QProcess::execute(u"ssh-keygen"_s, {u"-q"_s, u"-k"_s, u"-f"_s, path(krl), path(keys)}), 0);
    configuration.replace("%d/", m_home->path(u"x"_s).chopped(1).toUtf8());
    configuration.replace("%%", "%");
    if (!configuration.contains("UserKnownHostsFile"))
        configuration += "UserKnownHostsFile " + path("known").toUtf8() + '\n';
    SshHome::write(path("config"),
        "Host far\nHostName 127.0.0.1\nUser ada\nPort " + QByteArray::number(server.port()) + '\n' + configuration);
    SshRequest request;
    request.host = u"far"_s;
    request.configFile = path("config");
    const auto endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    SshClient client(*endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::with({"secret"}); };
    QCOMPARE(client.connectNow(), online ? LinkState::Online : LinkState::Offline);
    if (!online) {
        const Error error = client.shell().lastError().value();
        QVERIFY2(error.fault == Fault::HostKeyRefused, qPrintable(error.oneLine()));
        QVERIFY(client.prompts.isEmpty()); // no password goes there
    }
}

void HostKeyTest::strictnessOfTheConfiguration_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<bool>("online");
    QTest::addColumn<int>("prompts");
    QTest::newRow("yes") << QByteArray("yes") << false << 0;
    QTest::newRow("ask") << QByteArray("ask") << true << 2;
    QTest::newRow("accept-new") << QByteArray("accept-new") << true << 1;
    QTest::newRow("no") << QByteArray("no") << true << 1;
}

void HostKeyTest::strictnessOfTheConfiguration()
{
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("the OpenSSH client is not installed");
    QFETCH(QByteArray, word);
    QFETCH(bool, online);
    SshServer server(passwordServer());
    const QString known = m_home->path(u"strict_"_s + QString::fromLatin1(word));
    SshHome::write(m_home->path(u"config"_s),
        "Host far\nHostName 127.0.0.1\nUser ada\nStrictHostKeyChecking " + word + "\nPort "
            + QByteArray::number(server.port()) + "\nUserKnownHostsFile " + known.toUtf8() + '\n');
    SshRequest request;
    request.host = u"far"_s;
    request.configFile = m_home->path(u"config"_s);
    const auto endpoint = resolveEndpoint(request);
    QVERIFY_RESULT(endpoint);
    const auto yes = [](const LoginPrompt& prompt) {
        return prompt.kind == LoginPrompt::Kind::HostKey ? SshClient::yes() : SshClient::with({"secret"});
    };
    {
        SshClient client(*endpoint);
        client.answerer = yes;
        QCOMPARE(client.connectNow(), online ? LinkState::Online : LinkState::Offline);
        QTEST(int(client.prompts.size()), "prompts");
    }
    if (!online)
        return;
    QVERIFY(SshHome::read(known).contains(server.knownHostsLine().trimmed()));
    // Another key afterwards is refused, whatever the word.
    SshServer another(passwordServer());
    SshEndpoint moved = *endpoint;
    QByteArray changed = SshHome::read(known);
    changed.replace(QByteArray::number(server.port()), QByteArray::number(another.port()));
    SshHome::write(known, changed);
    moved.port = another.port();
    SshClient client(moved);
    client.answerer = yes;
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::HostKeyRefused);
}

RANKWRIGHT_TEST_MAIN(HostKeyTest)
#include "tst_hostkey.moc"
