// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/realsshd.h"

#include "tests/ssh/support/listener.h"
#include "tests/ssh/support/serverchannel.h"
#include "tests/ssh/support/sshclient.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

#include <pwd.h>
#include <unistd.h>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace {

QString program(const QString& name)
{
    return QStandardPaths::findExecutable(name, {u"/usr/sbin"_s, u"/sbin"_s, u"/usr/local/sbin"_s, u"/usr/bin"_s});
}

QList<qint64> treeOf(qint64 pid)
{
    QList<qint64> all{pid};
    const QByteArray children = SshHome::read(u"/proc/%1/task/%1/children"_s.arg(pid));
    for (const QByteArray& child : children.simplified().split(' ')) {
        if (!child.isEmpty())
            all += treeOf(child.toLongLong());
    }
    return all;
}

/// The server before what it started: else it still reports how that ended.
void killTree(qint64 pid)
{
    for (const qint64 one : treeOf(pid))
        ::kill(static_cast<pid_t>(one), SIGKILL);
}

} // namespace

QString RealSshd::newKey(const QString& name, const QStringList& options) const
{
    const QString file = path(name);
    QProcess::execute(program(u"ssh-keygen"_s),
        QStringList{u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-f"_s, file} + options);
    return file;
}

RealSshd::RealSshd(const QByteArray& extra)
{
    const QString sshd = program(u"sshd"_s);
    if (sshd.isEmpty() || program(u"ssh-keygen"_s).isEmpty()) {
        m_problem = u"OpenSSH's server is not installed"_s;
        return;
    }
    if (::getuid() == 0 && !QDir().mkpath(u"/run/sshd"_s)) { // where root's sshd separates privileges
        m_problem = u"/run/sshd cannot be made"_s;
        return;
    }
    newKey(u"host"_s);
    SshHome::write(path(u"authorized_keys"_s), SshHome::read(newKey(u"user"_s) + u".pub"_s));
    newKey(u"ca"_s);
    m_port = Listener::freePort();
    const QByteArray folder = m_folder.path().toLocal8Bit();
    SshHome::write(path(u"sshd_config"_s),
        "ListenAddress 127.0.0.1\nPort " + QByteArray::number(m_port) + "\nHostKey " + folder
            + "/host\nAuthorizedKeysFile " + folder + "/authorized_keys\nTrustedUserCAKeys " + folder
            + "/ca.pub\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
              "KbdInteractiveAuthentication no\nPermitRootLogin yes\nLogLevel ERROR\n"
              // Not the account's own start-up files: they may be slow, and a killed server leaves their work half
              // done.
              "SetEnv HOME="
            + folder + "\n" + extra);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.start(sshd, {u"-D"_s, u"-e"_s, u"-f"_s, path(u"sshd_config"_s)});
    const bool listening = QTest::qWaitFor(
        [this] { return m_process.state() == QProcess::NotRunning || ServerChannel::connectTo(m_port).isValid(); },
        5000);
    if (!listening || m_process.state() != QProcess::Running)
        m_problem = u"sshd did not start: "_s + QString::fromLocal8Bit(m_process.readAll());
}

RealSshd::~RealSshd() { killAll(); }

void RealSshd::killAll()
{
    if (m_process.processId() > 0)
        killTree(m_process.processId());
    m_process.waitForFinished(2000);
}

SshEndpoint RealSshd::endpoint() const
{
    SshEndpoint endpoint;
    endpoint.host = u"127.0.0.1"_s;
    endpoint.port = m_port;
    endpoint.user = QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name);
    endpoint.identities = {path(u"user"_s)};
    endpoint.identitiesOnly = true;
    endpoint.knownHosts = path(u"known_hosts"_s);
    SshHome::write(
        endpoint.knownHosts, "[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + SshHome::read(path(u"host.pub"_s)));
    return endpoint;
}

} // namespace rankwright::test
