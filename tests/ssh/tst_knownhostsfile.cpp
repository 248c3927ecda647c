// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/hostkey.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>

#include <atomic>
#include <thread>
#include <vector>

#include <sys/stat.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

const PresentedKey key{u"ssh-ed25519"_s, {}, "AAAAC3NzaC1lZDI1NTE5AAAAINQkDdKO77Pk7GQgHRGQVGlOfml2nwkG6mm2nrSDop/X"};

int modeOf(const QString& path)
{
    struct stat info = {};
    return ::stat(QFile::encodeName(path).constData(), &info) == 0 ? int(info.st_mode & 07777) : -1;
}

} // namespace

/// How accepted keys are written down.
class KnownHostsFileTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_home = std::make_unique<SshHome>();
    }

    void hashedNamesAreFoundAgain()
    {
        const QString file = m_home->path(u"known"_s);
        QVERIFY_RESULT(rememberHostKey(file, u"login.example.org"_s, key, HostNameForm::Hashed));
        QVERIFY_RESULT(rememberHostKey(file, u"[127.0.0.1]:2222"_s, key, HostNameForm::Hashed));
        const QByteArray written = SshHome::read(file);
        QVERIFY(!written.contains("example") && !written.contains("127.0.0.1"));
        QVERIFY(written.startsWith("|1|"));
        QCOMPARE(knownKeys({file}, u"login.example.org"_s).size(), 1);
        QCOMPARE(knownKeys({file}, u"[127.0.0.1]:2222"_s).size(), 1);
        QCOMPARE(knownKeys({file}, u"127.0.0.1"_s).size(), 0);
        if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
            QSKIP("ssh-keygen is not installed");
        QCOMPARE(QProcess::execute(u"ssh-keygen"_s, {u"-F"_s, u"login.example.org"_s, u"-f"_s, file}), 0);
        QVERIFY(QProcess::execute(u"ssh-keygen"_s, {u"-F"_s, u"other.example.org"_s, u"-f"_s, file}) != 0);
    }

    /// From sshd(8)'s source of the format: HMAC-SHA1 of the name with the salt as key.
    void hashOfAKnownSalt()
    {
        const QByteArray salt = QByteArray::fromHex("000102030405060708090a0b0c0d0e0f10111213");
        const QByteArray hashed = hashedHostName(u"a"_s, salt);
        QCOMPARE(hashed.split('|').size(), 4);
        QCOMPARE(QByteArray::fromBase64(hashed.split('|').at(2)), salt);
        QCOMPARE(QByteArray::fromBase64(hashed.split('|').at(3)).size(), 20);
        QVERIFY(hashed != hashedHostName(u"b"_s, salt));
    }

    void whatIsThereStays()
    {
        const QString file = m_home->path(u"known"_s);
        SshHome::write(file, "# mine\nother ssh-ed25519 AAAA"); // no end of the line
        QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
        QVERIFY_RESULT(rememberHostKey(file, u"h"_s, key));
        QCOMPARE(SshHome::read(file), QByteArray("# mine\nother ssh-ed25519 AAAA\nh ssh-ed25519 " + key.base64 + '\n'));
        QCOMPARE(modeOf(file), 0644);
        QCOMPARE(QDir(m_home->path(u"."_s)).entryList({u"known*"_s}, QDir::Files), QStringList{u"known"_s});
    }

    void aNewFileIsPrivate()
    {
        const QString file = m_home->path(u"new/folder/known"_s);
        QVERIFY_RESULT(rememberHostKey(file, u"h"_s, key));
        QCOMPARE(modeOf(file), 0600);
        QCOMPARE(modeOf(m_home->path(u"new/folder"_s)), 0700);
    }

    void symbolicLinksAreFollowed()
    {
        const QString real = m_home->path(u"real"_s);
        SshHome::write(real, "# real\n");
        QFile::setPermissions(real, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
        QVERIFY(QFile::link(u"real"_s, m_home->path(u"middle"_s)));
        QVERIFY(QFile::link(m_home->path(u"middle"_s), m_home->path(u"link"_s)));
        QVERIFY_RESULT(rememberHostKey(m_home->path(u"link"_s), u"h"_s, key));
        QVERIFY(QFileInfo(m_home->path(u"link"_s)).isSymLink());
        QVERIFY(QFileInfo(m_home->path(u"middle"_s)).isSymLink());
        QVERIFY(SshHome::read(real).startsWith("# real\nh ssh-ed25519"));
        QCOMPARE(modeOf(real), 0640);
        // one that leads nowhere yet
        QVERIFY(QFile::link(u"later"_s, m_home->path(u"dangling"_s)));
        QVERIFY_RESULT(rememberHostKey(m_home->path(u"dangling"_s), u"h"_s, key));
        QVERIFY(QFileInfo(m_home->path(u"dangling"_s)).isSymLink());
        QCOMPARE(knownKeys({m_home->path(u"later"_s)}, u"h"_s).size(), 1);
    }

    /// Several connections begin at once: no line is lost.
    void writersAtOnce()
    {
        const QString file = m_home->path(u"known"_s);
        std::vector<std::thread> threads;
        std::atomic<int> failed = 0;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&file, &failed, thread] {
                for (int i = 0; i < 15; ++i) {
                    if (!rememberHostKey(file, u"host%1-%2"_s.arg(thread).arg(i), key))
                        ++failed;
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(failed.load(), 0);
        QCOMPARE(SshHome::read(file).count('\n'), 60);
        QCOMPARE(knownKeys({file}, u"host3-14"_s).size(), 1);
        QCOMPARE(QDir(m_home->path(u"."_s)).entryList({u"known*"_s}, QDir::Files), QStringList{u"known"_s});
    }

    void nowhere()
    {
        QVERIFY_RESULT(rememberHostKey(u"/dev/null"_s, u"h"_s, key));
        QVERIFY(QFileInfo(u"/dev/null"_s).exists() && !QFileInfo(u"/dev/null"_s).isFile());
        QVERIFY(!rememberHostKey(u"/proc/none/known"_s, u"h"_s, key));
    }

    void wordsOfTheConfiguration()
    {
        if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
            QSKIP("the OpenSSH client is not installed");
        SshHome::write(m_home->path(u"config"_s),
            "Host far\nHostName far.example.org\nHashKnownHosts yes\nCertificateFile "
                + m_home->path(u"a-cert.pub"_s).toUtf8() + "\nCertificateFile " + m_home->path(u"b-cert.pub"_s).toUtf8()
                + '\n');
        SshRequest request;
        request.host = u"far"_s;
        request.configFile = m_home->path(u"config"_s);
        const auto endpoint = resolveEndpoint(request);
        QVERIFY_RESULT(endpoint);
        QVERIFY(endpoint->hashKnownHosts);
        QCOMPARE(endpoint->certificates, (QStringList{m_home->path(u"a-cert.pub"_s), m_home->path(u"b-cert.pub"_s)}));
        request.host = u"near"_s;
        const auto other = resolveEndpoint(request);
        QVERIFY_RESULT(other);
        QVERIFY(other->certificates.isEmpty());
    }

    void anAuthorityIsNoHostsKey()
    {
        const QString file = m_home->path(u"known"_s);
        SshHome::write(file, "@cert-authority *.example.org ssh-ed25519 " + key.base64 + '\n');
        const auto known = knownKeys({file}, u"a.example.org"_s);
        QCOMPARE(known.size(), 1);
        QVERIFY(known.first().authority && !known.first().revoked);
        QVERIFY(preferredAlgorithms(known).isEmpty());
        SshEndpoint endpoint;
        endpoint.host = u"a.example.org"_s;
        PresentedKey same = key;
        same.fingerprint = known.first().fingerprint;
        QCOMPARE(verifyHostKey(same, known, endpoint).kind, HostKeyVerdict::Kind::Ask);
    }

private:
    std::unique_ptr<SshHome> m_home;
};

RANKWRIGHT_TEST_MAIN(KnownHostsFileTest)
#include "tst_knownhostsfile.moc"
