// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "tests/app/support/clirun.h"
#include "tests/ssh/support/opensshmaster.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QStandardPaths>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Commands beside OpenSSH's own programs, as a person calls them: over a connection of `ssh`, and `ssh` over one of
/// ours. Whoever uses the other's connection has a configuration with which no login works.
class SharedConnectionTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void commandsGoOverSsh();
    void anotherUserNeedsAnotherConnection();
    void sshGoesOverOurs();
    void whereNothingCanBeShared();

private:
    /// The host "cluster" with the server's own key, or with none.
    QString config(const QString& name, bool hasKey) const;
    Answer files(const QString& config, const QStringList& more = {}) const;

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
    QString m_socket;
};

void SharedConnectionTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    if (probe.connectNow() != LinkState::Online)
        QSKIP(qPrintable(probe.whyNot()));
    m_socket = m_home->path(u"my socket"_s);
    QVERIFY(QDir().mkpath(m_home->path(u"folder"_s)));
    SshHome::write(m_home->path(u"folder/file.txt"_s), "hello\n");
}

QString SharedConnectionTest::config(const QString& name, bool hasKey) const
{
    const SshEndpoint endpoint = m_sshd->endpoint();
    const QString path = m_home->path(name);
    SshHome::write(path,
        u"Host cluster\n  HostName %1\n  Port %2\n  User %3\n  IdentityFile \"%4\"\n  IdentitiesOnly yes\n"
        "  UserKnownHostsFile \"%5\"\n  ControlPath \"%6\"\n  BatchMode yes\n"_s.arg(endpoint.host)
            .arg(endpoint.port)
            .arg(endpoint.user, hasKey ? endpoint.identities.first() : m_home->path(u"no-key"_s), endpoint.knownHosts,
                m_socket)
            .toLocal8Bit());
    return path;
}

Answer SharedConnectionTest::files(const QString& config, const QStringList& more) const
{
    return run(QStringList{u"files"_s, u"cluster"_s, u"ls"_s, m_home->path(u"folder"_s), u"--json"_s, u"--config"_s,
                   config, u"--data-dir"_s, m_home->path(u"data"_s)}
        + more);
}

void SharedConnectionTest::commandsGoOverSsh()
{
    const QString keyless = config(u"keyless"_s, false);
    QCOMPARE(files(keyless).code, 3);
    {
        OpenSshMaster master(*m_sshd, m_home->path(u"."_s), m_socket);
        QCOMPARE(master.start(), QString());
        const Answer over = files(keyless);
        QVERIFY2(over.code == 0, qPrintable(over.err));
        QVERIFY(over.out.contains(u"file.txt"_s));
        QCOMPARE(files(keyless, {u"--no-control-master"_s}).code, 3);
        Settings(m_home->path(u"data"_s)).setControlMasterUsed(false);
        QCOMPARE(files(keyless).code, 3);
        Settings(m_home->path(u"data"_s)).setControlMasterUsed(true);
        QCOMPARE(files(keyless).code, 0);
    }
    QVERIFY(QFile::exists(m_socket)); // left behind by a master that was killed
    QCOMPARE(files(keyless).code, 3);
    const Answer own = files(config(u"good"_s, true));
    QVERIFY2(own.code == 0, qPrintable(own.err));
    QVERIFY(QFile::remove(m_socket));
}

/// The socket is of the configured account: what it says of another one would be a lie.
void SharedConnectionTest::anotherUserNeedsAnotherConnection()
{
    OpenSshMaster master(*m_sshd, m_home->path(u"."_s), m_socket);
    QCOMPARE(master.start(), QString());
    const QString keyless = config(u"keyless"_s, false);
    QCOMPARE(files(keyless, {u"--user"_s, u"somebody-else"_s}).code, 3);
    QCOMPARE(files(keyless).code, 0);
    QCOMPARE(master.control(u"exit"_s), 0);
    QTRY_VERIFY(!QFile::exists(m_socket));
}

void SharedConnectionTest::sshGoesOverOurs()
{
    const QString keyless = config(u"keyless"_s, false);
    const QString good = config(u"good"_s, true);
    // Beside the command, which keeps this thread until it ends: asks until it listens, at most for a minute.
    QProcess script;
    script.start(u"/bin/sh"_s,
        {u"-c"_s,
            u"n=0; until ssh -F \"$0\" -O check cluster 2>/dev/null; do n=$((n+1)); [ $n -lt 300 ] || exit 1; sleep 0.2; done; "
            "ssh -F \"$0\" cluster 'echo over; exit 7' </dev/null; echo \"status $?\"; ssh -F \"$0\" -O exit cluster"_s,
            keyless});
    const Answer shared
        = run({u"share"_s, u"cluster"_s, u"--json"_s, u"--config"_s, good, u"--data-dir"_s, m_home->path(u"data"_s)});
    QVERIFY(script.waitForFinished(longWaitMs));
    const QByteArray said = script.readAllStandardOutput() + script.readAllStandardError();
    QVERIFY2(shared.code == 0, qPrintable(shared.err));
    QVERIFY2(said.contains("over\nstatus 7\n"), said.constData());
    QCOMPARE(shared.json().value(u"socket"_s).toString(), m_socket);
    QVERIFY(!QFile::exists(m_socket));
}

/// Before anybody is asked for anything.
void SharedConnectionTest::whereNothingCanBeShared()
{
    const QString keyless = config(u"keyless"_s, false);
    const auto share = [&](const QString& socket) {
        return run({u"share"_s, u"cluster"_s, u"--socket"_s, socket, u"--config"_s, keyless, u"--data-dir"_s,
            m_home->path(u"data"_s)});
    };
    const Answer missing = share(m_home->path(u"missing/socket"_s));
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains(u"There is no folder"_s), qPrintable(missing.err));
    const Answer file = share(m_home->path(u"folder/file.txt"_s));
    QCOMPARE(file.code, 1);
    QVERIFY2(file.err.contains(u"something else"_s), qPrintable(file.err));
}

RANKWRIGHT_TEST_MAIN(SharedConnectionTest)
#include "tst_sharedconnection.moc"
