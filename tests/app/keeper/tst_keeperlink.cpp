// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/framesocket.h"
#include "app/keeper/keeperlink.h"
#include "app/keeper/keepermessage.h"
#include "app/keeper/keeperposix.h"
#include "app/keeper/keeperquery.h"
#include "app/keeper/keeperserver.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QTemporaryDir>

#include <vector>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Programs that share the agent's connection to a real SSH server, which counts what it sees.
class KeeperLinkTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void init() override;
    void cleanup();
    void twoProgramsOneLogin();
    void theCodeIsAskedOnce();
    void refusedLogin();
    void hostKeysAreAsked();
    void manyAtOnceUnderACap();
    void manyCommandsStayFlat();
    void streamsBothWays();
    void heldReader();
    void exitsAndErrors();
    void terminalsAndPorts();
    void closingLetsTheOthersGoOn();
    void serverDrops();
    void agentGoneInTheMiddle();
    void agentGoneInTheLogin();
    void agentFrozen();
    void noAgent();
    void aStrangerAtTheSocket();
    void unsafeFolder();
    void startedOnDemand();
    void neverStarts();
    void anotherHome();
    void queries();

private:
    using Answerer = std::function<PromptAnswer(const LoginPrompt&)>;
    void startAgent();
    KeeperLink::Ways ways() const;
    std::unique_ptr<KeeperLink> makeLink(const SshEndpoint& endpoint, bool mayBeOwn = true);
    static LinkState connectNow(KeeperLink& link);
    static Result<CommandOutcome> run(RemoteShell& shell, const RemoteCommand& command);
    static Result<CommandOutcome> run(RemoteShell& shell, const QString& line)
    {
        return run(shell, RemoteCommand::shell(line));
    }
    /// The next program at a socket of the test's; invalid: none came.
    static Descriptor awaitCaller(int listener);
    void offerKey(SshServer::Options& options);
    SshEndpoint endpoint(const SshServer& server, bool known = true) const
    {
        SshEndpoint made = m_home->endpoint(server, known);
        made.identities = {m_key};
        return made;
    }

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<QTemporaryDir> m_folder;
    KeeperPlace m_place;
    std::unique_ptr<KeeperServer> m_agent;
    QString m_key;
    Answerer m_answerer;
    int m_asked = 0;
    int m_ownMade = 0;
};

void KeeperLinkTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>(u"/tmp/rwk-XXXXXX"_s);
    const QString at = m_folder->filePath(u"agent"_s);
    m_place = {at, at + u"/s"_s, at + u"/l"_s};
    m_answerer = [](const LoginPrompt&) { return SshClient::no(); };
    m_asked = 0;
    m_ownMade = 0;
    startAgent();
}

void KeeperLinkTest::cleanup()
{
    m_agent.reset();
    m_folder.reset();
}

void KeeperLinkTest::startAgent()
{
    m_agent = std::make_unique<KeeperServer>(KeeperServer::realParts(), KeeperServer::Limits{});
    QVERIFY_RESULT(m_agent->listen(m_place));
}

KeeperLink::Ways KeeperLinkTest::ways() const
{
    KeeperLink::Ways ways;
    ways.place = m_place;
    return ways;
}

std::unique_ptr<KeeperLink> KeeperLinkTest::makeLink(const SshEndpoint& endpoint, bool mayBeOwn)
{
    KeeperLink::Ways each = ways();
    if (mayBeOwn)
        each.own = [this, endpoint] {
            ++m_ownMade;
            return std::make_unique<SshShell>(endpoint);
        };
    auto link = std::make_unique<KeeperLink>(endpoint, std::move(each));
    connect(link.get(), &ClusterLink::promptRaised, this, [this, raw = link.get()](const LoginPrompt& prompt) {
        ++m_asked;
        raw->answer(prompt.id, m_answerer(prompt));
    });
    return link;
}

LinkState KeeperLinkTest::connectNow(KeeperLink& link)
{
    link.open();
    (void)test::comes(
        [&link] { return link.state() != LinkState::Connecting && link.state() != LinkState::NeedsAnswer; });
    return link.state();
}

Result<CommandOutcome> KeeperLinkTest::run(RemoteShell& shell, const RemoteCommand& command)
{
    std::optional<Result<CommandOutcome>> result;
    QObject guard;
    shell.run(command, &guard, [&result](const Result<CommandOutcome>& outcome) { result = outcome; });
    if (!test::comes([&result] { return result.has_value(); }))
        return fail(Fault::TimedOut, u"the test waited in vain"_s);
    return *result;
}

Descriptor KeeperLinkTest::awaitCaller(int listener)
{
    Descriptor caller;
    (void)test::comes([&caller, listener] {
        caller = acceptOne(listener);
        return caller.isValid();
    });
    return caller;
}

void KeeperLinkTest::offerKey(SshServer::Options& options)
{
    QByteArray publicKey;
    m_key = m_home->newKey(u"key"_s, &publicKey);
    options.authorizedKeys = {publicKey};
}

void KeeperLinkTest::twoProgramsOneLogin()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    for (int i = 0; i < 2; ++i) { // one after the other
        const auto link = makeLink(endpoint(server));
        QCOMPARE(connectNow(*link), LinkState::Online);
        QVERIFY(link->isShared());
        QVERIFY(!link->loginTookPerson());
        QVERIFY(!link->way().isEmpty());
        const auto outcome = run(*link, u"echo $((6*7))"_s);
        QVERIFY_RESULT(outcome);
        QCOMPARE(outcome->output, "42\n");
    }
    const auto one = makeLink(endpoint(server)); // at once
    const auto other = makeLink(endpoint(server));
    one->open();
    other->open();
    QTRY_VERIFY(one->state() == LinkState::Online && other->state() == LinkState::Online);
    QCOMPARE(server.connections(), 1);
    QCOMPARE(m_asked, 0);
    QCOMPARE(m_ownMade, 0);
}

void KeeperLinkTest::theCodeIsAskedOnce()
{
    SshServer::Options options;
    offerKey(options);
    options.keyIsNotEnough = true;
    options.interactive = {{"Second factor", "", {{"Code: ", false, "123456"}}}};
    SshServer server(options);
    m_answerer = [](const LoginPrompt&) { return SshClient::with({"123456"}); };
    const auto first = makeLink(endpoint(server));
    const auto second = makeLink(endpoint(server));
    first->open();
    second->open();
    QTRY_VERIFY(first->state() == LinkState::Online && second->state() == LinkState::Online);
    QVERIFY(first->loginTookPerson() && second->loginTookPerson()); // neither repeats it by itself
    first->close();
    second->close();
    const auto later = makeLink(endpoint(server));
    QCOMPARE(connectNow(*later), LinkState::Online);
    QCOMPARE(m_asked, 1);
    QCOMPARE(server.interactiveTries(), 1);
    QCOMPARE(server.connections(), 1);
    // Cut off, nobody is asked again without asking for it.
    server.dropAll();
    QTRY_COMPARE(later->state(), LinkState::Lost);
    later->open(ClusterLink::Attendance::Nobody);
    QTRY_COMPARE(later->state(), LinkState::Offline);
    QCOMPARE(m_asked, 1);
    QCOMPARE(server.interactiveTries(), 1);
}

void KeeperLinkTest::refusedLogin()
{
    SshServer::Options options;
    options.password = "right";
    SshServer server(options);
    SshEndpoint made = m_home->endpoint(server);
    m_answerer = [](const LoginPrompt&) { return SshClient::with({"wrong"}); };
    const auto link = makeLink(made);
    QCOMPARE(connectNow(*link), LinkState::Offline);
    QCOMPARE(link->lastError()->fault, Fault::LoginRefused);
    QCOMPARE(m_ownMade, 0); // it was asked: no second round by another way
    m_answerer = [](const LoginPrompt&) { return SshClient::with({"right"}); };
    QCOMPARE(connectNow(*link), LinkState::Online);
}

void KeeperLinkTest::hostKeysAreAsked()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const SshEndpoint unknown = endpoint(server, false);
    const auto link = makeLink(unknown);
    QCOMPARE(connectNow(*link), LinkState::Offline);
    QCOMPARE(m_asked, 1);
    QCOMPARE(link->lastError()->fault, Fault::HostKeyRefused);
    m_answerer = [&server](const LoginPrompt& prompt) {
        return PromptAnswer{
            prompt.kind == LoginPrompt::Kind::HostKey && prompt.fingerprint == server.fingerprint(), {}};
    };
    QCOMPARE(connectNow(*link), LinkState::Online);
    QVERIFY(!SshHome::read(unknown.knownHosts).isEmpty());
}

void KeeperLinkTest::manyAtOnceUnderACap()
{
    SshServer::Options options;
    offerKey(options);
    options.maxSessions = 4;
    SshServer server(options);
    std::vector<std::unique_ptr<KeeperLink>> links;
    int done = 0;
    QObject guard;
    for (int i = 0; i < 15; ++i) {
        links.push_back(makeLink(endpoint(server)));
        KeeperLink* link = links.back().get();
        connect(link, &RemoteShell::stateChanged, &guard, [&done, &guard, link, i](LinkState state) {
            if (state != LinkState::Online)
                return;
            link->run(RemoteCommand::shell(u"sleep 0.05; echo %1"_s.arg(i)), &guard,
                [&done, i](const Result<CommandOutcome>& outcome) {
                    if (outcome && outcome->output == QByteArray::number(i) + '\n')
                        ++done;
                });
        });
        link->open();
    }
    QTRY_COMPARE(done, 15);
    QCOMPARE(server.connections(), 1);
    QVERIFY(server.mostOpen() <= 4);
}

void KeeperLinkTest::manyCommandsStayFlat()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    const auto hundred = [&link] {
        int good = 0;
        for (int i = 0; i < 100; ++i)
            good += run(*link, u"echo x"_s) ? 1 : 0;
        return good;
    };
    QCOMPARE(hundred(), 100);
    const qint64 before = residentBytes();
    for (int i = 0; i < 4; ++i)
        QCOMPARE(hundred(), 100);
    // Client, agent and server in one process: nothing that grows with the number of commands.
    QVERIFY2(residentBytes() - before < 8 << 20, qPrintable(QString::number(residentBytes() - before)));
    QCOMPARE(server.connections(), 1);
}

void KeeperLinkTest::streamsBothWays()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    QByteArray bytes;
    for (int i = 0; bytes.size() < 3'000'000; ++i)
        bytes += QByteArray::number(i) + '\0' + char(i);
    // As input of the command.
    RemoteCommand whole = RemoteCommand::shell(u"cat"_s, bytes);
    const auto outcome = run(*link, whole);
    QVERIFY_RESULT(outcome);
    QVERIFY(outcome->output == bytes);
    // Written piece by piece, no faster than it is taken.
    RemoteCommand command = RemoteCommand::shell(u"cat; echo end >&2"_s);
    command.interactive = true;
    const auto process = link->start(command);
    QByteArray back, errors;
    qint64 taken = 0;
    qsizetype written = 0;
    std::optional<Result<CommandOutcome>> end;
    const auto more = [&] {
        while (written < bytes.size() && written - taken < 100'000) {
            process->write(bytes.mid(written, 50'000));
            written = qMin(written + 50'000, bytes.size());
        }
        if (written == bytes.size())
            process->closeInput();
    };
    connect(process.get(), &RemoteProcess::inputSent, this, [&](qint64 total) {
        taken = total;
        more();
    });
    connect(process.get(), &RemoteProcess::outputArrived, this, [&](const QByteArray& some) { back += some; });
    connect(process.get(), &RemoteProcess::errorArrived, this, [&](const QByteArray& some) { errors += some; });
    connect(process.get(), &RemoteProcess::finished, this, [&](const Result<CommandOutcome>& how) { end = how; });
    more();
    QTRY_VERIFY(end.has_value());
    QVERIFY_RESULT(*end);
    QVERIFY(back == bytes);
    QCOMPARE(errors, "end\n");
    QCOMPARE(taken, bytes.size());
}

void KeeperLinkTest::heldReader()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    const auto process = link->start(RemoteCommand::shell(u"yes | head -c 30000000"_s));
    qint64 got = 0;
    bool ended = false;
    connect(process.get(), &RemoteProcess::outputArrived, this, [&](const QByteArray& some) { got += some.size(); });
    connect(process.get(), &RemoteProcess::finished, this, [&ended] { ended = true; });
    process->hold(true);
    // Others go on meanwhile, and the server has to wait once all buffers are full.
    qint64 sent = -1;
    for (int i = 0; i < 200 && sent != server.bytesOut(); ++i) {
        sent = server.bytesOut();
        QVERIFY_RESULT(run(*link, u"sleep 0.3"_s));
        if (server.bytesOut() - sent < 4096)
            break;
    }
    QCOMPARE(got, 0);
    QVERIFY2(server.bytesOut() < 16 << 20, qPrintable(QString::number(server.bytesOut())));
    process->hold(false);
    QTRY_VERIFY(ended);
    QCOMPARE(got, 30'000'000);
}

void KeeperLinkTest::exitsAndErrors()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    const auto early = run(*link, u"true"_s);
    QVERIFY(!early);
    QCOMPARE(early.error().fault, Fault::Offline);
    QCOMPARE(connectNow(*link), LinkState::Online);
    const auto failed = run(*link, u"echo no >&2; exit 7"_s);
    QVERIFY_RESULT(failed);
    QVERIFY(failed->exitStatus == 7);
    QCOMPARE(failed->errorOutput, "no\n");
    RemoteCommand slow = RemoteCommand::shell(u"sleep 60"_s);
    slow.deadlineSeconds = 1;
    const auto late = run(*link, slow);
    QVERIFY(!late);
    QCOMPARE(late.error().fault, Fault::TimedOut);
    const auto tooLong = run(*link, QString(500'000, u'x'));
    QVERIFY(!tooLong);
    QCOMPARE(tooLong.error().fault, Fault::Invalid);
    QVERIFY_RESULT(run(*link, u"true"_s));
    // Cancelled: gone on the far side, too.
    const QString mark = m_home->path(u"alive"_s);
    RemoteCommand waiting = RemoteCommand::shell(u"echo begun; cat; echo ended > %1"_s.arg(mark));
    waiting.interactive = true;
    auto process = link->start(waiting);
    bool begun = false;
    connect(process.get(), &RemoteProcess::outputArrived, this, [&begun] { begun = true; });
    QTRY_VERIFY(begun);
    const int open = server.openNow();
    process.reset();
    QTRY_COMPARE(server.openNow(), open - 1);
}

/// With OpenSSH's server: the one of the tests grants no terminal and opens no port.
void KeeperLinkTest::terminalsAndPorts()
{
    const RealSshd sshd;
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
    const auto link = makeLink(sshd.endpoint());
    if (connectNow(*link) != LinkState::Online && link->lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
    QCOMPARE(link->state(), LinkState::Online);
    RemoteCommand command = RemoteCommand::shell(u"stty size; read line; stty size"_s);
    command.interactive = true;
    command.terminal = TerminalRequest{"xterm", {101, 37}};
    const auto process = link->start(command);
    QByteArray screen;
    connect(process.get(), &RemoteProcess::outputArrived, this, [&screen](const QByteArray& some) { screen += some; });
    QTRY_VERIFY2(screen.contains("37 101"), screen.constData());
    process->resize({90, 20});
    process->write("\n");
    QTRY_VERIFY2(screen.contains("20 90"), screen.constData());

    const auto port = link->dial(u"127.0.0.1"_s, sshd.port());
    QByteArray greeting;
    bool isOpen = false;
    connect(port.get(), &RemoteProcess::connected, this, [&isOpen] { isOpen = true; });
    connect(port.get(), &RemoteProcess::outputArrived, this, [&greeting](const QByteArray& some) { greeting += some; });
    QTRY_VERIFY2(greeting.startsWith("SSH-2.0-"), greeting.constData());
    QVERIFY(isOpen);
    QCOMPARE(m_ownMade, 0);
}

void KeeperLinkTest::closingLetsTheOthersGoOn()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto one = makeLink(endpoint(server));
    const auto other = makeLink(endpoint(server));
    QCOMPARE(connectNow(*one), LinkState::Online);
    QCOMPARE(connectNow(*other), LinkState::Online);
    std::optional<Result<CommandOutcome>> end;
    QObject guard;
    one->run(
        RemoteCommand::shell(u"sleep 60"_s), &guard, [&end](const Result<CommandOutcome>& outcome) { end = outcome; });
    QTRY_VERIFY(server.openNow() > 0);
    one->close();
    QVERIFY(end.has_value() && !*end);
    QCOMPARE(one->state(), LinkState::Offline);
    QVERIFY(!one->lastError());
    QTRY_COMPARE(server.openNow(), 0);
    QVERIFY_RESULT(run(*other, u"true"_s));
    QCOMPARE(server.connections(), 1);
}

void KeeperLinkTest::serverDrops()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    std::optional<Result<CommandOutcome>> end;
    QObject guard;
    link->run(
        RemoteCommand::shell(u"sleep 60"_s), &guard, [&end](const Result<CommandOutcome>& outcome) { end = outcome; });
    QTRY_VERIFY(server.openNow() > 0);
    server.dropAll();
    QTRY_VERIFY(end.has_value());
    QVERIFY(!*end);
    QCOMPARE(link->state(), LinkState::Lost);
    QVERIFY(link->lastError().has_value());
    QCOMPARE(connectNow(*link), LinkState::Online); // on demand
    QVERIFY_RESULT(run(*link, u"true"_s));
    QCOMPARE(server.connections(), 2);
    QCOMPARE(m_ownMade, 0);
}

void KeeperLinkTest::agentGoneInTheMiddle()
{
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    const QString counted = m_home->path(u"counted"_s);
    std::optional<Result<CommandOutcome>> end;
    QObject guard;
    link->run(RemoteCommand::shell(u"echo once >> %1; sleep 60"_s.arg(counted)), &guard,
        [&end](const Result<CommandOutcome>& outcome) { end = outcome; });
    QTRY_COMPARE(SshHome::read(counted), "once\n");
    m_agent.reset(); // as after SIGKILL: its sockets are closed
    QTRY_VERIFY(end.has_value());
    QVERIFY(!*end);
    QCOMPARE(end->error().fault, Fault::Offline);
    QCOMPARE(link->state(), LinkState::Lost);
    QCOMPARE(connectNow(*link), LinkState::Online); // a connection of one's own
    QVERIFY(!link->isShared());
    QCOMPARE(m_ownMade, 1);
    QVERIFY_RESULT(run(*link, u"true"_s));
    QCOMPARE(SshHome::read(counted), "once\n"); // nothing was done twice
}

void KeeperLinkTest::agentGoneInTheLogin()
{
    SshServer::Options options;
    options.password = "right";
    SshServer server(options);
    const auto link = makeLink(m_home->endpoint(server));
    m_answerer = [this](const LoginPrompt&) {
        QMetaObject::invokeMethod(
            this, [this] { m_agent.reset(); }, Qt::QueuedConnection);
        return SshClient::with({"right"});
    };
    QCOMPARE(connectNow(*link), LinkState::Offline);
    QCOMPARE(link->lastError()->fault, Fault::Offline);
    QCOMPARE(m_asked, 1); // not asked again by itself
    QCOMPARE(m_ownMade, 0);
}

void KeeperLinkTest::agentFrozen()
{
    m_agent.reset();
    const auto listener = listenAt(m_place.socket); // takes callers, says nothing: a stopped process
    QVERIFY_RESULT(listener);
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    link->setPatience({.greetingMs = 50});
    QCOMPARE(connectNow(*link), LinkState::Online);
    QVERIFY(!link->isShared());
    QVERIFY(link->whyOwn().has_value());
    QVERIFY(acceptOne(listener->get()).isValid()); // the caller that has given up
    // One that stops when it is connected.
    const auto other = makeLink(endpoint(server));
    other->setPatience({.pingMs = 20, .silentPings = 3});
    other->open();
    Descriptor caller = awaitCaller(listener->get());
    QVERIFY(caller.isValid());
    FrameSocket agent(std::move(caller));
    agent.send({KeeperFrame::Hello, 0, helloBody({keeperVersion, u"0"_s, 1, QDir::homePath()})});
    agent.send({KeeperFrame::State, 0, stateBody({LinkState::Online, {}, false})});
    QTRY_COMPARE(other->state(), LinkState::Lost);
    QCOMPARE(other->lastError()->fault, Fault::TimedOut);
}

void KeeperLinkTest::noAgent()
{
    m_agent.reset();
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    QVERIFY(!link->isShared());
    QVERIFY(link->way().isEmpty());
    QVERIFY(!link->whyOwn()); // nothing to complain of
    QVERIFY_RESULT(run(*link, u"true"_s));
    const auto strict = makeLink(endpoint(server), false);
    QCOMPARE(connectNow(*strict), LinkState::Offline);
    QCOMPARE(strict->lastError()->fault, Fault::Offline);
}

void KeeperLinkTest::aStrangerAtTheSocket()
{
    m_agent.reset();
    const auto listener = listenAt(m_place.socket);
    QVERIFY_RESULT(listener);
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    link->open();
    Descriptor caller = awaitCaller(listener->get());
    QVERIFY(caller.isValid());
    FrameSocket stranger(std::move(caller));
    stranger.send({KeeperFrame::Kind('?'), 0, "220 mail.example.org ESMTP"});
    QTRY_COMPARE(link->state(), LinkState::Online);
    QVERIFY(!link->isShared());
    QCOMPARE(link->whyOwn()->fault, Fault::Unreadable);
}

void KeeperLinkTest::unsafeFolder()
{
    QFile::setPermissions(m_place.folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeOther);
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    QCOMPARE(connectNow(*link), LinkState::Online);
    QVERIFY(!link->isShared());
    QVERIFY(link->whyOwn()->what.contains(u"not safe"_s));
}

void KeeperLinkTest::startedOnDemand()
{
    m_agent.reset();
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    KeeperLink::Ways each = ways();
    int starts = 0;
    each.startAgent = [this, &starts] {
        ++starts;
        QTimer::singleShot(100, this, &KeeperLinkTest::startAgent);
        return true;
    };
    KeeperLink link(endpoint(server), each);
    QCOMPARE(connectNow(link), LinkState::Online);
    QVERIFY(link.isShared());
    QCOMPARE(starts, 1);
}

void KeeperLinkTest::neverStarts()
{
    m_agent.reset();
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    KeeperLink::Ways each = ways();
    each.startAgent = [] { return true; };
    each.own = [&] { return std::make_unique<SshShell>(endpoint(server)); };
    KeeperLink link(endpoint(server), each);
    link.setPatience({.startMs = 100});
    QCOMPARE(connectNow(link), LinkState::Online);
    QVERIFY(!link.isShared());
    QCOMPARE(link.whyOwn()->fault, Fault::TimedOut);
}

void KeeperLinkTest::anotherHome()
{
    m_agent.reset();
    const auto listener = listenAt(m_place.socket);
    QVERIFY_RESULT(listener);
    SshServer::Options options;
    offerKey(options);
    SshServer server(options);
    const auto link = makeLink(endpoint(server));
    link->open();
    Descriptor caller = awaitCaller(listener->get());
    QVERIFY(caller.isValid());
    FrameSocket agent(std::move(caller));
    agent.send({KeeperFrame::Hello, 0, helloBody({keeperVersion, u"0"_s, 1, u"/somewhere/else"_s})});
    QTRY_COMPARE(link->state(), LinkState::Online);
    QVERIFY(!link->isShared());
    QVERIFY(link->whyOwn()->what.contains(u"home"_s));
}

void KeeperLinkTest::queries()
{
    std::optional<Result<KeeperStatus>> answer;
    const auto then = [&answer](const Result<KeeperStatus>& status) { answer = status; };
    KeeperQuery query(m_place);
    query.ask(then);
    QTRY_VERIFY(answer.has_value());
    QVERIFY_RESULT(*answer);
    QCOMPARE((*answer)->pid, QCoreApplication::applicationPid());
    answer.reset();
    connect(
        m_agent.get(), &KeeperServer::ended, this, [this] { m_agent.reset(); }, Qt::QueuedConnection);
    query.stop(then);
    QTRY_VERIFY(answer.has_value());
    QVERIFY_RESULT(*answer);
    answer.reset();
    query.ask(then);
    QTRY_VERIFY(answer.has_value());
    QCOMPARE(answer->error().fault, Fault::Offline);
    QVERIFY(!QFile::exists(m_place.socket));
}

RANKWRIGHT_TEST_MAIN(KeeperLinkTest)
#include "tst_keeperlink.moc"
