// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/gapwatch.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/roughnetwork.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

enum class Work { Connect, Command, Upload, Stream };
enum class Trouble { Cut, Freeze, FreezeToServer, FreezeToClient, ShortFreeze, Delay, Slow };

constexpr const char* workNames[] = {"connect", "command", "upload", "stream"};
constexpr const char* troubleNames[]
    = {"cut", "freeze", "freeze to server", "freeze to client", "short freeze", "delay", "20 kB/s"};
constexpr int streamLines = 40;
constexpr qsizetype uploadBytes = 60000;

struct Round {
    Work work = Work::Connect;
    Trouble trouble = Trouble::Cut;
    int afterMs = 0; ///< since the work began
};

SshTuning hasty()
{
    SshTuning tuning;
    tuning.connectMs = 3000;
    tuning.serverMs = 3000;
    tuning.keepAliveMs = 400;
    tuning.silentTicks = 3;
    return tuning;
}

/// One client behind a network of its own that goes through rounds one after the other.
class Lane final : public QObject {
public:
    Lane(RealSshd& sshd, std::deque<Round>& rounds)
        : m_sshd(sshd), m_network(sshd.port()), m_rounds(rounds), m_endpoint(sshd.endpoint())
    {
        m_endpoint.hostKeyAlias = m_endpoint.keyName();
        m_endpoint.port = m_network.port();
        m_endpoint.systemKnownHosts = QStringList();
        m_endpoint.agentSocket = u"none"_s;
    }

    void next();
    bool isOver() const { return m_over; }
    QStringList problems;
    int failed = 0; ///< rounds whose work ended with an error
    int prompts = 0;

private:
    void state(LinkState state);
    void work();
    void strike();
    void finished(const Result<CommandOutcome>& outcome);
    void assess(const CommandOutcome& outcome);
    void endRound(const std::optional<Error>& error);
    void wrong(const QString& what)
    {
        problems << u"%1 at %2, %3 ms in: %4"_s
                        .arg(QLatin1String(troubleNames[int(m_round.trouble)]),
                            QLatin1String(workNames[int(m_round.work)]))
                        .arg(m_round.afterMs)
                        .arg(what);
    }

    RealSshd& m_sshd;
    RoughNetwork m_network;
    std::deque<Round>& m_rounds;
    SshEndpoint m_endpoint;
    Round m_round;
    std::unique_ptr<SshShell> m_shell;
    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_output;
    QByteArray m_upload;
    QString m_file;
    bool m_roundOver = true;
    bool m_over = false;
    int m_serial = 0;
};

void Lane::next()
{
    if (m_rounds.empty()) {
        m_over = true;
        return;
    }
    m_round = m_rounds.front();
    m_rounds.pop_front();
    m_roundOver = false;
    m_output.clear();
    m_network.freeze(false, false);
    m_network.setDelayMs(0);
    m_network.setRate(0);
    m_shell = std::make_unique<SshShell>(m_endpoint);
    m_shell->setTuning(hasty());
    connect(m_shell.get(), &RemoteShell::stateChanged, this, [this](LinkState now) { state(now); });
    connect(m_shell.get(), &ClusterLink::promptRaised, this, [this] { ++prompts; });
    if (m_round.work == Work::Connect)
        QTimer::singleShot(m_round.afterMs, m_shell.get(), [this] { strike(); });
    m_shell->open();
}

void Lane::state(LinkState now)
{
    if (m_roundOver)
        return;
    if (now == LinkState::Online)
        work();
    else if (now == LinkState::Offline || now == LinkState::Lost) {
        if (!m_process)
            endRound(m_shell->lastError());
    }
}

void Lane::work()
{
    if (m_round.work != Work::Connect)
        QTimer::singleShot(m_round.afterMs, m_shell.get(), [this] { strike(); });
    RemoteCommand command = RemoteCommand::shell(u"echo one; echo two"_s);
    if (m_round.work == Work::Upload) {
        m_file = m_sshd.path(u"up_%1_%2"_s.arg(quintptr(this)).arg(++m_serial));
        m_upload.clear();
        while (m_upload.size() < uploadBytes)
            m_upload += QByteArray::number(m_upload.size() * 2654435761U) + '\n';
        command = RemoteCommand::shell(
            u"cat > %1.part && [ $(wc -c < %1.part) -eq %2 ] && mv %1.part %1"_s.arg(m_file).arg(m_upload.size()),
            m_upload);
    } else if (m_round.work == Work::Stream) {
        command = RemoteCommand::shell(
            u"i=0; while [ $i -lt %1 ]; do echo line $i; i=$((i+1)); sleep 0.005; done"_s.arg(streamLines));
    }
    command.deadlineSeconds = 20;
    m_process = m_shell->start(command);
    connect(
        m_process.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) { m_output += bytes; });
    connect(m_process.get(), &RemoteProcess::finished, this,
        [this](const Result<CommandOutcome>& outcome) { finished(outcome); });
}

void Lane::strike()
{
    switch (m_round.trouble) {
    case Trouble::Cut: m_network.cut(); break;
    case Trouble::Freeze: m_network.freeze(true, true); break;
    case Trouble::FreezeToServer: m_network.freeze(true, false); break;
    case Trouble::FreezeToClient: m_network.freeze(false, true); break;
    case Trouble::ShortFreeze:
        m_network.freeze(true, true);
        QTimer::singleShot(300, m_shell.get(), [this] { m_network.freeze(false, false); });
        break;
    case Trouble::Delay: m_network.setDelayMs(150); break;
    case Trouble::Slow: m_network.setRate(20000); break;
    }
}

void Lane::finished(const Result<CommandOutcome>& outcome)
{
    if (outcome)
        assess(*outcome);
    // What arrived before an end is right as far as it goes.
    QByteArray whole = "one\ntwo\n";
    if (m_round.work == Work::Upload)
        whole.clear();
    if (m_round.work == Work::Stream) {
        whole.clear();
        for (int i = 0; i < streamLines; ++i)
            whole += "line " + QByteArray::number(i) + '\n';
    }
    if (!whole.startsWith(m_output))
        wrong(u"the output is not what was printed: "_s + QString::fromLatin1(m_output.left(200)));
    if (outcome && outcome->succeeded() && m_output != whole)
        wrong(u"the output is not whole although the command succeeded"_s);
    endRound(outcome ? std::nullopt : std::optional(outcome.error()));
}

void Lane::assess(const CommandOutcome& outcome)
{
    if (!outcome.succeeded())
        wrong(u"exit status %1"_s.arg(outcome.exitStatus.value_or(-1)));
    if (m_round.work == Work::Upload && SshHome::read(m_file) != m_upload)
        wrong(u"the file is not what was sent although the command succeeded"_s);
}

void Lane::endRound(const std::optional<Error>& error)
{
    if (std::exchange(m_roundOver, true))
        return;
    if (error) {
        ++failed;
        if (error->what.isEmpty())
            wrong(u"no word of what happened"_s);
    }
    // Not from within a signal of what is dropped.
    QTimer::singleShot(0, this, [this] {
        m_process.reset();
        m_shell.reset();
        next();
    });
}

} // namespace

/// 200 troubles of a network at random moments: every command ends, with all of its output or with an error, and the
/// event loop goes on turning.
class RoughNetworkTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void twoHundredTroubles();
    void fifteenUnderACapOfFour();

private:
    std::unique_ptr<SshHome> m_home;
};

void RoughNetworkTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    RealSshd sshd;
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
    SshClient probe(sshd.endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
}

void RoughNetworkTest::twoHundredTroubles()
{
    constexpr int rounds = 200;
    constexpr int lanes = 6;
    RealSshd sshd("MaxStartups 100\n");
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("RANKWRIGHT_SEED", &given);
    const auto seed = given ? quint32(wanted) : QRandomGenerator::global()->generate() % 1000000;
    QRandomGenerator random(seed);
    std::deque<Round> list;
    for (int i = 0; i < rounds; ++i) {
        Round round;
        round.work = static_cast<Work>(random.bounded(4));
        round.trouble = static_cast<Trouble>(random.bounded(7));
        round.afterMs = random.bounded(round.work == Work::Connect ? 250 : 120);
        list.push_back(round);
    }
    std::vector<std::unique_ptr<Lane>> running;
    for (int i = 0; i < lanes; ++i)
        running.push_back(std::make_unique<Lane>(sshd, list));
    const GapWatch gaps;
    for (const auto& lane : running)
        lane->next();
    const auto allOver = [&running] {
        return std::all_of(running.cbegin(), running.cend(), [](const auto& lane) { return lane->isOver(); });
    };
    // However many there are: as long as one ends after the other.
    for (std::size_t left = list.size(); !allOver(); left = list.size())
        QVERIFY2(test::comes([&] { return allOver() || list.size() < left; }), "a round does not end");
    QStringList problems;
    int failed = 0;
    int prompts = 0;
    for (const auto& lane : running) {
        problems += lane->problems;
        failed += lane->failed;
        prompts += lane->prompts;
    }
    const QList<double> away = gaps.gapsMs();
    qInfo("seed %u: %d rounds, %d ended by an error; event loop away: median %.1f ms, worst %.0f ms (%lld ms of its "
          "own work)",
        seed, rounds, failed, away.value(away.size() / 2), away.isEmpty() ? 0 : away.last(), gaps.mostWorkMs());
    QVERIFY2(problems.isEmpty(), qPrintable(u"seed %1:\n%2"_s.arg(seed).arg(problems.join(u'\n'))));
    QCOMPARE(prompts, 0);
    QVERIFY2(gaps.mostWorkMs() < 10 * slack, qPrintable(QString::number(gaps.mostWorkMs())));
    QVERIFY(failed > rounds / 8 && failed < rounds); // the troubles are real, and not all are deadly
}

void RoughNetworkTest::fifteenUnderACapOfFour()
{
    RealSshd sshd("MaxSessions 4\n");
    QVERIFY2(sshd.problem().isEmpty(), qPrintable(sshd.problem()));
    SshClient client(sshd.endpoint());
    QCOMPARE(client.connectNow(), LinkState::Online);
    QObject guard;
    QStringList got;
    for (int i = 0; i < 15; ++i) {
        client.shell().run(RemoteCommand::shell(u"sleep 0.2; echo %1"_s.arg(i)), &guard,
            [&got](const Result<CommandOutcome>& outcome) {
                got << (outcome ? QString::fromLatin1(outcome->output).trimmed() : outcome.error().oneLine());
            });
    }
    QTRY_COMPARE(got.size(), 15);
    for (int i = 0; i < 15; ++i)
        QCOMPARE(got.count(QString::number(i)), 1);
}

RANKWRIGHT_TEST_MAIN(RoughNetworkTest)
#include "tst_roughnetwork.moc"
