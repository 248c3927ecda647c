// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/opensshmaster.h"

#include "tests/ssh/support/sshclient.h"

#include <QDir>
#include <QTest>

#include <csignal>

namespace rankwright::test {

using namespace Qt::StringLiterals;

OpenSshMaster::OpenSshMaster(const RealSshd& sshd, const QString& folder, const QString& controlPath)
    : m_config(QDir(folder).filePath(u"config"_s))
{
    const SshEndpoint endpoint = sshd.endpoint();
    SshHome::write(m_config,
        u"Host cluster\n  HostName %1\n  Port %2\n  User %3\n  IdentityFile \"%4\"\n  IdentitiesOnly yes\n"
        "  UserKnownHostsFile \"%5\"\n  ControlPath \"%6\"\n  BatchMode yes\n"_s.arg(endpoint.host)
            .arg(endpoint.port)
            .arg(endpoint.user, endpoint.identities.first(), endpoint.knownHosts, controlPath)
            .toLocal8Bit());
}

OpenSshMaster::~OpenSshMaster() { kill(); }

QString OpenSshMaster::start()
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(u"ssh"_s, {u"-M"_s, u"-N"_s, u"-F"_s, m_config, u"cluster"_s});
    const bool listens
        = test::comes([this] { return m_process.state() == QProcess::NotRunning || control(u"check"_s) == 0; });
    if (listens && m_process.state() == QProcess::Running)
        return {};
    return u"ssh does not listen: "_s + QString::fromLocal8Bit(m_process.readAll());
}

void OpenSshMaster::kill()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    ::kill(static_cast<pid_t>(m_process.processId()), SIGCONT); // it may be stopped
    m_process.kill();
    m_process.waitForFinished(longWaitMs);
}

int OpenSshMaster::control(const QString& word) const
{
    QProcess process;
    process.start(u"ssh"_s, {u"-O"_s, word, u"-F"_s, m_config, u"cluster"_s});
    return process.waitForFinished(longWaitMs) ? process.exitCode() : -1;
}

} // namespace rankwright::test
