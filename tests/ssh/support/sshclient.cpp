// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/sshclient.h"

#include "tests/ssh/support/sshserver.h"

#include <QFile>
#include <QTest>

#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
/// QProcess forks by a way that the thread sanitizer takes for a fork of a threaded program, after which it would
/// refuse new threads.
extern "C" const char* __tsan_default_options();
const char* __tsan_default_options() { return "die_after_fork=0"; }
#endif

namespace rankwright::test {

using namespace Qt::StringLiterals;

SshTuning patientTuning()
{
    SshTuning tuning;
    tuning.connectMs = 2 * longWaitMs;
    tuning.serverMs = 2 * longWaitMs;
    tuning.unattendedMs = 2 * longWaitMs;
    tuning.promptMs = 2 * longWaitMs;
    tuning.silentTicks = 2 * longWaitMs / tuning.keepAliveMs;
    return tuning;
}

SshClient::SshClient(const SshEndpoint& endpoint, const SshTuning& tuning)
    : m_shell(std::make_unique<SshShell>(endpoint))
{
    m_shell->setTuning(tuning);
    QObject::connect(
        m_shell.get(), &RemoteShell::stateChanged, &m_context, [this](LinkState state) { states << state; });
    QObject::connect(m_shell.get(), &SshShell::promptRaised, &m_context, [this](const LoginPrompt& prompt) {
        prompts << prompt;
        const std::optional<PromptAnswer> answer = answerer ? answerer(prompt) : std::nullopt;
        if (answer)
            m_shell->answer(prompt.id, *answer);
    });
}

SshClient::~SshClient() = default;

LinkState SshClient::connectNow()
{
    m_shell->open();
    (void)test::comes([this] {
        const LinkState state = m_shell->state();
        return state == LinkState::Online || state == LinkState::Offline || state == LinkState::Lost;
    });
    return m_shell->state();
}

QString SshClient::whyNot() const
{
    const std::optional<Error> error = m_shell->lastError();
    return error ? error->oneLine() + u' ' + error->detail : u"no error"_s;
}

bool SshClient::waitFor(LinkState state)
{
    return test::comes([this, state] { return m_shell->state() == state; });
}

Result<CommandOutcome> SshClient::run(const RemoteCommand& command)
{
    Result<CommandOutcome> result = fail(Fault::TimedOut, u"the test waited in vain"_s);
    bool done = false;
    QObject guard;
    m_shell->run(command, &guard, [&result, &done](const Result<CommandOutcome>& outcome) {
        result = outcome;
        done = true;
    });
    (void)test::comes([&done] { return done; });
    return result;
}

PromptAnswer SshClient::with(const QList<QByteArray>& answers)
{
    PromptAnswer answer;
    answer.accepted = true;
    for (const QByteArray& each : answers)
        answer.answers << Secret(each);
    return answer;
}

SshHome::SshHome()
{
    qputenv("HOME", m_folder.path().toLocal8Bit());
    qunsetenv("SSH_AUTH_SOCK");
}

SshEndpoint SshHome::endpoint(const SshServer& server, bool known) const
{
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = server.port();
    endpoint.user = u"ada"_s;
    endpoint.knownHosts = path(u"known_hosts_%1"_s.arg(server.port()));
    if (known)
        write(endpoint.knownHosts, server.knownHostsLine());
    else
        QFile::remove(endpoint.knownHosts);
    return endpoint;
}

QString SshHome::newKey(const QString& name, QByteArray* publicBase64, const char* passphrase) const
{
    const std::shared_ptr<ssh_key_struct> key = SshServer::newKey();
    const QString file = path(name);
    ssh_pki_export_privkey_file(key.get(), passphrase, nullptr, nullptr, file.toLocal8Bit().constData());
    *publicBase64 = SshServer::publicBase64(key.get());
    return file;
}

QByteArray SshHome::read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void SshHome::write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        file.write(bytes);
}

qint64 residentBytes()
{
    const QList<QByteArray> figures = SshHome::read(u"/proc/self/statm"_s).split(' ');
    return figures.value(1).toLongLong() * ::sysconf(_SC_PAGESIZE);
}

} // namespace rankwright::test
