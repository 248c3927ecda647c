// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/masterlink.h"
#include "ssh/mux/muxserver.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QStandardPaths>

#include <csignal>

#include <sys/stat.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// OpenSSH's own programs over a connection of ours, which no second login of theirs could replace: their configuration
/// has no key that the server takes.
class MuxServerTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() { m_server.reset(); }
    void check();
    void commands_data();
    void commands();
    void bytesBothWays();
    void loginShell();
    void copies_data();
    void copies();
    void standardStreams();
    void portsAreRefused();
    void terminal();
    void programsThatGo();
    void lostConnection();
    void garbage_data();
    void garbage();
    void ourOwnClient();
    void placesOfTheSocket();
    void exitIsAsked();

private:
    struct Ran {
        int code = -1;
        QByteArray output;
        QByteArray errors;
    };
    Ran ran(const QString& program, const QStringList& words, const QByteArray& input = {}) const;
    Ran ssh(const QStringList& words, const QByteArray& input = {}) const
    {
        return ran(u"ssh"_s, QStringList{u"-F"_s, m_config} + words, input);
    }
    QString path(const QString& name) const { return m_home->path(name); }

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
    std::unique_ptr<SshClient> m_client;
    std::unique_ptr<MuxServer> m_server;
    QString m_config;
    QString m_socket;
};

void MuxServerTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    m_sshd = std::make_unique<RealSshd>("Subsystem sftp internal-sftp\n");
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    m_client = std::make_unique<SshClient>(m_sshd->endpoint());
    if (m_client->connectNow() != LinkState::Online)
        QSKIP(qPrintable(m_client->whyNot()));
    m_socket = path(u"a socket"_s);
    m_config = path(u"config"_s);
    SshHome::write(m_config,
        u"Host cluster\n  HostName 127.0.0.1\n  Port %1\n  IdentityFile none\n  IdentityAgent none\n"
        "  BatchMode yes\n  StrictHostKeyChecking yes\n  UserKnownHostsFile /dev/null\n  ControlPath \"%2\"\n"_s
            .arg(m_sshd->port())
            .arg(m_socket)
            .toLocal8Bit());
    m_server = std::make_unique<MuxServer>(m_client->shell());
    QVERIFY_RESULT(m_server->listen(m_socket));
}

MuxServerTest::Ran MuxServerTest::ran(const QString& program, const QStringList& words, const QByteArray& input) const
{
    QProcess process;
    process.start(program, words);
    process.write(input);
    process.closeWriteChannel();
    Ran result;
    if (!test::comes([&process] { return process.state() == QProcess::NotRunning; }))
        process.kill();
    process.waitForFinished(longWaitMs);
    result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    result.output = process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    return result;
}

void MuxServerTest::check()
{
    const Ran checked = ssh({u"-O"_s, u"check"_s, u"cluster"_s});
    QVERIFY2(checked.code == 0, checked.errors.constData());
    QVERIFY2(checked.errors.contains(QByteArray("pid=" + QByteArray::number(QCoreApplication::applicationPid()))),
        checked.errors.constData());
    struct stat found { };
    QCOMPARE(::stat(QFile::encodeName(m_socket).constData(), &found), 0);
    QCOMPARE(found.st_mode & 0777U, 0600U);
}

void MuxServerTest::commands_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<int>("status");
    QTest::newRow("output") << u"echo $((6 * 7))"_s << QByteArray("42\n") << QByteArray() << 0;
    QTest::newRow("both") << u"echo a; echo b >&2; exit 3"_s << QByteArray("a\n") << QByteArray("b\n") << 3;
    QTest::newRow("8 bit") << u"printf '\\377\\000x'"_s << QByteArray("\377\000x", 3) << QByteArray() << 0;
    QTest::newRow("quotes") << u"printf '%s|' a\\ b \"c'd\" '$e'"_s << QByteArray("a b|c'd|$e|") << QByteArray() << 0;
    QTest::newRow("signal") << u"kill -KILL $$"_s << QByteArray() << QByteArray() << 255;
}

void MuxServerTest::commands()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, output);
    QFETCH(QByteArray, errors);
    QFETCH(int, status);
    const Ran result = ssh({u"cluster"_s, line});
    QCOMPARE(result.output, output);
    QCOMPARE(result.errors, errors);
    QCOMPARE(result.code, status);
}

void MuxServerTest::bytesBothWays()
{
    QByteArray data;
    for (quint32 i = 0; data.size() < (3 << 20); ++i) {
        const quint32 word = i * 2654435761U;
        data.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    const Ran result = ssh({u"cluster"_s, u"cat"_s}, data);
    QVERIFY2(result.code == 0, result.errors.constData());
    QVERIFY(result.output == data);
}

void MuxServerTest::loginShell()
{
    const Ran result = ssh({u"-T"_s, u"cluster"_s}, "echo from-the-shell\nexit 5\n");
    QVERIFY2(result.output.contains("from-the-shell"), QByteArray(result.output + result.errors).constData());
    QCOMPARE(result.code, 5);
}

void MuxServerTest::copies_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("words"); // before from and to
    QTest::newRow("scp") << u"scp"_s << QStringList{u"-q"_s, u"-F"_s, u"@config"_s};
    QTest::newRow("scp -O") << u"scp"_s << QStringList{u"-q"_s, u"-O"_s, u"-F"_s, u"@config"_s};
    QTest::newRow("rsync") << u"rsync"_s << QStringList{u"-e"_s, u"ssh -F @config"_s};
}

void MuxServerTest::copies()
{
    QFETCH(QString, program);
    QFETCH(QStringList, words);
    if (QStandardPaths::findExecutable(program).isEmpty())
        QSKIP("not installed");
    QByteArray data;
    for (int i = 0; i < 200000; ++i)
        data += QByteArray::number(i * 7919);
    SshHome::write(path(u"from"_s), data);
    QFile::remove(path(u"to"_s));
    words.replaceInStrings(u"@config"_s, m_config);
    const Ran result = ran(program, words + QStringList{path(u"from"_s), u"cluster:"_s + path(u"to"_s)});
    QVERIFY2(result.code == 0, result.errors.constData());
    QVERIFY(SshHome::read(path(u"to"_s)) == data);
    QFile::remove(path(u"back"_s));
    const Ran back = ran(program, words + QStringList{u"cluster:"_s + path(u"to"_s), path(u"back"_s)});
    QVERIFY2(back.code == 0, back.errors.constData());
    QVERIFY(SshHome::read(path(u"back"_s)) == data);
}

/// ssh -W, as ProxyJump uses it.
void MuxServerTest::standardStreams()
{
    const Ran result = ssh({u"-W"_s, u"127.0.0.1:%1"_s.arg(m_sshd->port()), u"cluster"_s}, "nonsense\r\n");
    QVERIFY2(result.output.startsWith("SSH-2.0-"), QByteArray(result.output + result.errors).constData());
    const Ran refused = ssh({u"-W"_s, u"127.0.0.1:1"_s, u"cluster"_s});
    QVERIFY(refused.code != 0);
    QVERIFY2(refused.errors.contains("did not open 127.0.0.1:1"), refused.errors.constData());
}

void MuxServerTest::portsAreRefused()
{
    const Ran result = ssh({u"-O"_s, u"forward"_s, u"-L"_s, u"48123:127.0.0.1:1"_s, u"cluster"_s});
    QVERIFY(result.code != 0);
    QVERIFY2(result.errors.contains("forwards no ports"), result.errors.constData());
}

/// Forced, since this test has none: its size is the usual one then.
void MuxServerTest::terminal()
{
    const Ran result = ssh({u"-tt"_s, u"cluster"_s, u"tty; stty size; exit 6"_s});
    QVERIFY2(result.output.startsWith("/dev/pts/"), QByteArray(result.output + result.errors).constData());
    QVERIFY2(result.output.contains("24 80\r\n"), result.output.constData());
    QCOMPARE(result.code, 6);
}

/// Killed, it takes its session with it, and others go on.
void MuxServerTest::programsThatGo()
{
    QProcess process;
    process.start(u"ssh"_s, {u"-F"_s, m_config, u"cluster"_s, u"echo $$; cat"_s});
    QByteArray pid;
    QTRY_VERIFY((pid += process.readAllStandardOutput()).endsWith('\n'));
    process.kill();
    process.waitForFinished(longWaitMs);
    QTRY_VERIFY(::kill(pid.trimmed().toInt(), 0) != 0);
    QTRY_COMPARE(m_server->guests(), 0);
    QCOMPARE(ssh({u"cluster"_s, u"true"_s}).code, 0);
}

/// The program is told, and the next one too, at once.
void MuxServerTest::lostConnection()
{
    RealSshd sshd;
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    SshClient client(sshd.endpoint());
    QCOMPARE(client.connectNow(), LinkState::Online);
    MuxServer server(client.shell());
    QVERIFY_RESULT(server.listen(path(u"other"_s)));
    const QStringList words{u"-F"_s, u"none"_s, u"-o"_s, u"BatchMode=yes"_s, u"-o"_s, u"ProxyCommand=false"_s, u"-S"_s,
        path(u"other"_s), u"cluster"_s, u"echo up; cat"_s};
    QProcess process;
    process.start(u"ssh"_s, words);
    QByteArray output;
    QTRY_VERIFY((output += process.readAllStandardOutput()).endsWith("up\n"));
    sshd.killAll();
    QTRY_COMPARE(process.state(), QProcess::NotRunning);
    QCOMPARE(process.exitCode(), 255);
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(errors.contains("rankwright-cli: "), errors.constData());
    const Ran next = ran(u"ssh"_s, words);
    QVERIFY(next.code != 0);
    QVERIFY2(next.errors.contains("the connection is lost"), next.errors.constData());
}

void MuxServerTest::garbage_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray hello = muxPacket(MuxRequest(MuxHello{}));
    QTest::newRow("no hello") << muxPacket(MuxRequest(MuxPlain{MuxType::AliveCheck, 1}));
    QTest::newRow("another version") << muxPacket(MuxRequest(MuxHello{3}));
    QTest::newRow("hello twice") << QByteArray(hello + hello);
    QTest::newRow("huge") << QByteArray::fromHex("7fffffff00000001");
    QTest::newRow("empty packet") << QByteArray(4, '\0');
    QTest::newRow("cut session") << QByteArray(hello + QByteArray::fromHex("000000081000000200000001"));
    QTest::newRow("bytes in place of descriptors")
        << QByteArray(hello + muxPacket(MuxRequest(MuxSession{.id = 1, .terminalType = {}, .command = "id"})) + "xyz");
}

/// Whatever does not speak the protocol is dropped, and no one else is.
void MuxServerTest::garbage()
{
    QFETCH(QByteArray, bytes);
    auto descriptor = MuxSocket::connectTo(m_socket);
    QVERIFY_RESULT(descriptor);
    MuxSocket socket(std::move(descriptor.value()));
    bool isOver = false;
    connect(&socket, &MuxSocket::ended, this, [&isOver] { isOver = true; });
    socket.send(bytes);
    QTRY_VERIFY(isOver);
    QTRY_COMPARE(m_server->guests(), 0);
    QCOMPARE(ssh({u"-O"_s, u"check"_s, u"cluster"_s}).code, 0);
}

/// rankwright-cli's own commands use what it shares, as they use OpenSSH's.
void MuxServerTest::ourOwnClient()
{
    MasterLink link(u"cluster"_s, m_socket);
    link.open();
    QTRY_COMPARE(link.state(), LinkState::Online);
    QObject guard;
    std::optional<Result<CommandOutcome>> result;
    link.run(RemoteCommand::shell(u"cat; exit 4"_s, "in"), &guard,
        [&result](const Result<CommandOutcome>& outcome) { result = outcome; });
    QTRY_VERIFY(result);
    QVERIFY_RESULT(*result);
    QCOMPARE((*result)->output, QByteArray("in"));
    QCOMPARE((*result)->exitStatus, 4);
}

void MuxServerTest::placesOfTheSocket()
{
    const auto shared = MuxServer::check(m_socket);
    QVERIFY(!shared);
    QVERIFY2(shared.error().what.contains(u"shared at"_s), qPrintable(shared.error().oneLine()));
    QVERIFY(!MuxServer::check(path(u"missing/socket"_s)));
    QVERIFY(!MuxServer::check(path(QString(120, u'x'))));
    SshHome::write(path(u"file"_s), "mine");
    QVERIFY(!MuxServer::check(path(u"file"_s)));
    QCOMPARE(SshHome::read(path(u"file"_s)), QByteArray("mine"));
    const QString open = path(u"open"_s);
    QVERIFY(QDir().mkpath(open));
    QCOMPARE(::chmod(QFile::encodeName(open).constData(), 0777), 0);
    const auto others = MuxServer::check(open + u"/socket"_s);
    QVERIFY(!others);
    QVERIFY2(others.error().what.contains(u"Others may change"_s), qPrintable(others.error().oneLine()));
}

void MuxServerTest::exitIsAsked()
{
    bool isAsked = false;
    connect(m_server.get(), &MuxServer::exitAsked, this, [&isAsked] { isAsked = true; });
    QCOMPARE(ssh({u"-O"_s, u"exit"_s, u"cluster"_s}).code, 0);
    QVERIFY(isAsked);
    m_server.reset();
    QVERIFY(!QFile::exists(m_socket));
}

RANKWRIGHT_TEST_MAIN(MuxServerTest)
#include "tst_muxserver.moc"
