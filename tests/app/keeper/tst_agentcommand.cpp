// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/keeper/keeperserver.h"
#include "tests/app/support/clirun.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"
#include "tests/support/testbase.h"

#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Commands as a script calls them, with an agent and without, against a server that counts logins. The agent lives in
/// this process and is served by the commands' own event loops.
class AgentCommandTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void commandsShareOneLogin();
    void withoutAnAgentNothingChanges();
    void noAgentForOneCommand();
    void afterAKilledAgent();
    void unsafeFolderIsSaid();
    void statusAndStop();
    void switchedOnAndOff();
    void wrongWords();

private:
    Answer command(const QStringList& words) const;
    void startAgent();

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SshServer> m_server;
    std::unique_ptr<KeeperServer> m_agent;
    QString m_key;
    QString m_data;
};

void AgentCommandTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_home = std::make_unique<SshHome>();
    m_folder = std::make_unique<QTemporaryDir>(u"/tmp/rwk-XXXXXX"_s);
    qunsetenv("XDG_RUNTIME_DIR");
    m_data = m_folder->filePath(u"data"_s);
    SshServer::Options options;
    QByteArray publicKey;
    m_key = m_home->newKey(u"key"_s, &publicKey);
    options.authorizedKeys = {publicKey};
    m_server = std::make_unique<SshServer>(options);
    SshHome::write(m_home->path(u"config"_s), "");
    SshHome::write(m_home->path(u"known"_s), m_server->knownHostsLine());
    SshHome::write(m_home->path(u"file.txt"_s), "hello\n");
}

void AgentCommandTest::cleanup()
{
    m_agent.reset();
    m_server.reset();
}

void AgentCommandTest::startAgent()
{
    // As the command itself: the folder may be missing still.
    QVERIFY(run({u"agent"_s, u"status"_s, u"--data-dir"_s, m_data}).code == 1);
    m_agent = std::make_unique<KeeperServer>(KeeperServer::realParts(), KeeperServer::Limits{});
    QVERIFY_RESULT(m_agent->listen(keeperPlace(m_data)));
    connect(
        m_agent.get(), &KeeperServer::ended, this, [this] { m_agent.reset(); }, Qt::QueuedConnection);
}

/// Lists a folder of the "cluster", which is this machine.
Answer AgentCommandTest::command(const QStringList& words) const
{
    return run(QStringList{u"files"_s, u"lumi"_s, u"ls"_s, m_home->path(u"."_s), u"--json"_s, u"--host"_s,
                   u"127.0.0.1"_s, u"--port"_s, QString::number(m_server->port()), u"--user"_s, u"ada"_s,
                   u"--identity"_s, m_key, u"--known-hosts"_s, m_home->path(u"known"_s), u"--config"_s,
                   m_home->path(u"config"_s), u"--data-dir"_s, m_data}
        + words);
}

void AgentCommandTest::commandsShareOneLogin()
{
    startAgent();
    for (int i = 0; i < 3; ++i) {
        const Answer answer = command({});
        QVERIFY2(answer.code == 0, qPrintable(answer.err));
        QVERIFY(answer.out.contains(u"file.txt"_s));
        QVERIFY2(!answer.err.contains(u"agent"_s), qPrintable(answer.err));
    }
    QCOMPARE(m_server->connections(), 1);
}

void AgentCommandTest::withoutAnAgentNothingChanges()
{
    for (int i = 0; i < 2; ++i) {
        const Answer answer = command({});
        QVERIFY2(answer.code == 0, qPrintable(answer.err));
        QVERIFY2(!answer.err.contains(u"agent"_s), qPrintable(answer.err));
    }
    QCOMPARE(m_server->connections(), 2);
    QVERIFY(!QFile::exists(keeperPlace(m_data).folder)); // nothing was made
}

void AgentCommandTest::noAgentForOneCommand()
{
    startAgent();
    QCOMPARE(command({}).code, 0);
    QCOMPARE(command({u"--no-agent"_s}).code, 0);
    QCOMPARE(m_server->connections(), 2);
    QCOMPARE(command({}).code, 0);
    QCOMPARE(m_server->connections(), 2);
}

void AgentCommandTest::afterAKilledAgent()
{
    startAgent();
    QCOMPARE(command({}).code, 0);
    const QString socket = keeperPlace(m_data).socket;
    QVERIFY(QFile::rename(socket, socket + u"-kept"_s)); // an agent that is killed cannot remove it
    m_agent.reset();
    QVERIFY(QFile::rename(socket + u"-kept"_s, socket));
    const Answer answer = command({});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    QCOMPARE(m_server->connections(), 2);
    startAgent(); // over the old socket
    QCOMPARE(command({}).code, 0);
    QCOMPARE(command({}).code, 0);
    QCOMPARE(m_server->connections(), 3);
}

void AgentCommandTest::unsafeFolderIsSaid()
{
    startAgent();
    QFile::setPermissions(keeperPlace(m_data).folder,
        QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup);
    const Answer answer = command({});
    QVERIFY2(answer.code == 0, qPrintable(answer.err));
    QVERIFY2(answer.err.contains(u"the connection agent is not used"_s), qPrintable(answer.err));
    const Answer status = run({u"agent"_s, u"status"_s, u"--data-dir"_s, m_data});
    QCOMPARE(status.code, 1);
    QVERIFY(status.err.contains(u"not safe"_s));
}

void AgentCommandTest::statusAndStop()
{
    const Answer none = run({u"agent"_s, u"status"_s, u"--json"_s, u"--data-dir"_s, m_data});
    QCOMPARE(none.code, 1);
    QCOMPARE(none.json().value(u"running"_s).toBool(true), false);
    startAgent();
    QCOMPARE(command({}).code, 0);
    const Answer status = run({u"agent"_s, u"status"_s, u"--json"_s, u"--data-dir"_s, m_data});
    QCOMPARE(status.code, 0);
    const auto connectionOf
        = [](const Answer& answer) { return answer.json().value(u"connections"_s).toArray().first().toObject(); };
    const QJsonObject connection = connectionOf(status);
    QCOMPARE(connection.value(u"state"_s).toString(), u"online"_s);
    QCOMPARE(connection.value(u"endpoint"_s).toString(), u"ada@127.0.0.1:%1"_s.arg(m_server->port()));
    QVERIFY(connection.value(u"commands"_s).toInt() > 0);
    // The agent hears a moment later that the program before has gone.
    QTRY_COMPARE(
        connectionOf(run({u"agent"_s, u"status"_s, u"--json"_s, u"--data-dir"_s, m_data})).value(u"programs"_s).toInt(),
        0);
    QVERIFY(run({u"agent"_s, u"status"_s, u"--data-dir"_s, m_data}).out.contains(u"online since"_s));
    const Answer stop = run({u"agent"_s, u"stop"_s, u"--json"_s, u"--data-dir"_s, m_data});
    QVERIFY2(stop.code == 0, qPrintable(stop.err));
    QVERIFY(stop.json().value(u"stopped"_s).toBool());
    QCOMPARE(run({u"agent"_s, u"stop"_s, u"--data-dir"_s, m_data}).code, 1);
}

void AgentCommandTest::switchedOnAndOff()
{
    const Answer on = run({u"agent"_s, u"on"_s, u"--idle"_s, u"30"_s, u"--json"_s, u"--data-dir"_s, m_data});
    QVERIFY2(on.code == 0, qPrintable(on.err));
    QVERIFY(on.json().value(u"startedByCommands"_s).toBool());
    QVERIFY(Settings(m_data).keeperWanted());
    QCOMPARE(Settings(m_data).keeperIdleMinutes(), 30);
    QCOMPARE(run({u"agent"_s, u"off"_s, u"--data-dir"_s, m_data}).code, 0);
    QVERIFY(!Settings(m_data).keeperWanted());
}

void AgentCommandTest::wrongWords()
{
    QCOMPARE(run({u"agent"_s, u"dance"_s, u"--data-dir"_s, m_data}).code, 2);
    QCOMPARE(run({u"agent"_s, u"on"_s, u"--idle"_s, u"0"_s, u"--data-dir"_s, m_data}).code, 2);
}

RANKWRIGHT_TEST_MAIN(AgentCommandTest)
#include "tst_agentcommand.moc"
