// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/agentfilter.h"
#include "ssh/sshscout.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <sys/socket.h>
#include <sys/un.h>

#include <mutex>
#include <thread>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// A real ssh-agent in a folder of the test's, ended with it.
class Agent {
    Q_DISABLE_COPY_MOVE(Agent)
public:
    explicit Agent(const QString& socket) : m_socket(socket)
    {
        m_process.start(u"ssh-agent"_s, {u"-D"_s, u"-a"_s, socket});
        m_listens
            = test::comes([&] { return AgentFilter::countKeys(socket) || m_process.state() == QProcess::NotRunning; });
    }
    ~Agent()
    {
        m_process.terminate();
        m_process.waitForFinished(longWaitMs);
    }
    bool isRunning() const { return m_listens && m_process.state() != QProcess::NotRunning; }
    bool add(const QString& key) const
    {
        QProcess client;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SSH_AUTH_SOCK"_s, m_socket);
        client.setProcessEnvironment(environment);
        client.start(u"ssh-add"_s, {u"-q"_s, key});
        return client.waitForFinished(longWaitMs) && client.exitCode() == 0;
    }

private:
    QString m_socket;
    QProcess m_process;
    bool m_listens = false;
};

/// Stands between a client and a real agent: holds answers to "sign" back until it is released, and may refuse them.
class SlowAgent {
    Q_DISABLE_COPY_MOVE(SlowAgent)
public:
    SlowAgent(const QString& socket, const QString& real, bool refuses)
        : m_real(real), m_refuses(refuses), m_listener(listenAt(socket)), m_thread([this] { serve(); })
    { }
    void answerNow()
    {
        m_mayAnswer = true;
        m_mayAnswer.notify_all();
    }
    ~SlowAgent()
    {
        answerNow();
        ::shutdown(m_listener, SHUT_RDWR);
        m_thread.join();
        ::close(m_listener);
    }

private:
    static sockaddr_un addressOf(const QString& path)
    {
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        const QByteArray name = QFile::encodeName(path);
        std::copy(name.begin(), name.end(), address.sun_path);
        return address;
    }
    static int listenAt(const QString& path)
    {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_un address = addressOf(path);
        ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        ::listen(fd, 4);
        return fd;
    }
    static QByteArray message(int fd)
    {
        QByteArray bytes;
        while (bytes.size() < 4 || bytes.size() < 4 + qsizetype(quint8(bytes[2]) << 8 | quint8(bytes[3]))) {
            char piece[4096];
            const ssize_t got = ::read(fd, piece, sizeof piece);
            if (got <= 0)
                return {};
            bytes.append(piece, got);
        }
        return bytes;
    }
    void serve()
    {
        for (int client; (client = ::accept(m_listener, nullptr, nullptr)) >= 0; ::close(client)) {
            const int agent = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
            const sockaddr_un address = addressOf(m_real);
            ::connect(agent, reinterpret_cast<const sockaddr*>(&address), sizeof address);
            for (QByteArray request = message(client); !request.isEmpty(); request = message(client)) {
                QByteArray answer(QByteArray("\0\0\0\1\5", 5));
                const bool isSign = request.at(4) == 13;
                if (!isSign || !m_refuses) {
                    (void)!::write(agent, request.constData(), size_t(request.size()));
                    answer = message(agent);
                }
                if (isSign)
                    m_mayAnswer.wait(false);
                (void)!::write(client, answer.constData(), size_t(answer.size()));
            }
            ::close(agent);
        }
    }

    QString m_real;
    std::atomic<bool> m_mayAnswer = false;
    bool m_refuses;
    int m_listener;
    std::thread m_thread;
};

} // namespace

/// What is said of agents: locked or empty ones, ones that wait for a hand, ones that do not sign; and of certificates
/// that a login used or could not use.
class AgentWordsTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void anEmptyAgentIsSaid();
    void aWaitingAgentIsSaid();
    void anAgentThatDoesNotSignIsSaid();
    void aSecurityKeyWantsATouch();
    void aCertificateThatEndsSoonIsSaid();
    void aCertificateForAnotherName();
    void certificateFileOfTheConfiguration();
    void scouted();

private:
    QString socketPath(const QString& name) const { return m_home->path(name); }
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
};

void AgentWordsTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
}

void AgentWordsTest::anEmptyAgentIsSaid()
{
    const Agent agent(socketPath(u"empty"_s));
    if (!agent.isRunning())
        QSKIP("ssh-agent is not installed");
    SshEndpoint endpoint = m_sshd->endpoint();
    endpoint.identities.clear();
    endpoint.identitiesOnly = false;
    endpoint.agentSocket = socketPath(u"empty"_s);
    QCOMPARE(agentKeyCount(endpoint), std::optional(0));
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const QString said = client.shell().lastError()->oneLine();
    QVERIFY2(said.contains(u"ssh-add -X"_s) && said.contains(u"locked"_s), qPrintable(said));
}

void AgentWordsTest::aWaitingAgentIsSaid()
{
    const Agent agent(socketPath(u"real"_s));
    if (!agent.isRunning() || !agent.add(m_sshd->path(u"user"_s)))
        QSKIP("ssh-agent or ssh-add is not installed");
    SlowAgent slow(socketPath(u"slow"_s), socketPath(u"real"_s), false);
    SshEndpoint endpoint = m_sshd->endpoint();
    endpoint.identities.clear();
    endpoint.identitiesOnly = false;
    endpoint.agentSocket = socketPath(u"slow"_s);
    SshClient client(endpoint);
    QSignalSpy hints(&client.shell(), &ClusterLink::hintArrived);
    client.shell().open();
    QTRY_COMPARE(hints.size(), 1);
    slow.answerNow();
    QVERIFY(client.waitFor(LinkState::Online));
    QCOMPARE(hints.size(), 2);
    QVERIFY(hints.at(0).at(0).toString().contains(u"key agent waits"_s));
    QCOMPARE(hints.at(1).at(0).toString(), QString());
}

void AgentWordsTest::anAgentThatDoesNotSignIsSaid()
{
    const Agent agent(socketPath(u"real2"_s));
    if (!agent.isRunning() || !agent.add(m_sshd->path(u"user"_s)))
        QSKIP("ssh-agent or ssh-add is not installed");
    SlowAgent refusing(socketPath(u"refusing"_s), socketPath(u"real2"_s), true);
    refusing.answerNow();
    SshEndpoint endpoint = m_sshd->endpoint();
    endpoint.identities.clear();
    endpoint.identitiesOnly = false;
    endpoint.agentSocket = socketPath(u"refusing"_s);
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const QString said = client.shell().lastError()->oneLine();
    QVERIFY2(said.contains(u"did not sign"_s), qPrintable(said));
}

/// Without the hardware: a request to sign with a key of that kind, and an agent that takes its time and then gives up.
void AgentWordsTest::aSecurityKeyWantsATouch()
{
    SlowAgent agent(socketPath(u"token"_s), socketPath(u"none"_s), true);
    std::mutex mutex;
    QList<AgentFilter::Waits> said;
    const auto filter = AgentFilter::open(socketPath(u"token"_s), {}, [&](AgentFilter::Waits waits) {
        const std::lock_guard lock(mutex);
        said << waits;
    });
    QVERIFY(filter);
    const auto text
        = [](const QByteArray& bytes) -> QByteArray { return QByteArray("\0\0\0", 3) + char(bytes.size()) + bytes; };
    const QByteArray blob = text("sk-ssh-ed25519@openssh.com") + text("point") + text("ssh:");
    const QByteArray request = QByteArray(1, char(13)) + text(blob) + text("data") + QByteArray(4, '\0');
    const QByteArray sent = text(request);
    const int client = filter->takeClientEnd();
    QCOMPARE(::write(client, sent.constData(), size_t(sent.size())), ssize_t(sent.size()));
    QTRY_VERIFY((std::lock_guard(mutex), said.size() == 1));
    agent.answerNow();
    QTRY_VERIFY(filter->hasRefused());
    const std::lock_guard lock(mutex);
    QCOMPARE(said, (QList{AgentFilter::Waits::Touch, AgentFilter::Waits::Nothing}));
    ::close(client);
}

void AgentWordsTest::aCertificateThatEndsSoonIsSaid()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    const QString key = m_sshd->newKey(u"soon"_s);
    QProcess::execute(u"ssh-keygen"_s,
        {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, endpoint.user, u"-V"_s, u"-1h:+3h"_s,
            key + u".pub"_s});
    endpoint.identities = {key};
    SshClient client(endpoint);
    QSignalSpy hints(&client.shell(), &ClusterLink::hintArrived);
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(hints.size(), 1);
    static const QRegularExpression words(u"soon-cert\\.pub ends in (2|3) h"_s);
    QVERIFY2(words.match(hints.at(0).at(0).toString()).hasMatch(), qPrintable(hints.at(0).at(0).toString()));
}

/// In order, and for somebody else: the principals are named.
void AgentWordsTest::aCertificateForAnotherName()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    const QString key = m_sshd->newKey(u"other"_s);
    QProcess::execute(u"ssh-keygen"_s,
        {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, u"nobodyelse"_s, key + u".pub"_s});
    endpoint.identities = {key};
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Offline);
    const QString said = client.shell().lastError()->oneLine();
    QVERIFY2(said.contains(u"is for nobodyelse"_s), qPrintable(said));
}

void AgentWordsTest::certificateFileOfTheConfiguration()
{
    SshEndpoint endpoint = m_sshd->endpoint();
    const QString key = m_sshd->newKey(u"elsewhere"_s);
    QProcess::execute(u"ssh-keygen"_s,
        {u"-q"_s, u"-s"_s, m_sshd->path(u"ca"_s), u"-I"_s, u"test"_s, u"-n"_s, endpoint.user, key + u".pub"_s});
    const QString moved = m_sshd->path(u"signed_this_morning"_s);
    QVERIFY(QFile::rename(key + u"-cert.pub"_s, moved));
    endpoint.identities = {key};
    SshClient without(endpoint);
    QCOMPARE(without.connectNow(), LinkState::Offline);
    endpoint.certificates = {m_sshd->path(u"no-such-file"_s), m_sshd->path(u"ca.pub"_s), moved};
    SshClient client(endpoint);
    QCOMPARE(client.connectNow(), LinkState::Online);
}

void AgentWordsTest::scouted()
{
    const SshEndpoint endpoint = m_sshd->endpoint();
    const HostScouting seen = scoutHost(endpoint);
    QCOMPARE(seen.addresses, QStringList{u"127.0.0.1"_s});
    QVERIFY(seen.answered && seen.software.startsWith(u"SSH-2.0-OpenSSH"_s));
    QCOMPARE(seen.verdict, HostScouting::KeyVerdict::Known);
    QCOMPARE(seen.methods, QStringList{u"publickey"_s});
    SshEndpoint unknown = endpoint;
    unknown.knownHosts = m_home->path(u"nothing"_s);
    unknown.systemKnownHosts = QStringList();
    QCOMPARE(scoutHost(unknown).verdict, HostScouting::KeyVerdict::New);
    QVERIFY(!QFile::exists(unknown.knownHosts)); // looking writes nothing
    unknown.published = {seen.fingerprint};
    QCOMPARE(scoutHost(unknown).verdict, HostScouting::KeyVerdict::Published);
    unknown.published = {u"SHA256:another"_s};
    const HostScouting refused = scoutHost(unknown);
    QCOMPARE(refused.verdict, HostScouting::KeyVerdict::Refused);
    QVERIFY(refused.methods.isEmpty()); // nothing was said to it
    SshEndpoint deaf = endpoint;
    deaf.port = 1;
    QVERIFY(!scoutHost(deaf).answered && scoutHost(deaf).portFailure.contains(u"refused"_s));
    SshEndpoint unnamed = endpoint;
    unnamed.host = u"no-such-host.invalid"_s;
    QVERIFY(!scoutHost(unnamed).nameFailure.isEmpty());
}

RANKWRIGHT_TEST_MAIN(AgentWordsTest)
#include "tst_agentwords.moc"
