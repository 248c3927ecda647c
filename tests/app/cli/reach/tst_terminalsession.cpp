// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reach/terminalsession.h"
#include "models/cluster/forward/nodestep.h"
#include "ssh/sshposix.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A shell in a terminal: a pseudo terminal stands for the user's, OpenSSH's server for the cluster, and a stand-in for
/// srun that executes its words.
class TerminalSessionTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void escape_data();
    void escape();
    void shellUnderATerminal();
    void sizeFollows();
    void exitStatus_data();
    void exitStatus();
    void terminalIsRestored();
    void escapeEndsIt();
    void withoutATerminal();
    void muchOutput();

private:
    void connectNow();
    /// Types into the user's terminal.
    void type(const QByteArray& text)
    {
        QCOMPARE(::write(m_master.get(), text.constData(), size_t(text.size())), text.size());
    }
    /// What the user's terminal shows so far.
    const QByteArray& screen();
    std::unique_ptr<TerminalSession> begin(const QStringList& words = {});

    QTemporaryDir m_tools;
    std::unique_ptr<RealSshd> m_sshd;
    std::unique_ptr<SshClient> m_client;
    Descriptor m_master;
    Descriptor m_slave;
    QByteArray m_screen;
    std::optional<Result<int>> m_status;
};

void TerminalSessionTest::initTestCase()
{
    SshHome::write(m_tools.filePath(u"srun"_s),
        "#!/bin/bash\nwhile [ $# -gt 0 ]; do case $1 in --*) shift ;; *) break ;; esac; done\nexec \"$@\"\n");
    QFile::setPermissions(m_tools.filePath(u"srun"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_sshd = std::make_unique<RealSshd>("PermitUserEnvironment yes\n");
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshHome::write(m_sshd->path(u"authorized_keys"_s),
        "environment=\"PATH=" + m_tools.path().toLocal8Bit() + ":/usr/bin:/bin\" "
            + SshHome::read(m_sshd->path(u"user.pub"_s)));
}

void TerminalSessionTest::cleanup()
{
    m_client.reset();
    m_master.reset();
    m_slave.reset();
    m_screen.clear();
    m_status.reset();
}

void TerminalSessionTest::connectNow()
{
    m_client = std::make_unique<SshClient>(m_sshd->endpoint());
    QCOMPARE(m_client->connectNow(), LinkState::Online);
    int master = -1;
    int slave = -1;
    winsize size{};
    size.ws_col = 101;
    size.ws_row = 37;
    QCOMPARE(::openpty(&master, &slave, nullptr, nullptr, &size), 0);
    m_master.reset(master);
    m_slave.reset(slave);
    ::fcntl(master, F_SETFL, ::fcntl(master, F_GETFL) | O_NONBLOCK);
}

const QByteArray& TerminalSessionTest::screen()
{
    char bytes[65536];
    for (;;) {
        const ssize_t got = ::read(m_master.get(), bytes, sizeof bytes);
        if (got <= 0)
            return m_screen;
        m_screen.append(bytes, got);
    }
}

std::unique_ptr<TerminalSession> TerminalSessionTest::begin(const QStringList& words)
{
    auto session = std::make_unique<TerminalSession>(m_slave.get(), m_slave.get(), m_slave.get());
    connect(session.get(), &TerminalSession::ended, this, [this](const Result<int>& status) { m_status = status; });
    session->run(m_client->shell().start(shellCommand({u"123"_s, u"n1"_s}, session->terminal(), words)));
    return session;
}

void TerminalSessionTest::escape_data()
{
    QTest::addColumn<QByteArray>("typed");
    QTest::addColumn<QByteArray>("sent");
    QTest::addColumn<bool>("asked");
    QTest::newRow("plain") << QByteArray("ls ~.\r") << QByteArray("ls ~.\r") << false;
    QTest::newRow("at the start") << QByteArray("~.") << QByteArray() << true;
    QTest::newRow("behind a line") << QByteArray("ls\r~.more") << QByteArray("ls\r") << true;
    QTest::newRow("a tilde") << QByteArray("\r~~x") << QByteArray("\r~x") << false;
    QTest::newRow("a home folder") << QByteArray("\r~/x") << QByteArray("\r~/x") << false;
}

void TerminalSessionTest::escape()
{
    QFETCH(QByteArray, typed);
    QFETCH(QByteArray, sent);
    QFETCH(bool, asked);
    EscapeWatch whole;
    QCOMPARE(whole.feed(typed), sent);
    QCOMPARE(whole.isAsked(), asked);
    EscapeWatch single;
    QByteArray pieces;
    for (const char byte : typed) {
        if (!single.isAsked())
            pieces += single.feed(QByteArray(1, byte));
    }
    QCOMPARE(pieces, sent);
}

void TerminalSessionTest::shellUnderATerminal()
{
    connectNow();
    const auto session = begin({u"bash"_s, u"--norc"_s, u"-i"_s});
    type("echo $((40+2))-$(tty | cut -c1-5)\r");
    QTRY_VERIFY2(screen().contains("42-/dev/"), m_screen.constData());
    type("stty size\r");
    QTRY_VERIFY2(screen().contains("37 101"), m_screen.constData());
    type("echo go-$((1+1)); sleep 3000\r");
    QTRY_VERIFY2(screen().contains("go-2"), m_screen.constData());
    type("\x03"); // Ctrl-C is the far shell's
    type("echo still-$((1+1))\r");
    QTRY_VERIFY2(screen().contains("still-2"), m_screen.constData());
    type("exit 7\r");
    QTRY_VERIFY(m_status);
    QVERIFY_RESULT(*m_status);
    QCOMPARE(**m_status, 7);
}

void TerminalSessionTest::sizeFollows()
{
    connectNow();
    const auto session = begin({u"bash"_s, u"--norc"_s, u"-i"_s});
    type("echo ready-$((1+1))\r");
    QTRY_VERIFY(screen().contains("ready-2"));
    winsize size{};
    size.ws_col = 64;
    size.ws_row = 21;
    QCOMPARE(::ioctl(m_slave.get(), TIOCSWINSZ, &size), 0);
    ::raise(SIGWINCH); // the terminal is not this process's own
    const bool isTold = test::comes(
        [this] {
            type("stty size\r");
            return screen().contains("21 64");
        },
        500);
    QVERIFY2(isTold, m_screen.constData());
    type("exit\r");
    QTRY_VERIFY(m_status);
}

void TerminalSessionTest::exitStatus_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("status");
    QTest::newRow("0") << QStringList{u"true"_s} << 0;
    QTest::newRow("3") << QStringList{u"sh"_s, u"-c"_s, u"exit 3"_s} << 3;
    QTest::newRow("not there") << QStringList{u"no-such-program"_s} << 127;
}

void TerminalSessionTest::exitStatus()
{
    QFETCH(QStringList, words);
    QFETCH(int, status);
    connectNow();
    const auto session = begin(words);
    QTRY_VERIFY(m_status);
    QVERIFY_RESULT(*m_status);
    QCOMPARE(**m_status, status);
}

void TerminalSessionTest::terminalIsRestored()
{
    connectNow();
    termios before{};
    QCOMPARE(::tcgetattr(m_slave.get(), &before), 0);
    {
        const auto session = begin({u"sh"_s, u"-c"_s, u"sleep 0.2"_s});
        termios during{};
        ::tcgetattr(m_slave.get(), &during);
        QVERIFY(!(during.c_lflag & ECHO) && !(during.c_lflag & ICANON));
        QTRY_VERIFY(m_status);
        termios after{};
        ::tcgetattr(m_slave.get(), &after);
        QCOMPARE(after.c_lflag, before.c_lflag);
        QCOMPARE(after.c_oflag, before.c_oflag);
    }
    { // let go in the middle
        const auto session = begin({u"sleep"_s, u"100"_s});
    }
    termios after{};
    ::tcgetattr(m_slave.get(), &after);
    QCOMPARE(after.c_lflag, before.c_lflag);
}

void TerminalSessionTest::escapeEndsIt()
{
    connectNow();
    const auto session = begin({u"sleep"_s, u"100"_s});
    type("\r~.");
    QTRY_VERIFY(m_status);
    QVERIFY(!*m_status);
    QCOMPARE(m_status->error().fault, Fault::Cancelled);
}

void TerminalSessionTest::withoutATerminal()
{
    connectNow();
    int in[2];
    int out[2];
    QCOMPARE(::pipe2(in, O_CLOEXEC), 0);
    QCOMPARE(::pipe2(out, O_CLOEXEC), 0);
    const Descriptor inRead(in[0]);
    Descriptor inWrite(in[1]);
    const Descriptor outRead(out[0]);
    Descriptor outWrite(out[1]);
    TerminalSession session(inRead.get(), outWrite.get(), outWrite.get());
    QVERIFY(!session.terminal());
    connect(&session, &TerminalSession::ended, this, [this](const Result<int>& status) { m_status = status; });
    session.run(m_client->shell().start(shellCommand({u"123"_s, u"n1"_s}, session.terminal(), {u"bash"_s})));
    const QByteArray script = "printf 'a\\0b\\n'; tty; exit 5\n";
    QCOMPARE(::write(inWrite.get(), script.constData(), size_t(script.size())), script.size());
    inWrite.reset();
    QTRY_VERIFY(m_status);
    QVERIFY_RESULT(*m_status);
    QCOMPARE(**m_status, 5);
    outWrite.reset();
    QByteArray said(4096, '\0');
    said.resize(::read(outRead.get(), said.data(), size_t(said.size())));
    QCOMPARE(said, QByteArray("a\0b\nnot a tty\n", 14));
}

void TerminalSessionTest::muchOutput()
{
    connectNow();
    const Descriptor null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    TerminalSession session(m_slave.get(), null.get(), null.get());
    connect(&session, &TerminalSession::ended, this, [this](const Result<int>& status) { m_status = status; });
    const qint64 before = residentBytes();
    session.run(m_client->shell().start(
        shellCommand({u"123"_s, u"n1"_s}, {}, {u"head"_s, u"-c"_s, u"50000000"_s, u"/dev/zero"_s})));
    QTRY_VERIFY(m_status);
    QCOMPARE(**m_status, 0);
    QVERIFY(residentBytes() - before < 48LL << 20);
}

RANKWRIGHT_TEST_MAIN(TerminalSessionTest)
#include "tst_terminalsession.moc"
