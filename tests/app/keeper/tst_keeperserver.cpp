// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperposix.h"
#include "app/keeper/keeperserver.h"
#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <limits>

#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// A program that talks to the agent frame by frame, as it likes.
class RawProgram : public QObject {
public:
    explicit RawProgram(KeeperServer& server)
    {
        auto [near, far] = socketPair();
        m_socket = std::make_unique<FrameSocket>(std::move(near));
        connect(m_socket.get(), &FrameSocket::frameArrived, this,
            [this](const KeeperFrame& frame) { frames.append(frame); });
        connect(m_socket.get(), &FrameSocket::ended, this, [this] { hasEnded = true; });
        server.accept(std::move(far));
    }
    void send(KeeperFrame::Kind kind, quint32 process = 0, const QByteArray& body = {})
    {
        m_socket->send({kind, process, body});
    }
    void greet(int version = keeperVersion) { send(KeeperFrame::Hello, 0, helloBody({version, u"0"_s, 1, u"/"_s})); }
    void open(ClusterLink::Attendance attendance = ClusterLink::Attendance::Person, const QString& host = u"far"_s)
    {
        greet();
        SshEndpoint endpoint;
        endpoint.host = host;
        send(KeeperFrame::Open, 0, openBody({endpoint, attendance}));
    }
    void start(quint32 number, const RemoteCommand& command) { send(KeeperFrame::Start, number, commandBody(command)); }
    void hangUp() { m_socket->hangUp(); }
    int count(KeeperFrame::Kind kind, quint32 process = 0) const
    {
        int found = 0;
        for (const KeeperFrame& frame : frames)
            found += frame.kind == kind && frame.process == process ? 1 : 0;
        return found;
    }
    QByteArray last(KeeperFrame::Kind kind, quint32 process = 0) const
    {
        QByteArray body;
        for (const KeeperFrame& frame : frames) {
            if (frame.kind == kind && frame.process == process)
                body = frame.body;
        }
        return body;
    }
    QByteArray all(KeeperFrame::Kind kind, quint32 process) const
    {
        QByteArray bodies;
        for (const KeeperFrame& frame : frames) {
            if (frame.kind == kind && frame.process == process)
                bodies += frame.body;
        }
        return bodies;
    }
    std::optional<LinkState> state() const
    {
        const auto read = readState(last(KeeperFrame::State));
        return read ? std::optional(read->state) : std::nullopt;
    }

    QList<KeeperFrame> frames;
    bool hasEnded = false;

private:
    std::unique_ptr<FrameSocket> m_socket;
};

} // namespace

/// The agent among programs that behave and others that do not; the clusters are made of expectations.
class KeeperServerTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void greetings();
    void anotherVersion();
    void anotherUser();
    void garbage();
    void halfAFrame();
    void framesOfAnAgent();
    void oneConnectionForAll();
    void onlyTheFirstIsAsked();
    void whoIsAskedGoesAway();
    void aRefusalIsForAllWhoWait();
    void whoMayAskTriesAfterOneWhoMayNot();
    void neverOpenedByItself();
    void commandsAndStreams();
    void slowReaderIsBounded();
    void tooMuchInput();
    void aNumberCountsOnce();
    void programGoneEndsItsCommands();
    void lostConnectionEndsCommands();
    void tooManyPrograms();
    void tooManyConnections();
    void endsWhenIdle();
    void status();
    void stop();
    void oneAgentOnly();

private:
    void makeServer(KeeperServer::Limits limits);
    FakeShell& link(int at = 0) { return *m_links.at(at); }

    quint32 m_peer = 0;
    QList<QPointer<FakeShell>> m_links;
    std::unique_ptr<KeeperServer> m_server;
};

void KeeperServerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_peer = ownUser();
    makeServer({});
}

/// Nothing is released while a test looks at it, unless that is what it waits for.
void KeeperServerTest::makeServer(KeeperServer::Limits limits)
{
    if (limits.checkEveryMs == KeeperServer::Limits().checkEveryMs)
        limits.checkEveryMs = 3'600'000;
    KeeperServer::Parts parts;
    parts.makeLink = [this](const SshEndpoint&) {
        auto link = std::make_unique<FakeShell>();
        link->setState(LinkState::Offline);
        m_links.append(link.get());
        return link;
    };
    parts.peerUser = [this](int) { return std::optional(m_peer); };
    m_server = std::make_unique<KeeperServer>(std::move(parts), limits);
}

void KeeperServerTest::cleanup()
{
    m_server.reset();
    m_links.clear();
}

void KeeperServerTest::greetings()
{
    RawProgram program(*m_server);
    QTRY_COMPARE(program.count(KeeperFrame::Hello), 1);
    const auto hello = readHello(program.last(KeeperFrame::Hello));
    QVERIFY_RESULT(hello);
    QCOMPARE(hello->version, keeperVersion);
    program.greet();
    program.send(KeeperFrame::Ping);
    QTRY_COMPARE(program.count(KeeperFrame::Pong), 1);
}

void KeeperServerTest::anotherVersion()
{
    RawProgram program(*m_server);
    program.greet(keeperVersion + 1);
    QTRY_VERIFY(program.hasEnded);
    QVERIFY(readError(program.last(KeeperFrame::Refused)).what.contains(u"another version"_s));
    QTRY_COMPARE(m_server->programCount(), 0);
}

void KeeperServerTest::anotherUser()
{
    m_peer = ownUser() + 1;
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"somebody else"_s));
    RawProgram program(*m_server);
    QTRY_VERIFY(program.hasEnded);
    QVERIFY(program.frames.isEmpty());
    QCOMPARE(m_server->programCount(), 0);
}

void KeeperServerTest::garbage()
{
    auto [near, far] = socketPair();
    m_server->accept(std::move(far));
    QCOMPARE(m_server->programCount(), 1);
    FrameSocket socket(std::move(near));
    socket.send({KeeperFrame::Kind('\x7f'), 0, "GET / HTTP/1.1"});
    QTRY_COMPARE(m_server->programCount(), 0);
    // A frame, but not the first one.
    RawProgram unready(*m_server);
    unready.send(KeeperFrame::AskStatus);
    QTRY_VERIFY(unready.hasEnded);
    QCOMPARE(unready.count(KeeperFrame::Status), 0);
    QTRY_COMPARE(m_server->programCount(), 0);
}

void KeeperServerTest::halfAFrame()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    auto [near, far] = socketPair();
    m_server->accept(std::move(far));
    const QByteArray hello = keeperBytes({KeeperFrame::Hello, 0, helloBody({keeperVersion, {}, 1, {}})});
    QCOMPARE(::write(near.get(), hello.constData(), size_t(hello.size() - 3)), hello.size() - 3);
    QTRY_COMPARE(m_server->programCount(), 2);
    near.reset();
    QTRY_COMPARE(m_server->programCount(), 1); // and the other one is served on
    link().setState(LinkState::Online);
    QTRY_VERIFY(program.state() == LinkState::Online);
}

void KeeperServerTest::framesOfAnAgent()
{
    RawProgram program(*m_server);
    program.greet();
    program.send(KeeperFrame::State, 0, stateBody({LinkState::Online, {}, false}));
    QTRY_VERIFY(program.hasEnded);
    RawProgram broken(*m_server);
    broken.greet();
    broken.send(KeeperFrame::Open, 0, "no map");
    QTRY_VERIFY(broken.hasEnded);
    QVERIFY(m_links.isEmpty());
}

void KeeperServerTest::oneConnectionForAll()
{
    RawProgram first(*m_server);
    first.open();
    QTRY_COMPARE(m_links.size(), 1);
    QTRY_COMPARE(link().opened(), 1);
    RawProgram second(*m_server);
    second.open();
    QTRY_VERIFY(second.state() == LinkState::Connecting);
    link().setLoginTookPerson(true);
    link().setState(LinkState::Online);
    QTRY_VERIFY(first.state() == LinkState::Online && second.state() == LinkState::Online);
    QVERIFY(readState(second.last(KeeperFrame::State))->tookPerson); // known to all
    first.hangUp();
    second.hangUp();
    QTRY_COMPARE(m_server->programCount(), 0);
    RawProgram third(*m_server); // hours later
    third.open();
    QTRY_VERIFY(third.state() == LinkState::Online);
    QCOMPARE(link().probed(), 1); // does it still stand?
    QCOMPARE(m_links.size(), 1);
    QCOMPARE(link().opened(), 1);
    RawProgram elsewhere(*m_server);
    elsewhere.open(ClusterLink::Attendance::Person, u"another"_s);
    QTRY_COMPARE(m_links.size(), 2);
}

void KeeperServerTest::onlyTheFirstIsAsked()
{
    RawProgram first(*m_server);
    first.open();
    QTRY_COMPARE(m_links.size(), 1);
    RawProgram second(*m_server);
    second.open();
    QTRY_VERIFY(second.state() == LinkState::Connecting);
    LoginPrompt prompt;
    prompt.id = 5;
    prompt.questions = {{u"Code: "_s, false}};
    emit link().promptRaised(prompt);
    QTRY_COMPARE(first.count(KeeperFrame::Prompt), 1);
    second.send(KeeperFrame::Answer, 0, answerBody({5, {true, {Secret("mine")}}})); // was not asked
    second.send(KeeperFrame::Ping);
    QTRY_COMPARE(second.count(KeeperFrame::Pong), 1);
    QVERIFY(link().answers().isEmpty());
    first.send(KeeperFrame::Answer, 0, answerBody({5, {true, {Secret("123456")}}}));
    QTRY_COMPARE(link().answers().size(), 1);
    QCOMPARE(link().answers().first(), std::pair(quint64(5), true));
    QCOMPARE(second.count(KeeperFrame::Prompt), 0);
}

void KeeperServerTest::whoIsAskedGoesAway()
{
    RawProgram first(*m_server);
    first.open();
    QTRY_COMPARE(m_links.size(), 1);
    RawProgram second(*m_server);
    second.open();
    QTRY_VERIFY(second.state() == LinkState::Connecting);
    first.hangUp();
    QTRY_COMPARE(link().closed(), 1);
    QTRY_COMPARE(link().opened(), 2); // a login of its own
    emit link().promptRaised(LoginPrompt{});
    QTRY_COMPARE(second.count(KeeperFrame::Prompt), 1);
}

void KeeperServerTest::aRefusalIsForAllWhoWait()
{
    RawProgram first(*m_server);
    first.open();
    QTRY_COMPARE(m_links.size(), 1);
    RawProgram second(*m_server);
    second.open();
    QTRY_VERIFY(second.state() == LinkState::Connecting);
    link().setState(LinkState::Connecting);
    link().setState(LinkState::Offline, {Fault::LoginRefused, u"Permission denied."_s, {}, {}});
    for (RawProgram* program : {&first, &second}) {
        QTRY_VERIFY(program->state() == LinkState::Offline);
        QCOMPARE(readState(program->last(KeeperFrame::State))->why->fault, Fault::LoginRefused);
    }
    test::quietFor(50);
    QCOMPARE(m_links.size(), 1);
    QCOMPARE(link().opened(), 1); // three wrong passwords are not made six
}

void KeeperServerTest::whoMayAskTriesAfterOneWhoMayNot()
{
    RawProgram unattended(*m_server);
    unattended.open(ClusterLink::Attendance::Nobody);
    QTRY_COMPARE(m_links.size(), 1);
    QTRY_COMPARE(link().opened(), 1);
    QVERIFY(link().attendance() == ClusterLink::Attendance::Nobody);
    RawProgram attended(*m_server);
    attended.open();
    QTRY_VERIFY(attended.state() == LinkState::Connecting);
    link().setState(LinkState::Connecting);
    link().setState(LinkState::Offline, {Fault::LoginRefused, u"It needs you."_s, {}, {}});
    QTRY_VERIFY(unattended.state() == LinkState::Offline);
    QTRY_COMPARE(link().opened(), 2);
    QVERIFY(link().attendance() == ClusterLink::Attendance::Person);
}

void KeeperServerTest::neverOpenedByItself()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    QTRY_VERIFY(program.state() == LinkState::Online);
    link().setState(LinkState::Lost, {Fault::Offline, u"The line was cut."_s, {}, {}});
    QTRY_VERIFY(program.state() == LinkState::Lost);
    m_server->probeAll();
    test::quietFor(50);
    QCOMPARE(m_links.size(), 1);
    QCOMPARE(link().opened(), 1);
}

void KeeperServerTest::commandsAndStreams()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    program.start(1, RemoteCommand::shell(u"too early"_s));
    QTRY_COMPARE(program.count(KeeperFrame::Done, 1), 1);
    QCOMPARE(readOutcome(program.last(KeeperFrame::Done, 1)).error().fault, Fault::Offline);
    QVERIFY(link().commands().isEmpty());
    link().setState(LinkState::Online);
    link().expect(u"squeue"_s, {.staysOpen = true});
    RemoteCommand command = RemoteCommand::shell(u"squeue"_s);
    command.interactive = true;
    program.start(2, command);
    QTRY_COMPARE(link().running().size(), 1);
    FakeProcess* process = link().newest();
    program.send(KeeperFrame::Input, 2, "abc");
    program.send(KeeperFrame::InputEnd, 2);
    QTRY_VERIFY(process->isInputClosed());
    QCOMPARE(process->input(), "abc");
    process->say(QByteArray("\0\xff out", 6));
    process->sayError("err");
    process->end(3);
    QTRY_COMPARE(program.count(KeeperFrame::Done, 2), 1);
    QCOMPARE(program.all(KeeperFrame::Output, 2), QByteArray("\0\xff out", 6));
    QCOMPARE(program.all(KeeperFrame::Errors, 2), "err");
    QVERIFY(readOutcome(program.last(KeeperFrame::Done, 2))->exitStatus == 3);
    QCOMPARE(program.frames.last().kind, KeeperFrame::Done); // behind all that it printed
}

void KeeperServerTest::slowReaderIsBounded()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    link().expect(u"yes"_s, {.staysOpen = true});
    program.start(1, RemoteCommand::shell(u"yes"_s));
    QTRY_COMPARE(link().running().size(), 1);
    const QByteArray much(2 * keeperWindow + 17, 'y');
    link().newest()->say(much);
    link().newest()->end(0);
    QTRY_COMPARE(program.all(KeeperFrame::Output, 1).size(), keeperWindow);
    program.send(KeeperFrame::Ping);
    QTRY_COMPARE(program.count(KeeperFrame::Pong), 1); // the others go on
    QCOMPARE(program.all(KeeperFrame::Output, 1).size(), keeperWindow);
    QCOMPARE(program.count(KeeperFrame::Done, 1), 0);
    program.send(KeeperFrame::Grant, 1, countBody(std::numeric_limits<qint64>::max() / 2)); // no more than a window
    QTRY_COMPARE(program.all(KeeperFrame::Output, 1).size(), 2 * keeperWindow);
    program.send(KeeperFrame::Grant, 1, countBody(100));
    QTRY_COMPARE(program.count(KeeperFrame::Done, 1), 1);
    QCOMPARE(program.all(KeeperFrame::Output, 1), much);
}

void KeeperServerTest::tooMuchInput()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    link().expect(u"cat"_s, {.staysOpen = true});
    RemoteCommand command = RemoteCommand::shell(u"cat"_s);
    command.interactive = true;
    program.start(1, command);
    for (int i = 0; i < 20; ++i) // the fake takes nothing
        program.send(KeeperFrame::Input, 1, QByteArray(keeperPiece, 'x'));
    QTRY_VERIFY(program.hasEnded);
    QTRY_VERIFY(link().running().isEmpty());
}

void KeeperServerTest::aNumberCountsOnce()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    link().expect(u"sbatch"_s, {.output = "1"}, true);
    program.start(1, RemoteCommand::shell(u"sbatch"_s));
    QTRY_COMPARE(program.count(KeeperFrame::Done, 1), 1);
    program.start(1, RemoteCommand::shell(u"sbatch"_s));
    QTRY_VERIFY(program.hasEnded);
    QCOMPARE(link().commands().size(), 1);
}

void KeeperServerTest::programGoneEndsItsCommands()
{
    RawProgram first(*m_server);
    RawProgram second(*m_server);
    first.open();
    second.open();
    QTRY_COMPARE(m_links.size(), 1);
    QTRY_VERIFY(second.state() == LinkState::Connecting);
    link().setState(LinkState::Online);
    link().expect(u"tail"_s, {.staysOpen = true}, true);
    first.start(1, RemoteCommand::shell(u"tail"_s));
    first.start(2, RemoteCommand::shell(u"tail"_s));
    second.start(1, RemoteCommand::shell(u"tail"_s));
    QTRY_COMPARE(link().running().size(), 3);
    first.send(KeeperFrame::Cancel, 1);
    QTRY_COMPARE(link().running().size(), 2);
    first.hangUp();
    QTRY_COMPARE(link().running().size(), 1);
    QCOMPARE(link().closed(), 0);
    link().newest()->say("still here");
    QTRY_COMPARE(second.all(KeeperFrame::Output, 1), "still here");
}

void KeeperServerTest::lostConnectionEndsCommands()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    link().expect(u"sbatch"_s, {.staysOpen = true});
    program.start(1, RemoteCommand::shell(u"sbatch"_s));
    QTRY_COMPARE(link().running().size(), 1);
    link().setState(LinkState::Lost, {Fault::Offline, u"The line was cut."_s, {}, {}});
    QTRY_COMPARE(program.count(KeeperFrame::Done, 1), 1);
    QCOMPARE(readOutcome(program.last(KeeperFrame::Done, 1)).error().fault, Fault::Offline);
    QCOMPARE(link().commands().size(), 1); // never again by itself
}

void KeeperServerTest::tooManyPrograms()
{
    KeeperServer::Limits limits;
    limits.programs = 2;
    makeServer(limits);
    RawProgram first(*m_server);
    RawProgram second(*m_server);
    RawProgram third(*m_server);
    QTRY_VERIFY(third.hasEnded);
    QCOMPARE(readError(third.last(KeeperFrame::Refused)).fault, Fault::TurnedAway);
    QTRY_COMPARE(m_server->programCount(), 2);
}

void KeeperServerTest::tooManyConnections()
{
    KeeperServer::Limits limits;
    limits.connections = 1;
    makeServer(limits);
    RawProgram first(*m_server);
    first.open(ClusterLink::Attendance::Person, u"one"_s);
    QTRY_COMPARE(m_links.size(), 1);
    RawProgram second(*m_server);
    second.open(ClusterLink::Attendance::Person, u"two"_s);
    QTRY_VERIFY(second.state() == LinkState::Offline);
    QCOMPARE(m_links.size(), 1);
}

void KeeperServerTest::endsWhenIdle()
{
    KeeperServer::Limits limits;
    limits.idleMs = 200;
    limits.emptyMs = 2000;
    limits.checkEveryMs = 10;
    makeServer(limits);
    QSignalSpy ended(m_server.get(), &KeeperServer::ended);
    {
        RawProgram program(*m_server);
        program.open();
        QTRY_COMPARE(m_links.size(), 1);
        link().setState(LinkState::Online);
        test::quietFor(400);
        QCOMPARE(ended.count(), 0); // a program that only waits uses it, too
    }
    QTRY_COMPARE(ended.count(), 1);
    test::quietFor(50);
    QCOMPARE(ended.count(), 1);
}

void KeeperServerTest::status()
{
    RawProgram program(*m_server);
    program.open();
    QTRY_COMPARE(m_links.size(), 1);
    link().setState(LinkState::Online);
    link().expect(u"tail"_s, {.staysOpen = true});
    program.start(1, RemoteCommand::shell(u"tail"_s));
    RawProgram asking(*m_server);
    asking.greet();
    QTRY_COMPARE(link().running().size(), 1);
    asking.send(KeeperFrame::AskStatus);
    QTRY_COMPARE(asking.count(KeeperFrame::Status), 1);
    const auto status = readStatus(asking.last(KeeperFrame::Status));
    QVERIFY_RESULT(status);
    QCOMPARE(status->pid, QCoreApplication::applicationPid());
    QCOMPARE(status->connections.size(), 1);
    const KeeperStatus::Connection& connection = status->connections.first();
    QVERIFY(connection.endpoint.contains(u"far"_s));
    QCOMPARE(connection.state, LinkState::Online);
    QVERIFY(connection.openedAt > 0);
    QCOMPARE(connection.commands, 1);
    QCOMPARE(connection.running, 1);
    QCOMPARE(connection.programs, 1);
}

void KeeperServerTest::stop()
{
    QSignalSpy ended(m_server.get(), &KeeperServer::ended);
    RawProgram program(*m_server);
    program.greet();
    program.send(KeeperFrame::Stop);
    QTRY_COMPARE(ended.count(), 1);
    m_server.reset();
    QTRY_VERIFY(program.hasEnded);
}

void KeeperServerTest::oneAgentOnly()
{
    QTemporaryDir folder(u"/tmp/rwk-XXXXXX"_s);
    const QString at = folder.filePath(u"agent"_s);
    const KeeperPlace place{at, at + u"/s"_s, at + u"/l"_s};
    QVERIFY_RESULT(m_server->listen(place));
    const std::unique_ptr<KeeperServer> first = std::move(m_server);
    makeServer({});
    const auto second = m_server->listen(place);
    QVERIFY(!second);
    QCOMPARE(second.error().fault, Fault::Invalid);
    m_server.reset();
    QVERIFY(connectTo(place.socket).isValid()); // the first one's socket was left alone
}

RANKWRIGHT_TEST_MAIN(KeeperServerTest)
#include "tst_keeperserver.moc"
