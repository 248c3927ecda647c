// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/mux/masterfirstlink.h"
#include "ssh/sshshell.h"
#include "tests/ssh/support/opensshmaster.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QStandardPaths>

#include <csignal>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Commands over a connection that OpenSSH's own client holds, to OpenSSH's own server.
class MasterLinkTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void ends_data();
    void ends();
    void bytesAsTheyAre();
    void interactive();
    void slowReader();
    void manyAtOnce();
    void placesAreRefusedAndTriedAgain();
    void cancelClosesTheChannel();
    void deadline();
    void terminal();
    void dialled();
    void noMaster();
    void staleSocket();
    void killedMaster();
    void hungMaster();
    void masterFirst();
    void lostAndOpenedAgain();

private:
    QString ensureMaster();
    static bool waitFor(const ClusterLink& link, LinkState state);
    static Result<CommandOutcome> run(ClusterLink& link, const RemoteCommand& command);
    static Result<CommandOutcome> run(ClusterLink& link, const QString& line)
    {
        return run(link, RemoteCommand::shell(line));
    }
    std::unique_ptr<MasterLink> online();

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
    std::unique_ptr<OpenSshMaster> m_master;
    QString m_socket;
};

void MasterLinkTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
    m_socket = m_home->path(u"my ssh 100%"_s);
}

/// Each test has a master that lives, whatever the one before did to it; empty: it does.
QString MasterLinkTest::ensureMaster()
{
    if (m_master && m_master->control(u"check"_s) == 0)
        return {};
    m_master.reset();
    QFile::remove(m_socket);
    m_master = std::make_unique<OpenSshMaster>(*m_sshd, m_home->path(u"."_s), QString(m_socket).replace(u'%', u"%%"_s));
    return m_master->start();
}

bool MasterLinkTest::waitFor(const ClusterLink& link, LinkState state)
{
    return test::comes([&link, state] { return link.state() == state; });
}

std::unique_ptr<MasterLink> MasterLinkTest::online()
{
    if (const QString why = ensureMaster(); !why.isEmpty())
        qWarning("%s", qPrintable(why));
    auto link = std::make_unique<MasterLink>(u"cluster"_s, m_socket);
    link->open();
    if (!waitFor(*link, LinkState::Online))
        qWarning("not online: %s", qPrintable(link->lastError().value_or(Error()).oneLine()));
    return link;
}

Result<CommandOutcome> MasterLinkTest::run(ClusterLink& link, const RemoteCommand& command)
{
    Result<CommandOutcome> result = fail(Fault::TimedOut, u"the test waited in vain"_s);
    bool done = false;
    QObject guard;
    link.run(command, &guard, [&](const Result<CommandOutcome>& outcome) {
        result = outcome;
        done = true;
    });
    (void)test::comes([&done] { return done; });
    return result;
}

void MasterLinkTest::ends_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("status"); // -1: none
    QTest::newRow("0") << u"true"_s << 0;
    QTest::newRow("3") << u"exit 3"_s << 3;
    QTest::newRow("255, as ssh's own failures") << u"exit 255"_s << 255;
    QTest::newRow("not found") << u"no-such-program"_s << 127;
    QTest::newRow("signal") << u"kill -KILL $$"_s << -1;
}

void MasterLinkTest::ends()
{
    QFETCH(QString, line);
    QFETCH(int, status);
    const auto link = online();
    const auto outcome = run(*link, u"echo $((6 * 7)); echo warn >&2; "_s + line);
    QVERIFY_RESULT(outcome);
    QCOMPARE(outcome->output, QByteArray("42\n"));
    QVERIFY2(outcome->errorOutput.startsWith("warn\n"), outcome->errorOutput.constData());
    QCOMPARE(outcome->exitStatus.value_or(-1), status);
    QCOMPARE(link->state(), LinkState::Online);
    QCOMPARE(link->way(), u"your ssh connection (%1)"_s.arg(m_socket));
}

void MasterLinkTest::bytesAsTheyAre()
{
    QByteArray data;
    for (quint32 i = 0; data.size() < (3 << 20); ++i) {
        const quint32 word = i * 2654435761U;
        data.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    const auto link = online();
    const auto outcome = run(*link, RemoteCommand::of({u"cat"_s}, data));
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == data);
    QVERIFY(outcome->succeeded());
    const auto words = run(*link, RemoteCommand::of({u"printf"_s, u"%s\n"_s, u"a  b'\"$!\\ü\n%"_s}));
    QVERIFY_RESULT(words);
    QCOMPARE(words->output, u"a  b'\"$!\\ü\n%\n"_s.toUtf8());
    QVERIFY(link->traffic()->bytesIn >= data.size() && link->traffic()->bytesOut >= data.size());
}

void MasterLinkTest::interactive()
{
    const auto link = online();
    RemoteCommand command = RemoteCommand::shell(u"while read -r line; do echo \"<$line>\"; done; echo end"_s);
    command.interactive = true;
    const auto process = link->start(command);
    QByteArray output;
    std::optional<int> status;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&](const QByteArray& bytes) { output += bytes; });
    connect(process.get(), &RemoteProcess::finished, &guard,
        [&](const Result<CommandOutcome>& outcome) { status = outcome ? outcome->exitStatus.value_or(-1) : -2; });
    process->write("one\n"); // before it was begun
    QTRY_COMPARE(output, QByteArray("<one>\n"));
    process->write("two\n");
    QTRY_COMPARE(output, QByteArray("<one>\n<two>\n"));
    process->closeInput();
    QTRY_VERIFY(status);
    QCOMPARE(*status, 0);
    QCOMPARE(output, QByteArray("<one>\n<two>\nend\n"));
}

/// Who is held takes nothing, and gets everything afterwards, the end last.
void MasterLinkTest::slowReader()
{
    const auto link = online();
    const auto process = link->start(RemoteCommand::shell(u"head -c 1000000 /dev/zero"_s));
    qint64 bytes = 0;
    bool isOver = false;
    QObject guard;
    connect(
        process.get(), &RemoteProcess::outputArrived, &guard, [&](const QByteArray& some) { bytes += some.size(); });
    connect(process.get(), &RemoteProcess::finished, &guard, [&] { isOver = true; });
    process->hold(true);
    QVERIFY_RESULT(run(*link, u"true"_s)); // what comes later is through
    QCOMPARE(bytes, 0);
    QVERIFY(!isOver);
    process->hold(false);
    QTRY_VERIFY(isOver);
    QCOMPARE(bytes, 1000000);
}

void MasterLinkTest::manyAtOnce()
{
    const auto link = online();
    QObject guard;
    QSet<QString> got;
    for (int i = 0; i < 20; ++i) {
        RemoteCommand command = RemoteCommand::shell(u"echo %1"_s.arg(i));
        command.deadlineSeconds = 120;
        link->run(command, &guard, [&got](const Result<CommandOutcome>& outcome) {
            got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
        });
    }
    QTRY_COMPARE(got.size(), 20);
    for (int i = 0; i < 20; ++i)
        QVERIFY2(got.contains(QString::number(i)), qPrintable(got.values().join(u' ')));
    QCOMPARE(link->traffic()->commands, 20);
    QTRY_COMPARE(link->traffic()->openChannels, 0);
}

/// A server that allows two sessions on a connection: what it refuses was not begun, and comes later.
void MasterLinkTest::placesAreRefusedAndTriedAgain()
{
    RealSshd sshd("MaxSessions 2\n");
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    QTemporaryDir folder;
    OpenSshMaster master(sshd, folder.path(), folder.filePath(u"s"_s));
    const QString why = master.start();
    QVERIFY2(why.isEmpty(), qPrintable(why));
    MasterLink link(u"cluster"_s, folder.filePath(u"s"_s));
    link.open();
    QVERIFY(waitFor(link, LinkState::Online));
    const QString marks = folder.filePath(u"marks"_s);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 7; ++i) {
        RemoteCommand command = RemoteCommand::shell(u"echo %1 | tee -a '%2'"_s.arg(i).arg(marks));
        command.deadlineSeconds = 120;
        link.run(command, &guard, [&got](const Result<CommandOutcome>& outcome) {
            got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
        });
    }
    QTRY_COMPARE(got.size(), 7);
    got.sort();
    QCOMPARE(got.join(u' '), u"0 1 2 3 4 5 6"_s);
    QStringList ran = QString::fromLatin1(SshHome::read(marks)).split(u'\n', Qt::SkipEmptyParts);
    ran.sort();
    QCOMPARE(ran.join(u' '), u"0 1 2 3 4 5 6"_s); // none twice
}

/// The command learns it as it would from `ssh` being ended: its input ends and nobody reads its output.
void MasterLinkTest::cancelClosesTheChannel()
{
    const auto link = online();
    RemoteCommand command = RemoteCommand::shell(u"echo $$; cat"_s);
    command.interactive = true;
    command.deadlineSeconds.reset();
    auto process = link->start(command);
    QByteArray pid;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&pid](const QByteArray& bytes) { pid += bytes; });
    QTRY_VERIFY(pid.endsWith('\n'));
    process.reset();
    QTRY_VERIFY(::kill(pid.trimmed().toInt(), 0) != 0);
    QVERIFY_RESULT(run(*link, u"true"_s));
    QCOMPARE(link->traffic()->openChannels, 0);
}

void MasterLinkTest::deadline()
{
    const auto link = online();
    RemoteCommand command = RemoteCommand::shell(u"cat"_s);
    command.interactive = true;
    command.deadlineSeconds = 1;
    const auto outcome = run(*link, command);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::TimedOut);
    QVERIFY_RESULT(run(*link, u"true"_s));
}

void MasterLinkTest::terminal()
{
    const auto link = online();
    // Without a trap of the change: it would end a read of dash as the end of its input does.
    RemoteCommand command = RemoteCommand::shell(u"stty size; echo $TERM; echo ready; while read -r line; do "
                                                 u"[ \"$line\" = more ] && stty size; echo \"<$line>\"; done"_s);
    command.interactive = true;
    command.deadlineSeconds.reset();
    command.terminal = TerminalRequest{"vt100", {101, 33}};
    const auto process = link->start(command);
    QByteArray output;
    bool isOver = false;
    QObject guard;
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&](const QByteArray& bytes) { output += bytes; });
    connect(process.get(), &RemoteProcess::finished, &guard, [&] { isOver = true; });
    QTRY_VERIFY2(output.contains("ready\r\n"), output.constData());
    QVERIFY2(output.startsWith("33 101\r\nvt100\r\n"), output.constData());
    process->resize({90, 20});
    process->write("word\n");
    QTRY_VERIFY2(output.contains("<word>\r\n"), output.constData());
    process->write("more\n");
    QTRY_VERIFY2(output.contains("20 90\r\n"), output.constData());
    QCOMPARE(output.count("word"), 2); // echoed by the far terminal and answered, not echoed here as well
    process->closeInput();
    QTRY_VERIFY(isOver);
}

/// From the login node to the server itself.
void MasterLinkTest::dialled()
{
    const auto link = online();
    const auto process = link->dial(u"127.0.0.1"_s, m_sshd->port());
    QByteArray output;
    bool isConnected = false;
    bool isEnded = false;
    std::optional<bool> isGood;
    QObject guard;
    connect(process.get(), &RemoteProcess::connected, &guard, [&] { isConnected = true; });
    connect(process.get(), &RemoteProcess::outputEnded, &guard, [&] { isEnded = true; });
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&](const QByteArray& bytes) { output += bytes; });
    connect(process.get(), &RemoteProcess::finished, &guard,
        [&](const Result<CommandOutcome>& outcome) { isGood = outcome && !outcome->exitStatus; });
    QTRY_VERIFY(output.startsWith("SSH-2.0-"));
    QVERIFY(isConnected);
    process->write("nonsense\r\n");
    process->closeInput();
    QTRY_VERIFY(isGood);
    QVERIFY(*isGood);
    QVERIFY(isEnded);
    const auto refused = link->dial(u"127.0.0.1"_s, 1);
    std::optional<Error> why;
    connect(refused.get(), &RemoteProcess::finished, &guard,
        [&](const Result<CommandOutcome>& outcome) { why = outcome ? Error() : outcome.error(); });
    QTRY_VERIFY(why);
    QCOMPARE(why->fault, Fault::Offline);
    QCOMPARE(why->what, u"The login node did not open 127.0.0.1:1."_s);
}

void MasterLinkTest::noMaster()
{
    MasterLink link(u"cluster"_s, m_home->path(u"nothing"_s));
    link.open();
    QVERIFY(waitFor(link, LinkState::Offline));
    QCOMPARE(link.lastError()->fault, Fault::Offline);
    QVERIFY(!link.loginTookPerson());
    const auto outcome = run(link, u"true"_s);
    QVERIFY(!outcome);
    QCOMPARE(outcome.error().fault, Fault::Offline);
}

void MasterLinkTest::staleSocket()
{
    QCOMPARE(ensureMaster(), QString());
    m_master->kill();
    QVERIFY(QFile::exists(m_socket));
    MasterLink link(u"cluster"_s, m_socket);
    link.open();
    QVERIFY(waitFor(link, LinkState::Offline));
    QCOMPARE(link.lastError()->fault, Fault::Offline);
}

void MasterLinkTest::killedMaster()
{
    const auto link = online();
    QByteArray output;
    std::optional<Error> why;
    QObject guard;
    RemoteCommand command = RemoteCommand::shell(u"echo begun; cat"_s);
    command.interactive = true;
    command.deadlineSeconds.reset();
    const auto process = link->start(command);
    connect(process.get(), &RemoteProcess::outputArrived, &guard, [&](const QByteArray& bytes) { output += bytes; });
    connect(process.get(), &RemoteProcess::finished, &guard,
        [&](const Result<CommandOutcome>& outcome) { why = outcome ? Error() : outcome.error(); });
    QTRY_COMPARE(output, QByteArray("begun\n"));
    m_master->kill();
    QTRY_VERIFY(why);
    QCOMPARE(why->fault, Fault::Offline);
    QVERIFY2(why->detail.contains(u"not known"_s), qPrintable(why->detail));
    QVERIFY(waitFor(*link, LinkState::Lost));
    QCOMPARE(link->lastError()->fault, Fault::Offline);
}

/// A master that is stopped takes the connection and says nothing: nobody waits for ever.
void MasterLinkTest::hungMaster()
{
    QCOMPARE(ensureMaster(), QString());
    ::kill(static_cast<pid_t>(m_master->processId()), SIGSTOP);
    MasterLink link(u"cluster"_s, m_socket);
    link.open();
    QVERIFY(waitFor(link, LinkState::Offline));
    QCOMPARE(link.lastError()->fault, Fault::Offline);
    m_master->kill();
}

/// With a master no login of one's own; without one, its own login, through the same link.
void MasterLinkTest::masterFirst()
{
    QCOMPARE(ensureMaster(), QString());
    MasterFirstLink link(
        std::make_unique<MasterLink>(u"cluster"_s, m_socket), std::make_unique<SshShell>(m_sshd->endpoint()));
    link.open();
    QVERIFY(waitFor(link, LinkState::Online));
    const auto shared = run(link, u"echo $PPID"_s);
    QVERIFY_RESULT(shared);
    QCOMPARE(link.way(), u"your ssh connection (%1)"_s.arg(m_socket));
    link.close();
    QCOMPARE(link.state(), LinkState::Offline);
    m_master->kill();
    link.open();
    QVERIFY(waitFor(link, LinkState::Online));
    QCOMPARE(link.way(), QString());
    QVERIFY_RESULT(run(link, u"true"_s));
}

/// The master goes in the middle: the link is lost, as every link that breaks, and opened again by a login of its own.
void MasterLinkTest::lostAndOpenedAgain()
{
    QCOMPARE(ensureMaster(), QString());
    MasterFirstLink link(
        std::make_unique<MasterLink>(u"cluster"_s, m_socket), std::make_unique<SshShell>(m_sshd->endpoint()));
    QList<LinkState> states;
    QObject guard;
    connect(&link, &RemoteShell::stateChanged, &guard, [&](LinkState state) { states << state; });
    link.open();
    QVERIFY(waitFor(link, LinkState::Online));
    m_master->kill();
    QVERIFY(waitFor(link, LinkState::Lost));
    QVERIFY(!link.loginTookPerson());
    QVERIFY(link.lastError());
    link.open(ClusterLink::Attendance::Nobody); // as the program does by itself: a key needs nobody
    QVERIFY(waitFor(link, LinkState::Online));
    QCOMPARE(states,
        (QList<LinkState>{
            LinkState::Connecting, LinkState::Online, LinkState::Lost, LinkState::Connecting, LinkState::Online}));
}

RANKWRIGHT_TEST_MAIN(MasterLinkTest)
#include "tst_masterlink.moc"
