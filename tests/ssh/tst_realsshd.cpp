// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshidentity.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QStandardPaths>

#include <csignal>

#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Against OpenSSH's own server: what the server in this process might take for granted.
class RealSshdTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void exec();
    void tenAtOnce();
    void placesAreRefusedAndTriedAgain();
    void oneSession();
    void endOfInput();
    void signalsAndStatus();
    void cancelEndsTheProcessGroup();
    void muchBothWays();
    void jumpThroughItself();
    void certificate();
    void expiredCertificate();
    void agentWithManyKeys_data();
    void agentWithManyKeys();
    void wrongUserKey();
    void killedServer();
    void nothingInCommon_data();
    void nothingInCommon();

private:
    static void start(SshClient& client) { QCOMPARE(client.connectNow(), LinkState::Online); }
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
};

void RealSshdTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    const LinkState state = probe.connectNow();
    if (const QString locked = m_sshd->lockedOut(); !locked.isEmpty())
        QSKIP(qPrintable(locked));
    QVERIFY2(state == LinkState::Online, qPrintable(probe.whyNot() + u'\n' + QString::fromLocal8Bit(m_sshd->log())));
}

void RealSshdTest::exec()
{
    SshClient client(m_sshd->endpoint());
    start(client);
    const Result<CommandOutcome> outcome = client.run(u"echo $((6 * 7)); echo warn >&2; exit 3"_s);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("42\n"));
    QCOMPARE(outcome->errorOutput, QByteArray("warn\n"));
    QCOMPARE(outcome->exitStatus, 3);
}

void RealSshdTest::tenAtOnce()
{
    SshClient client(m_sshd->endpoint());
    start(client);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 10; ++i) {
        client.shell().run(RemoteCommand::shell(u"sleep 0.05; echo %1"_s.arg(i)), &guard,
            [&got](const Result<CommandOutcome>& outcome) {
                got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
            });
    }
    QTRY_COMPARE(got.size(), 10);
    for (int i = 0; i < 10; ++i)
        QVERIFY2(got.contains(QString::number(i)), qPrintable(got.join(u' ')));
}

void RealSshdTest::placesAreRefusedAndTriedAgain()
{
    RealSshd sshd("MaxSessions 2\n");
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    SshClient client(sshd.endpoint());
    start(client);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 8; ++i) {
        client.shell().run(
            RemoteCommand::shell(u"echo %1"_s.arg(i)), &guard, [&got](const Result<CommandOutcome>& outcome) {
                got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
            });
    }
    QTRY_COMPARE(got.size(), 8);
    for (int i = 0; i < 8; ++i)
        QVERIFY2(got.contains(QString::number(i)), qPrintable(got.join(u' ')));
}

/// A login node that allows one session per connection: a stream gives its place to what is asked meanwhile, at once to
/// a cancel, and is told why; two streams take turns.
void RealSshdTest::oneSession()
{
    RealSshd sshd("MaxSessions 1\n");
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    SshTuning tuning = patientTuning();
    tuning.turnMs = 3000;
    SshClient client(sshd.endpoint(), tuning);
    start(client);
    QObject guard;
    struct Stream {
        std::unique_ptr<RemoteProcess> process;
        int turns = 0;
        QString why;
    };
    Stream streams[2];
    const std::function<void(Stream&)> begin = [&](Stream& stream) {
        RemoteCommand command = RemoteCommand::shell(u"echo turn; exec cat"_s);
        command.interactive = true;
        command.deadlineSeconds.reset();
        if (stream.process)
            stream.process.release()->deleteLater();
        stream.process = client.shell().start(command);
        connect(stream.process.get(), &RemoteProcess::outputArrived, &guard, [&stream] { ++stream.turns; });
        connect(stream.process.get(), &RemoteProcess::finished, &guard,
            [&stream, &begin](const Result<CommandOutcome>& outcome) {
                QVERIFY(!outcome);
                stream.why = outcome.error().oneLine();
                QCOMPARE(outcome.error().fault, Fault::Cancelled);
                begin(stream);
            });
    };
    begin(streams[0]);
    QTRY_COMPARE(streams[0].turns, 1);
    RemoteCommand cancel = RemoteCommand::shell(u"echo cancelled"_s);
    cancel.urgent = true;
    const Result<CommandOutcome> urgent = client.run(cancel);
    QVERIFY_RESULT(urgent);
    QCOMPARE(urgent->output, QByteArray("cancelled\n"));
    QVERIFY2(streams[0].why.contains(u"allows one command at a time"_s) && streams[0].why.contains(u"MaxSessions"_s),
        qPrintable(streams[0].why));
    QTRY_COMPARE(streams[0].turns, 2); // it goes on by itself
    const Result<CommandOutcome> ordinary = client.run(RemoteCommand::shell(u"echo asked"_s));
    QVERIFY_RESULT(ordinary);
    QCOMPARE(ordinary->output, QByteArray("asked\n"));
    begin(streams[1]);
    QTRY_VERIFY(streams[0].turns >= 4 && streams[1].turns >= 1);
    for (Stream& stream : streams) {
        stream.process->disconnect(&guard);
        stream.process.reset();
    }
}

void RealSshdTest::endOfInput()
{
    SshClient client(m_sshd->endpoint());
    start(client);
    const QByteArray script = "#!/bin/bash\n#SBATCH -N 2\n";
    const Result<CommandOutcome> outcome = client.run(RemoteCommand::of({u"cat"_s}, script));
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, script);
    QVERIFY(outcome->succeeded());
}

void RealSshdTest::signalsAndStatus()
{
    SshClient client(m_sshd->endpoint());
    start(client);
    const Result<CommandOutcome> killed = client.run(u"kill -KILL $$"_s);
    QVERIFY_RESULT(killed);
    QCOMPARE(killed->exitSignal, QByteArray("KILL"));
    QVERIFY(!killed->exitStatus);
}

void RealSshdTest::cancelEndsTheProcessGroup()
{
    if (::getuid() == 0)
        QSKIP("OpenSSH does not signal the processes of root's logins (session.c, session_signal_req)");
    SshClient client(m_sshd->endpoint());
    start(client);
    RemoteCommand command = RemoteCommand::shell(u"echo $$; sleep 3000 & sleep 3000; echo never"_s);
    command.deadlineSeconds.reset();
    auto process = client.shell().start(command);
    QByteArray pid;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&pid](const QByteArray& bytes) { pid += bytes; });
    QTRY_VERIFY(pid.endsWith('\n'));
    process.reset();
    QTRY_VERIFY(::kill(pid.trimmed().toInt(), 0) != 0);
    QVERIFY_RESULT(client.run(u"true"_s));
}

void RealSshdTest::muchBothWays()
{
    SshClient client(m_sshd->endpoint());
    start(client);
    QByteArray data;
    for (quint32 i = 0; data.size() < (20 << 20); ++i) {
        const quint32 word = i * 2654435761U;
        data.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    const Result<CommandOutcome> outcome = client.run(RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == data);
}

void RealSshdTest::jumpThroughItself()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    endpoint.jumps = {m_sshd->endpoint()};
    SshClient client(endpoint);
    start(client);
    const QByteArray data(6 << 20, 'j');
    const Result<CommandOutcome> outcome = client.run(RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == data);
}

/// A key that is not listed, but signed by an authority that the server trusts.
void RealSshdTest::certificate()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    const QString key = m_sshd->newKey(u"certified"_s);
    QProcess::execute(u"ssh-keygen"_s,
        {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, endpoint.user, key + u".pub"_s});
    endpoint.identities = {key};
    SshClient client(endpoint);
    start(client);
}

void RealSshdTest::expiredCertificate()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    for (const QString& kind : {u"ed25519"_s, u"rsa"_s, u"ecdsa"_s}) {
        const QString key = m_sshd->newKey(u"expired_"_s + kind, {u"-t"_s, kind});
        QProcess::execute(u"ssh-keygen"_s,
            {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, endpoint.user, u"-V"_s,
                u"20200101:20200301"_s, key + u".pub"_s});
        const auto certificate = readCertificateFile(key + u"-cert.pub"_s);
        QVERIFY2(certificate && certificate->validUntil->date().year() == 2020, qPrintable(kind));
        endpoint.identities = {key};
        endpoint.identitiesOnly = true;
        SshClient client(endpoint);
        QCOMPARE(client.connectNow(), LinkState::Offline);
        const Error error = client.shell().lastError().value();
        QVERIFY2(
            error.what.contains(u"has expired"_s) && error.detail.contains(u"2020-0"_s), qPrintable(error.oneLine()));
    }
    QVERIFY(!readCertificateFile(m_sshd->path(u"ca.pub"_s)));
}

void RealSshdTest::agentWithManyKeys_data()
{
    QTest::addColumn<bool>("named"); // the key's public half is named in the configuration
    QTest::addColumn<bool>("only");
    QTest::newRow("named, only that") << true << true;
    QTest::newRow("named, the others allowed") << true << false;
    QTest::newRow("not named") << false << false;
}

/// The right key is in the agent only, behind others; servers hang up after six offers.
void RealSshdTest::agentWithManyKeys()
{
    QFETCH(bool, named);
    QFETCH(bool, only);
    if (QStandardPaths::findExecutable(u"ssh-agent"_s).isEmpty())
        QSKIP("ssh-agent is not installed");
    const QString tag
        = QString::fromLatin1(QTest::currentDataTag()).section(u',', 0, 0).remove(u' ') + (only ? u"1"_s : u"0"_s);
    const QString socket = m_sshd->path(u"agent_"_s + tag);
    QProcess agent;
    agent.start(u"ssh-agent"_s, {u"-D"_s, u"-a"_s, socket});
    QTRY_VERIFY(QFile::exists(socket));
    QProcess add;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SSH_AUTH_SOCK"_s, socket);
    add.setProcessEnvironment(environment);
    QStringList keys = {u"-q"_s};
    for (int i = 0; i < (named ? 9 : 3); ++i)
        keys << m_sshd->newKey(u"decoy_%1_%2"_s.arg(tag).arg(i));
    add.start(u"ssh-add"_s, keys + QStringList{m_sshd->path(u"user"_s)});
    QVERIFY(add.waitForFinished(longWaitMs));
    QCOMPARE(add.exitCode(), 0);

    SshEndpoint endpoint = m_sshd->endpoint();
    const QString publicOnly = m_sshd->path(u"public_only_"_s + tag);
    QFile::copy(m_sshd->path(u"user.pub"_s), publicOnly + u".pub"_s);
    endpoint.identities = named ? QStringList{publicOnly} : QStringList{};
    endpoint.identitiesOnly = only;
    endpoint.agentSocket = socket;
    SshClient client(endpoint);
    start(client);
    QVERIFY(client.prompts.isEmpty());
    agent.kill();
    agent.waitForFinished(longWaitMs);
}

void RealSshdTest::wrongUserKey()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    endpoint.identities = {m_sshd->newKey(u"stranger"_s)};
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::LoginRefused);
    QVERIFY(client.shell().lastError()->detail.contains(u"stranger"_s));
}

void RealSshdTest::killedServer()
{
    RealSshd sshd;
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    SshClient client(sshd.endpoint());
    start(client);
    QObject guard;
    std::optional<Fault> fault;
    const QString begun = sshd.path(u"begun"_s);
    client.shell().run(RemoteCommand::shell(u"touch '%1'; sleep 3000"_s.arg(begun)), &guard,
        [&fault](const Result<CommandOutcome>& outcome) { fault = outcome ? Fault::Invalid : outcome.error().fault; });
    QTRY_VERIFY(QFile::exists(begun));
    sshd.killAll();
    QVERIFY(client.waitFor(LinkState::Lost));
    QTRY_COMPARE(fault.value_or(Fault::Invalid), Fault::Offline);
}

void RealSshdTest::nothingInCommon_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("what");
    QTest::newRow("key exchange") << QByteArray("KexAlgorithms sntrup761x25519-sha512@openssh.com\n")
                                  << u"key exchange"_s;
    QTest::newRow("cipher") << QByteArray("Ciphers 3des-cbc\n") << u"3des-cbc"_s;
    QTest::newRow("MAC") << QByteArray("Ciphers aes128-ctr\nMACs umac-64@openssh.com\n") << u"umac-64@openssh.com"_s;
}

/// Either side may notice it first: the server resets the connection then, and its last words are lost.
void RealSshdTest::nothingInCommon()
{
    QFETCH(QByteArray, config);
    QFETCH(QString, what);
    RealSshd strict(config);
    QVERIFY2(strict.problem().isEmpty(), qPrintable(strict.problem()));
    for (int round = 0; round < 8; ++round) {
        SshClient client(strict.endpoint());
        QCOMPARE(client.connectNow(), LinkState::Offline);
        const Error why = *client.shell().lastError();
        QVERIFY2(why.what.contains(u"no common way to encrypt"_s), qPrintable(client.whyNot()));
        QVERIFY2(why.detail.contains(what), qPrintable(client.whyNot()));
    }
}

RANKWRIGHT_TEST_MAIN(RealSshdTest)
#include "tst_realsshd.moc"
