// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/logincase.h"

#include "tests/ssh/support/gapwatch.h"
#include "tests/support/testbase.h"

#include <QProcess>

namespace rankwright::test {

using namespace Qt::StringLiterals;

LoginScene::LoginScene()
{
    for (const QString& kind : {u"ed25519"_s, u"rsa"_s, u"ecdsa"_s}) {
        makeKey(kind, kind, "");
        makeKey(kind + u"-locked"_s, kind, passphrase);
        m_registered += SshHome::read(key(kind) + u".pub"_s) + SshHome::read(key(kind) + u"-locked.pub"_s);
        makeKey(kind + u"-stranger"_s, kind, "");
    }
}

LoginScene::~LoginScene() { endRow(); }

void LoginScene::makeKey(const QString& name, const QString& kind, const char* secret)
{
    QStringList words = {u"-q"_s, u"-t"_s, kind, u"-N"_s, QString::fromLatin1(secret), u"-f"_s, key(name)};
    if (kind == u"rsa")
        words << u"-b"_s << u"2048"_s;
    QProcess::execute(u"ssh-keygen"_s, words);
}

RealSshd& LoginScene::server(const SshdWorld& world)
{
    for (const auto& [known, sshd] : m_servers) {
        if (known == world) {
            if (!sshd->problem().isEmpty())
                m_problem = sshd->problem();
            return *sshd;
        }
    }
    auto sshd = std::make_unique<RealSshd>(world);
    if (sshd->problem().isEmpty())
        SshHome::write(sshd->path(u"authorized_keys"_s), SshHome::read(sshd->path(u"user.pub"_s)) + m_registered);
    else
        m_problem = sshd->problem();
    m_servers.emplace_back(world, std::move(sshd));
    return *m_servers.back().second;
}

SshEndpoint LoginScene::to(RealSshd& sshd, const QStringList& identities)
{
    SshEndpoint endpoint = sshd.endpoint();
    if (!identities.isEmpty())
        endpoint.identities = identities;
    endpoint.agentSocket = u"none"_s;
    endpoint.systemKnownHosts = QStringList();
    return endpoint;
}

QString LoginScene::file(const QString& name, const QByteArray& content)
{
    const QString path = m_folder.filePath(u"%1_%2"_s.arg(++m_serial).arg(name));
    SshHome::write(path, content);
    return path;
}

QString LoginScene::copyOf(const QString& name, bool withPublic, QFile::Permissions permissions)
{
    const QString copy = file(name, SshHome::read(key(name)));
    QFile::setPermissions(copy, permissions);
    if (withPublic)
        SshHome::write(copy + u".pub"_s, SshHome::read(key(name) + u".pub"_s));
    return copy;
}

QString LoginScene::agent(const QStringList& keys, bool locked)
{
    const QString socket = m_folder.filePath(u"a%1"_s.arg(++m_serial));
    auto process = std::make_unique<QProcess>();
    process->start(u"ssh-agent"_s, {u"-D"_s, u"-a"_s, socket});
    if (!test::comes([&socket] { return QFile::exists(socket); }))
        m_problem = u"ssh-agent does not start"_s;
    m_agents.push_back(std::move(process));
    const QString asked = file(u"askpass"_s, QByteArray("#!/bin/sh\necho '") + passphrase + "'\n");
    QFile::setPermissions(asked, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SSH_AUTH_SOCK"_s, socket);
    environment.insert(u"SSH_ASKPASS"_s, asked);
    environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
    QList<QStringList> calls;
    for (const QString& each : keys)
        calls << QStringList{u"-q"_s, each};
    if (locked)
        calls << QStringList{u"-x"_s};
    for (const QStringList& words : std::as_const(calls)) {
        QProcess add;
        add.setProcessEnvironment(environment);
        add.start(u"ssh-add"_s, words);
        if (!add.waitForFinished(longWaitMs) || add.exitCode() != 0)
            m_problem = u"ssh-add: "_s + QString::fromLocal8Bit(add.readAllStandardError());
    }
    return socket;
}

int LoginScene::listen(const QByteArray& words)
{
    m_listeners.push_back(std::make_unique<Listener>(words));
    return m_listeners.back()->port();
}

void LoginScene::endRow()
{
    m_problem.clear();
    m_listeners.clear();
    m_held.clear();
    for (const auto& process : m_agents) {
        process->kill();
        process->waitForFinished(longWaitMs);
    }
    m_agents.clear();
}

void addRows(const QList<LoginCase>& cases)
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < cases.size(); ++i)
        QTest::newRow(cases.at(i).name.constData()) << i;
}

static void checkError(const LoginCase& wanted, const Error& error)
{
    if (wanted.fault)
        QVERIFY2(error.fault == *wanted.fault,
            qPrintable(u"fault %1: %2"_s.arg(static_cast<int>(error.fault)).arg(error.oneLine())));
    QVERIFY2(error.oneLine().contains(wanted.word, Qt::CaseInsensitive), qPrintable(error.oneLine()));
    QVERIFY(!error.what.isEmpty());
}

static void checkCommand(SshClient& client, const LoginCase& wanted)
{
    const Result<CommandOutcome> outcome = client.run(RemoteCommand::shell(wanted.command));
    const QString said = outcome
        ? QString::fromUtf8(outcome->output + outcome->errorOutput) + outcome->toError(RemoteCommand()).oneLine()
        : outcome.error().oneLine();
    QVERIFY2(said.contains(wanted.word, Qt::CaseInsensitive), qPrintable(said));
}

void checkLogin(LoginScene& scene, const QList<LoginCase>& cases)
{
    QFETCH(int, row);
    const LoginCase& wanted = cases.at(row);
    const Result<SshEndpoint> endpoint = wanted.endpoint(scene);
    if (!scene.problem().isEmpty())
        QSKIP(qPrintable(scene.problem()));
    if (!endpoint) {
        QCOMPARE(wanted.state, LinkState::Offline);
        checkError(wanted, endpoint.error());
        return;
    }
    SshClient client(*endpoint, wanted.tuning);
    client.answerer = [&wanted, next = qsizetype(0)](const LoginPrompt& prompt) mutable -> std::optional<PromptAnswer> {
        if (next >= wanted.answers.size())
            return std::nullopt;
        const std::optional<QByteArray>& answer = wanted.answers.at(next++);
        if (!answer)
            return SshClient::no();
        return prompt.kind == LoginPrompt::Kind::HostKey ? SshClient::yes() : SshClient::with({*answer});
    };
    const GapWatch turns;
    client.shell().open(wanted.attended ? ClusterLink::Attendance::Person : ClusterLink::Attendance::Nobody);
    const auto settled = [&client] {
        const LinkState state = client.shell().state();
        return state == LinkState::Online || state == LinkState::Offline || state == LinkState::Lost;
    };
    (void)test::comes(settled);
    const QString asked = client.prompts.isEmpty() ? QString() : client.prompts.last().notice;
    const QString said = client.shell().lastError() ? client.shell().lastError()->oneLine() : asked;
    QVERIFY2(client.shell().state() == wanted.state,
        qPrintable(u"state %1: %2"_s.arg(static_cast<int>(client.shell().state())).arg(said)));
    QVERIFY2(
        client.prompts.size() == wanted.prompts, qPrintable(u"%1 prompts; %2"_s.arg(client.prompts.size()).arg(said)));
    QVERIFY2(turns.mostWorkMs() < 100 * slack, qPrintable(QString::number(turns.mostWorkMs())));
    if (wanted.state != LinkState::Online)
        checkError(wanted, client.shell().lastError().value());
    else if (!wanted.command.isEmpty())
        checkCommand(client, wanted);
}

} // namespace rankwright::test
