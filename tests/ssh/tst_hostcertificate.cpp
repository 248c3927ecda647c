// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/hostcertificate.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Hosts that an @cert-authority vouches for, against OpenSSH's own server and certificates of ssh-keygen.
class HostCertificateTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override;
    void vouchedFor_data();
    void vouchedFor();
    void behindAJump();
    void revokedAuthority();
    void signatures();
    void judged();

private:
    /// Signs the server's key; the server reads it again for each connection.
    void sign(const QStringList& options, const QString& authority = u"ca"_s) const;
    SshEndpoint endpointWithAuthority(const QByteArray& more = {}) const;
    QString certificate() const { return m_home->path(u"host-cert.pub"_s); }

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
};

void HostCertificateTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_sshd = std::make_unique<RealSshd>("HostCertificate " + certificate().toLocal8Bit() + '\n');
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
        QSKIP("this account may not log in by SSH (it may be locked)");
    m_sshd->newKey(u"otherca"_s);
}

void HostCertificateTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    QFile::remove(certificate());
}

void HostCertificateTest::sign(const QStringList& options, const QString& authority) const
{
    const QString made = m_sshd->path(u"host-cert.pub"_s);
    QFile::remove(made);
    QCOMPARE(QProcess::execute(u"ssh-keygen"_s,
                 QStringList{u"-q"_s, u"-s"_s, m_sshd->path(authority), u"-I"_s, u"test host"_s} + options
                     + QStringList{m_sshd->path(u"host.pub"_s)}),
        0);
    QFile::remove(certificate());
    QVERIFY(QFile::rename(made, certificate()));
}

SshEndpoint HostCertificateTest::endpointWithAuthority(const QByteArray& more) const
{
    SshEndpoint endpoint = m_sshd->endpoint();
    SshHome::write(endpoint.knownHosts,
        "@cert-authority [127.0.0.1]:" + QByteArray::number(endpoint.port) + ' '
            + SshHome::read(m_sshd->path(u"ca.pub"_s)) + more);
    endpoint.systemKnownHosts = QStringList();
    return endpoint;
}

void HostCertificateTest::vouchedFor_data()
{
    QTest::addColumn<QStringList>("options"); // of ssh-keygen; none: no certificate
    QTest::addColumn<QString>("authority");
    QTest::addColumn<QString>("outcome"); // "online", "asked", "refused"
    QTest::addColumn<QString>("words");
    const QStringList host{u"-h"_s, u"-n"_s, u"127.0.0.1"_s};
    QTest::newRow("good") << host << u"ca"_s << u"online"_s << QString();
    QTest::newRow("good, pattern") << QStringList{u"-h"_s, u"-n"_s, u"127.*"_s} << u"ca"_s << u"online"_s << QString();
    QTest::newRow("expired") << host + QStringList{u"-V"_s, u"20200101:20200301"_s} << u"ca"_s << u"refused"_s
                             << u"expired"_s;
    QTest::newRow("not yet valid") << host + QStringList{u"-V"_s, u"20900101:20900301"_s} << u"ca"_s << u"refused"_s
                                   << u"not valid before 20"_s;
    QTest::newRow("wrong principal") << QStringList{u"-h"_s, u"-n"_s, u"login.example.org"_s} << u"ca"_s << u"refused"_s
                                     << u"not for 127.0.0.1 but for: login.example.org"_s;
    QTest::newRow("no principal") << QStringList{u"-h"_s} << u"ca"_s << u"refused"_s << u"no host by name"_s;
    QTest::newRow("another authority") << host << u"otherca"_s << u"asked"_s << u"not an authority on record"_s;
    QTest::newRow("no certificate") << QStringList() << u"ca"_s << u"asked"_s << u"shows no certificate"_s;
}

void HostCertificateTest::vouchedFor()
{
    QFETCH(QStringList, options);
    QFETCH(QString, authority);
    QFETCH(QString, outcome);
    QFETCH(QString, words);
    if (!options.isEmpty())
        sign(options, authority);
    SshClient client(endpointWithAuthority());
    client.answerer = [](const LoginPrompt&) { return SshClient::no(); };
    const LinkState state = client.connectNow();
    if (outcome == u"online") {
        QCOMPARE(state, LinkState::Online);
        QVERIFY(client.prompts.isEmpty());
        return;
    }
    QCOMPARE(state, LinkState::Offline);
    QCOMPARE(client.shell().lastError()->fault, Fault::HostKeyRefused);
    QCOMPARE(client.prompts.size(), outcome == u"asked" ? 1 : 0);
    const QString said = outcome == u"asked" ? client.prompts.first().notice : client.shell().lastError()->oneLine();
    QVERIFY2(said.contains(words), qPrintable(said));
}

/// The certificate cannot be seen there: the plain key decides, and why is said.
void HostCertificateTest::behindAJump()
{
    sign({u"-h"_s, u"-n"_s, u"127.0.0.1"_s});
    SshEndpoint endpoint = endpointWithAuthority();
    endpoint.knownHosts = m_home->path(u"authority_only"_s);
    SshHome::write(endpoint.knownHosts, SshHome::read(m_sshd->path(u"known_hosts"_s)));
    SshEndpoint jump = m_sshd->endpoint(); // writes the plain key into the other file
    jump.systemKnownHosts = QStringList();
    endpoint.jumps = {jump};
    SshClient client(endpoint);
    client.answerer = [](const LoginPrompt&) { return SshClient::yes(); };
    QCOMPARE(client.connectNow(), LinkState::Online);
    QCOMPARE(client.prompts.size(), 1);
    QVERIFY2(client.prompts.first().notice.contains(u"jump host"_s), qPrintable(client.prompts.first().notice));
}

void HostCertificateTest::revokedAuthority()
{
    sign({u"-h"_s, u"-n"_s, u"127.0.0.1"_s});
    SshClient client(endpointWithAuthority("@revoked * " + SshHome::read(m_sshd->path(u"ca.pub"_s))));
    QCOMPARE(client.connectNow(), LinkState::Offline);
    QVERIFY2(
        client.shell().lastError()->detail.contains(u"revoked"_s), qPrintable(client.shell().lastError()->oneLine()));
    // The host's own key, revoked: no authority helps.
    SshClient own(endpointWithAuthority("@revoked * " + SshHome::read(m_sshd->path(u"host.pub"_s))));
    QCOMPARE(own.connectNow(), LinkState::Offline);
    QVERIFY(own.shell().lastError()->what.contains(u"revoked"_s));
    QVERIFY(own.prompts.isEmpty());
}

void HostCertificateTest::signatures()
{
    sign({u"-h"_s, u"-n"_s, u"127.0.0.1"_s});
    QByteArrayList words = SshHome::read(certificate()).split(' ');
    const QByteArray line = words.at(0) + ' ' + words.at(1);
    QVERIFY(hasValidSignature(line));
    QByteArray blob = QByteArray::fromBase64(words.at(1));
    blob.replace("127.0.0.1", "127.0.0.2"); // what a server would like to be
    QVERIFY(parseCertificate(blob));
    QVERIFY(!hasValidSignature(words.at(0) + ' ' + blob.toBase64()));
    QVERIFY(!hasValidSignature({}));
}

/// Without a network: a certificate for another key, of a user, with an option that nobody knows.
void HostCertificateTest::judged()
{
    sign({u"-h"_s, u"-n"_s, u"127.0.0.1"_s});
    const auto certificate = parseCertificateLine(SshHome::read(this->certificate()));
    QVERIFY(certificate);
    const QByteArrayList host = SshHome::read(m_sshd->path(u"host.pub"_s)).split(' ');
    const PresentedKey presented{u"ssh-ed25519"_s, u"SHA256:x"_s, host.at(1)};
    const QList<KnownKey> authority
        = knownKeys({endpointWithAuthority().knownHosts}, endpointWithAuthority().keyName());
    QVERIFY(hasAuthority(authority));
    const auto judge = [&](const SshCertificate& changed, const PresentedKey& key) {
        return verifyCertificate(changed, key, authority, u"127.0.0.1"_s, QDateTime::currentDateTimeUtc()).kind;
    };
    QCOMPARE(judge(*certificate, presented), AuthorityVerdict::Kind::Proven);
    QCOMPARE(judge(*certificate, {u"ssh-ed25519"_s, u"SHA256:y"_s, "AAAA"}), AuthorityVerdict::Kind::Silent);
    SshCertificate ofUser = *certificate;
    ofUser.kind = SshCertificate::Kind::User;
    QCOMPARE(judge(ofUser, presented), AuthorityVerdict::Kind::Refused);
    SshCertificate odd = *certificate;
    odd.criticalOptions = {u"only-on-tuesdays"_s};
    QCOMPARE(judge(odd, presented), AuthorityVerdict::Kind::Refused);
    QVERIFY(!hasAuthority({}));
}

RANKWRIGHT_TEST_MAIN(HostCertificateTest)
#include "tst_hostcertificate.moc"
