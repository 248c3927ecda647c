// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portforward.h"
#include "ssh/localshell.h"
#include "tests/app/forward/support/tcppeers.h"
#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <future>

#include <sys/socket.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A port forwarded for real: to services on this machine, through our own server, OpenSSH's, and by steps that a
/// stand-in for srun runs. Clients are plain blocking sockets on threads.
class PortForwardTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void ways_data();
    void echo_data() { ways_data(); }
    void echo();
    void twentyAtOnce_data() { ways_data(); }
    void twentyAtOnce();
    void muchBothWays_data() { ways_data(); }
    void muchBothWays();
    void halfClose_data() { ways_data(); }
    void halfClose();
    void serverCloses_data() { ways_data(); }
    void serverCloses();
    void slowReaderHoldsTheFarSideUp_data() { ways_data(); }
    void slowReaderHoldsTheFarSideUp();
    void nothingListens_data() { ways_data(); }
    void nothingListens();
    void serviceThatComesLater_data() { ways_data(); }
    void serviceThatComesLater();
    void refusedByTheSite();
    void stopEndsAll_data() { ways_data(); }
    void stopEndsAll();
    void lostLink();
    void relayEndsWithItsInput();

private:
    enum Place { OwnServer, OpenSsh, Refusing, Step, StepWithoutPython };
    void build(Place place);
    /// Runs on another thread while the event loop turns here.
    template <typename Work>
    auto away(Work work)
    {
        auto future = std::async(std::launch::async, work);
        [&] { QTRY_VERIFY(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready); }();
        return future.get();
    }
    RemoteShell& shell() { return m_client ? static_cast<RemoteShell&>(m_client->shell()) : *m_local; }
    std::unique_ptr<PortForward> forwardTo(int port)
    {
        auto made = std::make_unique<PortForward>(shell(), NodeStep{u"123"_s, u"localhost"_s}, port);
        return made;
    }
    static PortForward::Way expected(Place place)
    {
        switch (place) {
        case OwnServer:
        case OpenSsh: return PortForward::Way::Login;
        case Refusing:
        case Step: return PortForward::Way::Relay;
        case StepWithoutPython: return PortForward::Way::Bash;
        }
        return PortForward::Way::Unknown;
    }

    QTemporaryDir m_tools; ///< with a stand-in for srun
    QTemporaryDir m_bare; ///< what a node without Python has
    QByteArray m_path;
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<SshServer> m_server;
    std::unique_ptr<RealSshd> m_sshd;
    std::unique_ptr<SshClient> m_client;
    std::unique_ptr<LocalShell> m_local;
    QString m_skip;
};

void PortForwardTest::initTestCase()
{
    m_path = qgetenv("PATH");
    m_home = std::make_unique<SshHome>();
    SshHome::write(m_tools.filePath(u"srun"_s),
        "#!/bin/bash\nwhile [ $# -gt 0 ]; do case $1 in --*) shift ;; *) break ;; esac; done\n"
        "[ -n \"$RANKWRIGHT_NODE_PATH\" ] && PATH=$RANKWRIGHT_NODE_PATH\nexec \"$@\"\n");
    QFile::setPermissions(m_tools.filePath(u"srun"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    for (const QString& name : {u"sh"_s, u"bash"_s, u"cat"_s, u"hostname"_s, u"kill"_s}) {
        const QString program = QStandardPaths::findExecutable(name);
        if (!program.isEmpty())
            QFile::link(program, m_bare.filePath(name));
    }
    qputenv("PATH", m_tools.path().toLocal8Bit() + ':' + m_path);
}

void PortForwardTest::cleanup()
{
    m_client.reset();
    m_local.reset();
    m_server.reset();
    m_sshd.reset();
    qunsetenv("RANKWRIGHT_NODE_PATH");
}

void PortForwardTest::ways_data()
{
    QTest::addColumn<int>("place");
    QTest::newRow("our server") << int(OwnServer);
    QTest::newRow("OpenSSH") << int(OpenSsh);
    QTest::newRow("OpenSSH that refuses") << int(Refusing);
    QTest::newRow("step") << int(Step);
    QTest::newRow("step without Python") << int(StepWithoutPython);
}

void PortForwardTest::build(Place place)
{
    m_skip.clear();
    switch (place) {
    case OwnServer:
        m_server = std::make_unique<SshServer>(SshServer::Options{.password = "p"});
        m_client = std::make_unique<SshClient>(m_home->endpoint(*m_server));
        m_client->answerer = [](const LoginPrompt&) { return SshClient::with({"p"}); };
        break;
    case OpenSsh: m_sshd = std::make_unique<RealSshd>(); break;
    case Refusing:
        m_sshd = std::make_unique<RealSshd>("AllowTcpForwarding no\nPermitUserEnvironment yes\n");
        if (m_sshd->problem().isEmpty())
            SshHome::write(m_sshd->path(u"authorized_keys"_s),
                "environment=\"PATH=" + m_tools.path().toLocal8Bit() + ":/usr/bin:/bin\" "
                    + SshHome::read(m_sshd->path(u"user.pub"_s)));
        break;
    case StepWithoutPython: qputenv("RANKWRIGHT_NODE_PATH", m_bare.path().toLocal8Bit()); [[fallthrough]];
    case Step: m_local = std::make_unique<LocalShell>(); return;
    }
    if (m_sshd) {
        m_skip = m_sshd->problem();
        if (!m_skip.isEmpty())
            return;
        m_client = std::make_unique<SshClient>(m_sshd->endpoint());
    }
    QCOMPARE(m_client->connectNow(), LinkState::Online);
}

#define BUILD(place)                                                                                                   \
    do {                                                                                                               \
        build(Place(place));                                                                                           \
        if (!m_skip.isEmpty())                                                                                         \
            QSKIP(qPrintable(m_skip));                                                                                 \
        if (QTest::currentTestFailed())                                                                                \
            return;                                                                                                    \
    } while (false)

void PortForwardTest::echo()
{
    QFETCH(int, place);
    BUILD(place);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_VERIFY(forward->isTried());
    QCOMPARE(forward->way(), expected(Place(place)));
    QVERIFY2(forward->trouble().isEmpty(), qPrintable(forward->trouble()));
    const QByteArray bytes("GET / HTTP/1.0\r\n\r\n\0\xff\x80", 21);
    if (place == StepWithoutPython) { // cannot end one direction
        const Descriptor made = connectHere(*here);
        QVERIFY(::send(made.get(), bytes.constData(), size_t(bytes.size()), MSG_NOSIGNAL) == bytes.size());
        QByteArray back(64, '\0');
        const auto got = away([&] { return ::recv(made.get(), back.data(), size_t(back.size()), 0); });
        QCOMPARE(back.left(got), bytes);
        return;
    }
    QCOMPARE(away([&] { return talk(*here, bytes); }), bytes);
    QTRY_COMPARE(forward->connections(), 0);
    QCOMPARE(forward->bytesIn(), qint64(bytes.size()));
    QCOMPARE(forward->bytesOut(), qint64(bytes.size()));
}

void PortForwardTest::twentyAtOnce()
{
    QFETCH(int, place);
    if (place == StepWithoutPython)
        QSKIP("a step for each connection");
    BUILD(place);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    std::list<std::future<bool>> all;
    for (int i = 0; i < 20; ++i)
        all.push_back(std::async(std::launch::async, [port = *here, i] { return talkMuch(port, 200000 + i * 1000); }));
    for (auto& one : all) {
        QTRY_VERIFY(one.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
        QVERIFY(one.get());
    }
    QCOMPARE(forward->connectionsSoFar(), 20);
    QTRY_COMPARE(forward->connections(), 0);
}

void PortForwardTest::muchBothWays()
{
    QFETCH(int, place);
    if (place == StepWithoutPython)
        QSKIP("cannot end one direction");
    BUILD(place);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    const qint64 before = residentBytes();
    // The whole amount where it goes through OpenSSH, as in a user's life.
    const qint64 bytes = place == OpenSsh || place == Refusing ? 100LL << 20 : 20LL << 20;
    QVERIFY(away([&] { return talkMuch(*here, bytes); }));
    QVERIFY2(residentBytes() - before < 64LL << 20, qPrintable(QString::number(residentBytes() - before)));
}

void PortForwardTest::halfClose()
{
    QFETCH(int, place);
    if (place == StepWithoutPython)
        QSKIP("cannot end one direction");
    BUILD(place);
    const TcpService service(TcpService::Kind::Count);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QCOMPARE(away([&] { return talk(*here, QByteArray(1000000, 'x')); }), QByteArray("1000000"));
    QCOMPARE(away([&] { return talk(*here, {}); }), QByteArray("0"));
}

void PortForwardTest::serverCloses()
{
    QFETCH(int, place);
    BUILD(place);
    const TcpService service(TcpService::Kind::Greet);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    const QByteArray said = away([&] {
        const Descriptor made = connectHere(*here); // our direction stays open
        return readAll(made.get());
    });
    QCOMPARE(said, QByteArray("hello"));
    QTRY_COMPARE(forward->connections(), 0);
}

void PortForwardTest::slowReaderHoldsTheFarSideUp()
{
    QFETCH(int, place);
    if (place == StepWithoutPython)
        QSKIP("this machine's own shell takes what comes");
    BUILD(place);
    const TcpService service(TcpService::Kind::Flood);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    const Descriptor slow = connectHere(*here);
    QVERIFY(slow.isValid());
    test::quietFor(1500);
    QVERIFY2(forward->bytesIn() < 16LL << 20, qPrintable(QString::number(forward->bytesIn())));
    // another connection is not held up by it
    const Descriptor quick = connectHere(*here);
    QCOMPARE(away([&] {
        char byte = 0;
        return ::recv(quick.get(), &byte, 1, 0);
    }),
        1);
    QCOMPARE(away([&] { return readAll(slow.get()).size(); }), qsizetype(TcpService::floodBytes));
}

void PortForwardTest::nothingListens()
{
    QFETCH(int, place);
    BUILD(place);
    const auto forward = forwardTo(Listener::freePort());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_VERIFY(forward->isTried());
    QCOMPARE(forward->way(), PortForward::Way::Unknown);
    QVERIFY2(forward->trouble().contains(u"Nothing answers on port"_s), qPrintable(forward->trouble()));
    QVERIFY(forward->isActive()); // the service may yet begin
    QCOMPARE(away([&] { return talk(*here, "x"); }), QByteArray());
    QTRY_COMPARE(forward->connections(), 0);
}

void PortForwardTest::serviceThatComesLater()
{
    QFETCH(int, place);
    BUILD(place);
    int port = 0;
    {
        const TcpService early(TcpService::Kind::Greet);
        port = early.port();
    }
    const auto forward = forwardTo(port);
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_VERIFY(forward->isTried());
    QVERIFY(!forward->trouble().isEmpty());
    const TcpService service(TcpService::Kind::Greet, port);
    if (service.port() != port)
        QSKIP("the port was taken meanwhile");
    const QByteArray said = away([&] {
        const Descriptor made = connectHere(*here);
        return readAll(made.get());
    });
    QCOMPARE(said, QByteArray("hello"));
    QVERIFY(forward->trouble().isEmpty());
}

void PortForwardTest::refusedByTheSite()
{
    BUILD(Refusing);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    QStringList said;
    connect(forward.get(), &PortForward::changed, this, [&] { said.append(wayText(forward->way(), u"n1"_s)); });
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_COMPARE(forward->way(), PortForward::Way::Relay);
    QCOMPARE(said.last(), u"through a Slurm step on n1"_s);
    QCOMPARE(away([&] { return talk(*here, "abc"); }), QByteArray("abc"));
}

void PortForwardTest::stopEndsAll()
{
    QFETCH(int, place);
    BUILD(place);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_VERIFY(forward->isTried());
    const Descriptor open = connectHere(*here);
    QTRY_COMPARE(service.connections(), 2); // and the first look
    forward->stop(u"Job 123 has ended."_s);
    QVERIFY(!forward->isActive());
    QCOMPARE(forward->ending(), u"Job 123 has ended."_s);
    QCOMPARE(away([&] { return readAll(open.get()); }), QByteArray());
    QVERIFY(!connectHere(*here).isValid());
}

void PortForwardTest::lostLink()
{
    BUILD(OwnServer);
    const TcpService service(TcpService::Kind::Echo);
    const auto forward = forwardTo(service.port());
    const auto here = forward->start(0);
    QVERIFY_RESULT(here);
    QTRY_VERIFY(forward->isTried());
    const Descriptor open = connectHere(*here);
    QTRY_COMPARE(service.connections(), 2);
    m_server->dropAll();
    QVERIFY(m_client->waitFor(LinkState::Lost));
    QCOMPARE(away([&] { return readAll(open.get()); }), QByteArray());
    // Connected again, it goes on.
    QCOMPARE(m_client->connectNow(), LinkState::Online);
    QCOMPARE(away([&] { return talk(*here, "again"); }), QByteArray("again"));
}

void PortForwardTest::relayEndsWithItsInput()
{
    BUILD(Step);
    const auto process = shell().start(relayCommand({u"123"_s, u"localhost"_s}));
    QByteArray said;
    bool ended = false;
    connect(process.get(), &RemoteProcess::outputArrived, this, [&](const QByteArray& bytes) { said += bytes; });
    connect(process.get(), &RemoteProcess::finished, this, [&] { ended = true; });
    QTRY_VERIFY(said.contains("RANKWRIGHT-RELAY 1\n"));
    process->closeInput();
    QTRY_VERIFY(ended);
}

RANKWRIGHT_TEST_MAIN(PortForwardTest)
#include "tst_portforward.moc"
