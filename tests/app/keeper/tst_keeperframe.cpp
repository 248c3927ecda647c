// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/framesocket.h"
#include "app/keeper/keepermessage.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// What programs and the connection agent say to each other: nothing is lost on the way, and nothing broken gets in.
class KeeperFrameTest final : public Suite {
    Q_OBJECT
private slots:
    void anyPieces();
    void singleBytes();
    void badFrames_data();
    void badFrames();
    void endpointsArriveWhole();
    void sharedOrNot();
    void promptsAndAnswers();
    void commandsArriveWhole();
    void outcomesArriveWhole();
    void cutBodies();
    void longTextsAreCut();
    void socketsCarryFrames();
    void whoSendsNonsenseIsLeft();

private:
    static SshEndpoint fullEndpoint();
    static RemoteCommand fullCommand();
};

SshEndpoint KeeperFrameTest::fullEndpoint()
{
    SshEndpoint endpoint;
    endpoint.host = u"login.example.org"_s;
    endpoint.port = 2222;
    endpoint.user = u"ada"_s;
    endpoint.identities = {u"/home/ada/.ssh/a key"_s, u"/k/ü"_s};
    endpoint.identitiesOnly = true;
    endpoint.knownHosts = u"/home/ada/.ssh/known_hosts"_s;
    endpoint.otherKnownHosts = {u"/home/ada/.ssh/more"_s};
    endpoint.systemKnownHosts = QStringList{u"/etc/ssh/ssh_known_hosts"_s};
    endpoint.revokedHostKeys = u"/etc/ssh/revoked"_s;
    endpoint.unknownHosts = UnknownHosts::AcceptNew;
    endpoint.hashKnownHosts = true;
    endpoint.certificates = {u"/home/ada/.ssh/id-cert.pub"_s};
    endpoint.hostKeyAlias = u"alias"_s;
    endpoint.agentSocket = u"/run/agent"_s;
    endpoint.published = {u"SHA256:abc"_s};
    SshEndpoint jump;
    jump.host = u"jump.example.org"_s;
    jump.user = u"eve"_s;
    endpoint.jumps = {jump};
    return endpoint;
}

RemoteCommand KeeperFrameTest::fullCommand()
{
    RemoteCommand command;
    command.line = u"echo 'ü'\nfalse"_s;
    command.input = QByteArray("a\0b\xff", 4);
    command.interactive = true;
    command.urgent = true;
    command.fenced = false;
    command.deadlineSeconds.reset();
    command.terminal = TerminalRequest{"vt100", {132, 43}};
    command.keepsPlace = true;
    command.outputLimit = 77;
    return command;
}

void KeeperFrameTest::anyPieces()
{
    const QList<KeeperFrame> sent{{KeeperFrame::Hello, 0, helloBody({1, u"0.1"_s, 17, u"/home/ada"_s})},
        {KeeperFrame::Ping, 0, {}}, {KeeperFrame::Output, 0xfffffffe, QByteArray(keeperPiece, 'x')},
        {KeeperFrame::Done, 5, QByteArray(keeperLargest, '\0')}};
    QByteArray wire;
    for (const KeeperFrame& frame : sent)
        wire += keeperBytes(frame);
    for (const qsizetype piece : {qsizetype(1021), qsizetype(65536), wire.size()}) {
        KeeperReader reader;
        QList<KeeperFrame> read;
        for (qsizetype at = 0; at < wire.size(); at += piece) {
            const auto some = reader.feed(QByteArrayView(wire).sliced(at, qMin(piece, wire.size() - at)));
            QVERIFY_RESULT(some);
            read += *some;
        }
        QCOMPARE(read, sent);
    }
}

/// Byte by byte, of short frames: each byte of one that is not whole is copied with every feed.
void KeeperFrameTest::singleBytes()
{
    const QList<KeeperFrame> sent{
        {KeeperFrame::Ping, 0, {}}, {KeeperFrame::Output, 3, "hello"}, {KeeperFrame::Pong, 0, {}}};
    KeeperReader reader;
    QList<KeeperFrame> read;
    for (const KeeperFrame& frame : sent) {
        for (const char byte : keeperBytes(frame)) {
            const auto some = reader.feed(QByteArrayView(&byte, 1));
            QVERIFY_RESULT(some);
            read += *some;
        }
    }
    QCOMPARE(read, sent);
}

void KeeperFrameTest::badFrames_data()
{
    QTest::addColumn<QByteArray>("wire");
    QTest::newRow("another program") << QByteArray("GET / HTTP/1.1\r\n\r\n");
    QTest::newRow("zero bytes") << QByteArray(9, '\0');
    QTest::newRow("too long") << QByteArray("o\0\0\0\1\xff\xff\xff\xff", 9);
    QTest::newRow("just too long") << QByteArray("o\0\0\0\1\0\4\0\1", 9);
    QTest::newRow("unknown kind") << QByteArray("?\0\0\0\0\0\0\0\0", 9);
}

void KeeperFrameTest::badFrames()
{
    QFETCH(QByteArray, wire);
    KeeperReader reader;
    const auto frames = reader.feed(wire);
    QVERIFY(!frames);
    QCOMPARE(frames.error().fault, Fault::Unreadable);
}

void KeeperFrameTest::endpointsArriveWhole()
{
    const auto read = readOpen(openBody({fullEndpoint(), ClusterLink::Attendance::Person}));
    QVERIFY_RESULT(read);
    QVERIFY(read->endpoint == fullEndpoint());
    QVERIFY(read->attendance == ClusterLink::Attendance::Person);
    SshEndpoint plain;
    plain.host = u"h"_s;
    const auto other = readOpen(openBody({plain, ClusterLink::Attendance::Nobody}));
    QVERIFY_RESULT(other);
    QVERIFY(other->endpoint == plain);
    QVERIFY(other->attendance == ClusterLink::Attendance::Nobody);
    QVERIFY(!readOpen("")); // no endpoint
    QVERIFY(!readOpen(openBody({SshEndpoint(), ClusterLink::Attendance::Nobody}))); // no host
}

void KeeperFrameTest::sharedOrNot()
{
    const SshEndpoint endpoint = fullEndpoint();
    SshEndpoint other = endpoint;
    other.agentSocket = u"/run/another"_s; // of another terminal
    QCOMPARE(endpointKey(other), endpointKey(endpoint));
    const QList<std::function<void(SshEndpoint&)>> changes{[](SshEndpoint& e) { e.user = u"eve"_s; },
        [](SshEndpoint& e) { e.port = 22; }, [](SshEndpoint& e) { e.host = u"login2.example.org"_s; },
        [](SshEndpoint& e) { e.identities.removeLast(); }, [](SshEndpoint& e) { e.jumps.clear(); },
        [](SshEndpoint& e) { e.jumps.first().user = u"ada"_s; }, [](SshEndpoint& e) { e.knownHosts = u"/k"_s; },
        [](SshEndpoint& e) { e.unknownHosts = UnknownHosts::Ask; }};
    for (const auto& change : changes) {
        SshEndpoint changed = endpoint;
        change(changed);
        QVERIFY(endpointKey(changed) != endpointKey(endpoint));
    }
}

void KeeperFrameTest::promptsAndAnswers()
{
    LoginPrompt prompt;
    prompt.id = 7;
    prompt.kind = LoginPrompt::Kind::KeyboardInteractive;
    prompt.host = u"ada@h"_s;
    prompt.isJump = true;
    prompt.notice = u"again"_s;
    prompt.title = u"Duo"_s;
    prompt.instruction = u"code"_s;
    prompt.banner = u"welcome"_s;
    prompt.questions = {{u"Code: "_s, false}, {u"Name: "_s, true}};
    prompt.keyType = u"ssh-ed25519"_s;
    prompt.fingerprint = u"SHA256:x"_s;
    prompt.published = {u"SHA256:y"_s};
    prompt.knownHostsFile = u"/k"_s;
    const auto read = readPrompt(promptBody(prompt));
    QVERIFY_RESULT(read);
    QCOMPARE(*read, prompt);

    const auto answer = readAnswer(answerBody({7, {true, {Secret("s3cret ü"), Secret("")}}}));
    QVERIFY_RESULT(answer);
    QCOMPARE(answer->prompt, quint64(7));
    QVERIFY(answer->answer.accepted);
    QCOMPARE(answer->answer.answers.size(), 2);
    QVERIFY(qstrcmp(answer->answer.answers.at(0).c_str(), "s3cret ü") == 0);
    QVERIFY(answer->answer.answers.at(1).isEmpty());
}

void KeeperFrameTest::commandsArriveWhole()
{
    for (const RemoteCommand& command : {fullCommand(), RemoteCommand::of({u"true"_s})}) {
        const auto read = readCommand(commandBody(command));
        QVERIFY_RESULT(read);
        QCOMPARE(read->line, command.line);
        QCOMPARE(read->input, command.input);
        QCOMPARE(read->interactive, command.interactive);
        QCOMPARE(read->urgent, command.urgent);
        QCOMPARE(read->fenced, command.fenced);
        QVERIFY(read->deadlineSeconds == command.deadlineSeconds);
        QCOMPARE(read->terminal.has_value(), command.terminal.has_value());
        if (command.terminal) {
            QCOMPARE(read->terminal->type, command.terminal->type);
            QVERIFY(read->terminal->size == command.terminal->size);
        }
        QCOMPARE(read->keepsPlace, command.keepsPlace);
        QCOMPARE(read->outputLimit, command.outputLimit);
    }
    const auto dial = readDial(dialBody({u"nid001"_s, 6006}));
    QVERIFY_RESULT(dial);
    QCOMPARE(*dial, (KeeperDial{u"nid001"_s, 6006}));
    QVERIFY(!readDial(dialBody({u"nid001"_s, 0})));
    const auto size = readSize(sizeBody({132, 43}));
    QVERIFY_RESULT(size);
    QVERIFY(*size == (TerminalSize{132, 43}));
}

void KeeperFrameTest::outcomesArriveWhole()
{
    CommandOutcome outcome;
    outcome.errorOutput = QByteArray("\xffno\n", 4);
    outcome.exitStatus = 3;
    auto read = readOutcome(outcomeBody(outcome));
    QVERIFY_RESULT(read);
    QCOMPARE(read->errorOutput, outcome.errorOutput);
    QVERIFY(read->exitStatus == 3);
    outcome.exitStatus.reset();
    outcome.exitSignal = "KILL";
    read = readOutcome(outcomeBody(outcome));
    QVERIFY_RESULT(read);
    QVERIFY(!read->exitStatus.has_value()); // unknown stays unknown
    QCOMPARE(read->exitSignal, QByteArray("KILL"));
    const Error error{Fault::TimedOut, u"what"_s, u"detail"_s, u"remedy"_s};
    const auto failed = readOutcome(outcomeBody(fail(error)));
    QVERIFY(!failed);
    QCOMPARE(failed.error(), error);
}

/// Each body cut at each byte: an error or a value, never more.
void KeeperFrameTest::cutBodies()
{
    const KeeperStatus status{17, u"0.1"_s, 100, 60, {{u"ada@h"_s, LinkState::Online, 101, 5, 1, 2}}};
    const auto whole = readStatus(statusBody(status));
    QVERIFY_RESULT(whole);
    QCOMPARE(*whole, status);
    const QList<std::pair<QByteArray, std::function<bool(const QByteArray&)>>> bodies{
        {openBody({fullEndpoint(), ClusterLink::Attendance::Person}),
            [](const QByteArray& body) { return readOpen(body).hasValue(); }},
        {commandBody(fullCommand()), [](const QByteArray& body) { return readCommand(body).hasValue(); }},
        {answerBody({7, {true, {Secret("abc")}}}), [](const QByteArray& body) { return readAnswer(body).hasValue(); }},
        {statusBody(status), [](const QByteArray& body) { return readStatus(body).hasValue(); }},
        {stateBody({LinkState::Lost, Error{Fault::Offline, u"w"_s, {}, {}}, true}),
            [](const QByteArray& body) { return readState(body).hasValue(); }},
        {helloBody({1, u"0"_s, 1, u"/"_s}), [](const QByteArray& body) { return readHello(body).hasValue(); }},
        {countBody(5), [](const QByteArray& body) { return readCount(body).hasValue(); }},
        {sizeBody({80, 24}), [](const QByteArray& body) { return readSize(body).hasValue(); }}};
    for (const auto& [body, isRead] : bodies) {
        QVERIFY(isRead(body));
        for (qsizetype length = 0; length < body.size(); ++length)
            QVERIFY(!isRead(body.left(length)));
        QVERIFY(!isRead(body + 'x'));
    }
}

void KeeperFrameTest::longTextsAreCut()
{
    const QString text(300'000, u'ü');
    QVERIFY(outcomeBody(fail(Fault::Io, text, text, text)).size() < keeperLargest);
    QVERIFY(textsBody(text, text).size() < keeperLargest);
}

void KeeperFrameTest::socketsCarryFrames()
{
    auto [near, far] = socketPair();
    FrameSocket here(std::move(near));
    FrameSocket there(std::move(far));
    QList<KeeperFrame> got;
    connect(&there, &FrameSocket::frameArrived, this, [&got](const KeeperFrame& frame) { got.append(frame); });
    // More than the socket's own buffer holds at once.
    for (quint32 i = 1; i <= 200; ++i)
        here.send({KeeperFrame::Output, i, QByteArray(keeperPiece, char('a' + i % 26))});
    QVERIFY(here.unsent() > 0);
    QTRY_COMPARE(got.size(), 200);
    for (quint32 i = 1; i <= 200; ++i) {
        QCOMPARE(got.at(i - 1).process, i);
        QCOMPARE(got.at(i - 1).body, QByteArray(keeperPiece, char('a' + i % 26)));
    }
    QCOMPARE(here.unsent(), 0);
    // What was said last arrives before the end does.
    std::optional<Error> end;
    connect(&there, &FrameSocket::ended, this, [&end](const Error& why) { end = why; });
    here.send({KeeperFrame::Pong, 0, {}});
    here.hangUp();
    QTRY_VERIFY(end.has_value());
    QCOMPARE(got.last().kind, KeeperFrame::Pong);
    QCOMPARE(end->fault, Fault::Offline);
}

void KeeperFrameTest::whoSendsNonsenseIsLeft()
{
    auto [near, far] = socketPair();
    FrameSocket here(std::move(near));
    FrameSocket there(std::move(far));
    std::optional<Error> end;
    connect(&there, &FrameSocket::ended, this, [&end](const Error& why) { end = why; });
    here.send({KeeperFrame::Kind('?'), 0, {}});
    QTRY_VERIFY(end.has_value());
    QCOMPARE(end->fault, Fault::Unreadable);
    QVERIFY(!there.isOpen());
}

RANKWRIGHT_TEST_MAIN(KeeperFrameTest)
#include "tst_keeperframe.moc"
