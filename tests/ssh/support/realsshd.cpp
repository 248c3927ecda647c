// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/realsshd.h"

#include "tests/ssh/support/listener.h"
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

QByteArray inFolder(QByteArray text, const QByteArray& folder) { return text.replace("@FOLDER@", folder); }

constexpr int mostTries = 5;

/// From OpenSSH 9.8 on callers who are refused often are shut out for a while; a matrix of refusals is such a caller.
bool hasPenalties(const QString& sshd, const QString& configuration)
{
    static const bool has = [&] {
        QProcess check;
        check.start(sshd, {u"-t"_s, u"-o"_s, u"PerSourcePenalties=no"_s, u"-f"_s, configuration});
        return check.waitForFinished(longWaitMs) && check.exitCode() == 0;
    }();
    return has;
}

constexpr QFile::Permissions readableByAll = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup
    | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;

struct Account {
    const char* name;
    int id;
    const char* shell;
    const char* password; ///< as crypt(5) writes it
    const char* expires = ""; ///< in days since 1970
};

/// "right horse", by `openssl passwd -6 -salt rankwright`
constexpr const char* rightHorse = "$6$rankwright$A6f/WEYTU9jmrE0xkzb1T6IcccUwy.nfXTtFovIGd6/"
                                   "J.EbuiDv5dS98RBSx.9Cg1OZs34D5WXpNeeJgacRvL/";

constexpr Account accounts[] = {
    {"ada", 64001, "/bin/sh", rightHorse},
    {"nologin", 64002, "/usr/sbin/nologin", rightHorse},
    {"noshell", 64003, "/does/not/exist", rightHorse},
    {"falseshell", 64004, "/bin/false", rightHorse},
    {"restricted", 64005, "/bin/rbash", rightHorse},
    {"expired", 64006, "/bin/sh", rightHorse, "10000"},
    {"locked", 64007, "/bin/sh", "!"},
};

} // namespace

QString RealSshd::newKey(const QString& name, const QStringList& options) const
{
    const QString file = path(name);
    QProcess::execute(program(u"ssh-keygen"_s),
        QStringList{u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, QString(), u"-f"_s, file} + options);
    return file;
}

RealSshd::RealSshd(const SshdWorld& world) : m_host(QString::fromLatin1(world.address))
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
    if ((world.accounts || !world.pam.isEmpty()) && ::getuid() != 0) {
        m_problem = u"accounts and PAM services of a test's own want root"_s;
        return;
    }
    SshHome::write(path(u"authorized_keys"_s), SshHome::read(newKey(u"user"_s) + u".pub"_s));
    for (const QString& key : {newKey(u"host"_s), path(u"user"_s), newKey(u"ca"_s)}) {
        if (SshHome::read(key + u".pub"_s).isEmpty()) {
            m_problem = u"ssh-keygen made no key %1"_s.arg(key);
            return;
        }
    }
    writeWorld(world);
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    QObject::connect(&m_process, &QProcess::readyRead, &m_process, [this] { m_log += m_process.readAll(); });
    start(sshd, world);
}

void RealSshd::writeConfiguration(const SshdWorld& world)
{
    const QByteArray folder = m_folder.path().toLocal8Bit();
    // What `world` says comes first: sshd_config(5) takes the first value of a keyword.
    SshHome::write(path(u"sshd_config"_s),
        inFolder(world.config, folder) + "\nListenAddress " + world.address + "\nPort " + QByteArray::number(m_port)
            + "\nHostKey " + folder + "/host\nAuthorizedKeysFile " + folder + "/authorized_keys\nTrustedUserCAKeys "
            + folder
            + "/ca.pub\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\n"
              "KbdInteractiveAuthentication no\nPermitRootLogin yes\nLogLevel INFO\n"
              // Not the account's own start-up files: they may be slow, and a killed server leaves their work half
              // done.
              "SetEnv HOME="
            + folder + "\n");
}

void RealSshd::writeWorld(const SshdWorld& world)
{
    const QByteArray folder = m_folder.path().toLocal8Bit();
    for (const auto& [name, text] : world.scripts) {
        SshHome::write(path(name), inFolder(text, folder));
        QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    if (!world.pam.isEmpty())
        SshHome::write(path(u"pam"_s), inFolder(world.pam, folder));
    if (!world.accounts)
        return;
    // Others than root must find their keys.
    QFile::setPermissions(m_folder.path(), readableByAll);
    QByteArray users;
    QByteArray secrets;
    for (const Account& account : accounts) {
        users += account.name + QByteArray(":x:") + QByteArray::number(account.id) + ":65534::" + folder + ':'
            + account.shell + '\n';
        secrets += account.name + QByteArray(":") + account.password + ":19000:0:99999:7::" + account.expires + ":\n";
    }
    SshHome::write(path(u"passwd"_s), SshHome::read(u"/etc/passwd"_s) + users);
    SshHome::write(path(u"shadow"_s), "root:*:19000:0:99999:7:::\n" + secrets);
    QFile::setPermissions(path(u"passwd"_s), readableByAll);
}

void RealSshd::start(const QString& sshd, const SshdWorld& world)
{
    QStringList words = {sshd, u"-D"_s, u"-e"_s, u"-f"_s, path(u"sshd_config"_s)};
    if (world.accounts || !world.pam.isEmpty()) {
        QString script = u"set -e; mount --make-rprivate /; "_s;
        if (!world.pam.isEmpty())
            script += u"mount --bind \"$1/pam\" /etc/pam.d/sshd; "_s;
        if (world.accounts)
            script += u"mount --bind \"$1/passwd\" /etc/passwd; mount --bind \"$1/shadow\" /etc/shadow; "_s;
        script += u"shift; exec \"$@\""_s;
        words = QStringList{u"unshare"_s, u"-m"_s, u"sh"_s, u"-c"_s, script, u"sh"_s, m_folder.path()} + words;
    }
    // Between looking for a port and taking it another program may have taken it.
    for (int tries = 0; tries < mostTries; ++tries) {
        m_port = Listener::freePort();
        writeConfiguration(world);
        m_log.clear();
        if (tries == 0 && hasPenalties(sshd, path(u"sshd_config"_s)))
            words << u"-o"_s << u"PerSourcePenalties=no"_s;
        m_process.start(words.first(), words.mid(1));
        (void)test::comes([this] { return m_process.state() == QProcess::NotRunning || listens(); });
        if (listens() && m_process.state() == QProcess::Running) {
            m_problem.clear();
            return;
        }
        m_problem = whyNotListening();
        if (m_process.state() != QProcess::NotRunning || !m_log.contains("Address already in use"))
            return;
    }
}

/// By its own words: a connection to the port proves nothing, since it may be another program's by then.
bool RealSshd::listens() const
{
    const QByteArray line = "Server listening on " + m_host.toLatin1() + " port " + QByteArray::number(m_port) + '.';
    return m_log.contains(line);
}

QString RealSshd::whyNotListening() const
{
    QStringList said{u"sshd did not start"_s};
    if (m_process.state() != QProcess::NotRunning)
        said.append(u"it did not listen"_s);
    else if (m_process.error() == QProcess::FailedToStart)
        said.append(m_process.errorString());
    else if (m_process.exitStatus() == QProcess::CrashExit)
        said.append(u"it was ended by a signal"_s);
    else
        said.append(u"it ended with code %1"_s.arg(m_process.exitCode()));
    said.append(m_log.isEmpty() ? u"it said nothing"_s : QString::fromLocal8Bit(m_log).trimmed());
    return said.join(u": "_s);
}

QString RealSshd::lockedOut() const
{
    for (const QByteArray& line : m_log.split('\n')) {
        if (line.contains("account is locked"))
            return u"the server says: "_s + QString::fromLocal8Bit(line).trimmed();
    }
    return {};
}

RealSshd::~RealSshd() { killAll(); }

void RealSshd::killAll()
{
    if (m_process.processId() > 0)
        killTree(m_process.processId());
    m_process.waitForFinished(longWaitMs);
}

SshEndpoint RealSshd::endpoint() const
{
    SshEndpoint endpoint;
    endpoint.host = m_host;
    endpoint.port = m_port;
    endpoint.user = QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name);
    endpoint.identities = {path(u"user"_s)};
    endpoint.identitiesOnly = true;
    endpoint.knownHosts = path(u"known_hosts"_s);
    SshHome::write(endpoint.knownHosts,
        '[' + m_host.toLatin1() + "]:" + QByteArray::number(m_port) + ' ' + SshHome::read(path(u"host.pub"_s)));
    return endpoint;
}

} // namespace rankwright::test
