// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/keyfile.h"

#include "tests/support/testbase.h"

#include <QFile>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// Made by ssh-keygen of OpenSSH 9.2; what `ssh-keygen -L` printed of them stands in the tests.
QByteArray sample(const QString& name)
{
    QFile file(test::sourcePath() + u"/tests/fuzz/corpus/certificate/"_s + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QDateTime utc(int year, int month, int day, int hour = 0, int minute = 0)
{
    return {QDate(year, month, day), QTime(hour, minute), Qt::UTC};
}

SshCertificate validUntil(const QDateTime& end)
{
    SshCertificate certificate;
    certificate.validUntil = end;
    return certificate;
}

} // namespace

class SshCertificateTest final : public test::Suite {
    Q_OBJECT
private slots:
    void ofAUser();
    void ofAHost();

    /// Two values make up an RSA key.
    void ofAnRsaKey();
    void cutAnywhereItIsNone();
    void otherLinesAreNone();
    void aPatternOfStarsTakesNoTime();
    void validityInWords_data();
    void validityInWords();
    void notYetValid();
    void lockedKeys();
    void publicKeyLines();
    void passphrases();
};

void SshCertificateTest::ofAUser()
{
    const auto certificate = parseCertificateLine(sample(u"user.txt"_s));
    QVERIFY(certificate);
    QCOMPARE(certificate->type, u"ssh-ed25519-cert-v01@openssh.com"_s);
    QCOMPARE(certificate->kind, SshCertificate::Kind::User);
    QCOMPARE(certificate->serial, quint64(7));
    QCOMPARE(certificate->keyId, u"ada@laptop"_s);
    QCOMPARE(certificate->principals, (QStringList{u"ada"_s, u"lovelace"_s}));
    QCOMPARE(certificate->validFrom, std::optional(utc(2026, 1, 1)));
    QCOMPARE(certificate->validUntil, std::optional(utc(2026, 1, 2)));
    QCOMPARE(certificate->criticalOptions, QStringList{u"force-command"_s});
    // the plain keys, as ssh-keygen wrote them into k.pub and ca.pub
    QCOMPARE(certificate->publicKey.toBase64(),
        QByteArray("AAAAC3NzaC1lZDI1NTE5AAAAINQkDdKO77Pk7GQgHRGQVGlOfml2nwkG6mm2nrSDop/X"));
    QCOMPARE(certificate->authority.toBase64(),
        QByteArray("AAAAC3NzaC1lZDI1NTE5AAAAIBvdRapa7yYxh1k3k8SaCAqX3ind63UPYpdmA1LbDvDy"));
}

void SshCertificateTest::ofAHost()
{
    const auto certificate = parseCertificateLine(sample(u"host.txt"_s));
    QVERIFY(certificate);
    QCOMPARE(certificate->kind, SshCertificate::Kind::Host);
    QVERIFY(!certificate->validFrom);
    QVERIFY(!certificate->validUntil);
    QCOMPARE(validityText(*certificate, utc(2099, 1, 1)), u"valid for ever"_s);
    QVERIFY(certificate->publicKey.startsWith(QByteArray("\0\0\0\x13"
                                                         "ecdsa-sha2-nistp256",
        23)));
    QVERIFY(namesHost(*certificate, u"login7.example.org"_s));
    QVERIFY(namesHost(*certificate, u"LOGIN7.Example.ORG"_s));
    QVERIFY(namesHost(*certificate, u"a.b.grid.example"_s));
    QVERIFY(!namesHost(*certificate, u"login77.example.org"_s));
    QVERIFY(!namesHost(*certificate, u"grid.example"_s));
    QVERIFY(!namesHost(*certificate, QString()));
}

void SshCertificateTest::ofAnRsaKey()
{
    const auto certificate = parseCertificateLine(sample(u"rsa.txt"_s));
    QVERIFY(certificate);
    QVERIFY(certificate->publicKey.startsWith(QByteArray("\0\0\0\7ssh-rsa\0\0\0\3\1\0\1", 18)));
    QVERIFY(certificate->principals.isEmpty());
    QVERIFY(!namesHost(*certificate, u"anything"_s)); // "any" is too much to be said of a host
}

void SshCertificateTest::cutAnywhereItIsNone()
{
    const QByteArray blob = QByteArray::fromBase64(sample(u"user.txt"_s).split(' ').value(1));
    QVERIFY(parseCertificate(blob));
    for (qsizetype length = 0; length < blob.size(); ++length)
        QVERIFY2(!parseCertificate(blob.left(length)), qPrintable(QString::number(length)));
    QVERIFY(!parseCertificate(blob + 'x'));
}

void SshCertificateTest::otherLinesAreNone()
{
    QVERIFY(!parseCertificateLine({}));
    QVERIFY(!parseCertificateLine(sample(u"plain.txt"_s)));
    QByteArray other = sample(u"user.txt"_s);
    other.replace("ssh-ed25519-cert", "ssh-rsa-cert"); // the word outside says something else than the one inside
    QVERIFY(!parseCertificateLine(other));
}

void SshCertificateTest::aPatternOfStarsTakesNoTime()
{
    SshCertificate certificate;
    certificate.principals = {QString(u"*a"_s).repeated(4000) + u"b"_s};
    QVERIFY(!namesHost(certificate, QString(250, u'a')));
}

void SshCertificateTest::validityInWords_data()
{
    QTest::addColumn<QDateTime>("end");
    QTest::addColumn<QString>("words");
    QTest::newRow("hours") << utc(2026, 5, 1, 13, 20) << u"ends in 3 h"_s;
    QTest::newRow("minutes") << utc(2026, 5, 1, 10, 59) << u"ends in 59 min"_s;
    QTest::newRow("at once") << utc(2026, 5, 1, 10, 0).addSecs(10) << u"ends in less than a minute"_s;
    QTest::newRow("two days less a minute") << utc(2026, 5, 3, 9, 59) << u"ends in 47 h"_s;
    QTest::newRow("days") << utc(2026, 5, 11, 12) << u"ends in 10 days"_s;
    QTest::newRow("now") << utc(2026, 5, 1, 10) << u"expired less than a minute ago (2026-05-01 10:00 UTC)"_s;
    QTest::newRow("over") << utc(2026, 4, 28, 9) << u"expired 3 days ago (2026-04-28 09:00 UTC)"_s;
}

void SshCertificateTest::validityInWords()
{
    QFETCH(QDateTime, end);
    QTEST(validityText(validUntil(end), utc(2026, 5, 1, 10)), "words");
}

void SshCertificateTest::notYetValid()
{
    SshCertificate certificate = validUntil(utc(2026, 5, 3));
    certificate.validFrom = utc(2026, 5, 2);
    QCOMPARE(certificate.stateAt(utc(2026, 5, 1)), SshCertificate::State::NotYet);
    QCOMPARE(validityText(certificate, utc(2026, 5, 1)), u"not valid before 2026-05-02 00:00 UTC"_s);
    QCOMPARE(certificate.stateAt(utc(2026, 5, 2)), SshCertificate::State::Valid);
    QCOMPARE(certificate.stateAt(utc(2026, 5, 3)), SshCertificate::State::Expired);
}

void SshCertificateTest::lockedKeys()
{
    const QByteArray magic("openssh-key-v1\0", 15);
    const auto file = [&](const QByteArray& cipher) -> QByteArray {
        const QByteArray blob = magic + QByteArray("\0\0\0", 3) + char(cipher.size()) + cipher + "rest";
        return "-----BEGIN OPENSSH PRIVATE KEY-----\n" + blob.toBase64() + "\n-----END OPENSSH PRIVATE KEY-----\n";
    };
    QVERIFY(isEncryptedKey(file("aes256-ctr")));
    QVERIFY(!isEncryptedKey(file("none")));
    QVERIFY(isEncryptedKey("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"));
    QVERIFY(isEncryptedKey("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    QVERIFY(!isEncryptedKey("-----BEGIN RSA PRIVATE KEY-----\nMIIE"));
    QVERIFY(!isEncryptedKey({}));
}

void SshCertificateTest::publicKeyLines()
{
    QCOMPARE(publicKeyType(sample(u"plain.txt"_s)), u"ssh-ed25519"_s);
    QCOMPARE(publicKeyType("ssh-rsa " + sample(u"plain.txt"_s).split(' ').value(1)), QString());
    QCOMPARE(publicKeyType("ssh-ed25519 AAAA"), QString());
    QCOMPARE(publicKeyType({}), QString());
}

void SshCertificateTest::passphrases()
{
    QVERIFY(passphraseObjection("correct horse", "correct horse").isEmpty());
    QVERIFY(passphraseObjection("correct horse", "correct hose").contains(u"differ"_s));
    QVERIFY(passphraseObjection("seven77", "seven77").contains(u"8 characters"_s));
    QVERIFY(!passphraseObjection("ääää", "ääää").isEmpty()); // eight bytes, four characters
    QVERIFY(!passphraseObjection("", "").isEmpty());
    const QByteArray longest(2000, 'x');
    QVERIFY(!passphraseObjection(longest.constData(), longest.constData()).isEmpty());
}

RANKWRIGHT_TEST_MAIN(SshCertificateTest)
#include "tst_sshcertificate.moc"
