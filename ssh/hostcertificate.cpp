// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/hostcertificate.h"

#include "models/core/harmlesstext.h"

#include <QCryptographicHash>
#include <QProcess>
#include <QTemporaryFile>

#include <algorithm>

#include <netdb.h>
#include <sys/socket.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

struct Peer {
    QString address;
    int port = 0;
};

/// Of a TCP connection; empty: the way leads through a jump host.
std::optional<Peer> peerOf(int socket)
{
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    char host[NI_MAXHOST];
    char service[NI_MAXSERV];
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0
        || (address.ss_family != AF_INET && address.ss_family != AF_INET6)
        || ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, service, sizeof service,
               NI_NUMERICHOST | NI_NUMERICSERV)
            != 0)
        return std::nullopt;
    return Peer{QString::fromLatin1(host), QByteArray(service).toInt()};
}

QString keyscanType(const QString& type)
{
    if (type == u"ssh-rsa")
        return u"rsa"_s;
    return type.startsWith(u"ecdsa-sha2-"_s) ? u"ecdsa"_s : u"ed25519"_s;
}

QString fingerprintOf(const QByteArray& blob)
{
    return u"SHA256:"_s
        + QString::fromLatin1(QCryptographicHash::hash(blob, QCryptographicHash::Sha256)
                                  .toBase64(QByteArray::Base64Encoding | QByteArray::OmitTrailingEquals));
}

/// "TYPE BASE64" lines of what ssh-keyscan prints: of certificates these words alone, of keys the host before them.
QByteArrayList scannedLines(const QByteArray& printed)
{
    QByteArrayList lines;
    for (const QByteArray& line : printed.split('\n')) {
        const QByteArrayList words = line.simplified().split(' ');
        const bool isAlone = words.size() == 2;
        if ((isAlone || words.size() >= 3) && !line.startsWith('#'))
            lines << words.at(isAlone ? 0 : 1) + ' ' + words.at(isAlone ? 1 : 2);
    }
    return lines;
}

AuthorityVerdict silent(const QString& why) { return {AuthorityVerdict::Kind::Silent, why}; }
AuthorityVerdict refusal(const QString& why) { return {AuthorityVerdict::Kind::Refused, why}; }

} // namespace

bool hasAuthority(const QList<KnownKey>& known)
{
    return std::any_of(known.cbegin(), known.cend(), [](const KnownKey& key) { return key.authority; });
}

AuthorityVerdict verifyCertificate(const SshCertificate& certificate, const PresentedKey& presented,
    const QList<KnownKey>& known, const QString& host, const QDateTime& now)
{
    const QString signer = fingerprintOf(certificate.authority);
    bool isTrusted = false;
    for (const KnownKey& key : known) {
        if (key.revoked && key.fingerprint == signer)
            return refusal(u"The authority %1 that signed its certificate is marked as revoked."_s.arg(signer));
        isTrusted = isTrusted || (key.authority && key.fingerprint == signer);
    }
    if (!isTrusted)
        return silent(u"Its certificate is signed by %1, which is not an authority on record."_s.arg(signer));
    if (certificate.publicKey != QByteArray::fromBase64(presented.base64))
        return silent(u"Its certificate is for another key than the one it shows here."_s);
    if (certificate.kind != SshCertificate::Kind::Host)
        return refusal(u"Its certificate is one for users, not for hosts."_s);
    if (certificate.stateAt(now) != SshCertificate::State::Valid)
        return refusal(u"Its certificate “%1” does not hold: %2."_s.arg(
            harmlessLine(certificate.keyId, 100), validityText(certificate, now)));
    if (!namesHost(certificate, host))
        return refusal(
            u"Its certificate “%1” is not for %2 but for: %3."_s.arg(harmlessLine(certificate.keyId, 100), host,
                certificate.principals.isEmpty() ? u"no host by name"_s
                                                 : harmlessLine(certificate.principals.mid(0, 8).join(u", "_s), 300)));
    if (!certificate.criticalOptions.isEmpty())
        return refusal(u"Its certificate has an option that is not understood: %1."_s.arg(
            harmlessLine(certificate.criticalOptions.join(u", "_s), 200)));
    return {AuthorityVerdict::Kind::Proven, {}};
}

bool hasValidSignature(const QByteArray& line)
{
    QTemporaryFile file;
    if (!file.open() || file.write(line + '\n') < 0 || !file.flush())
        return false;
    QProcess keygen;
    keygen.start(u"ssh-keygen"_s, {u"-L"_s, u"-f"_s, file.fileName()}, QIODevice::ReadOnly);
    return keygen.waitForFinished(5000) && keygen.exitStatus() == QProcess::NormalExit && keygen.exitCode() == 0
        && keygen.readAllStandardOutput().contains("Signing CA:");
}

AuthorityVerdict askAuthority(
    int socket, const PresentedKey& presented, const QList<KnownKey>& known, const SshEndpoint& endpoint)
{
    const auto peer = peerOf(socket);
    if (!peer)
        return silent(u"An @cert-authority is on record for it; certificates of hosts are not asked for through a jump "
                      u"host here."_s);
    QProcess scan;
    scan.start(u"ssh-keyscan"_s,
        {u"-c"_s, u"-T"_s, u"5"_s, u"-t"_s, keyscanType(presented.type), u"-p"_s, QString::number(peer->port),
            peer->address},
        QIODevice::ReadOnly);
    if (!scan.waitForFinished(7000)) {
        scan.kill();
        scan.waitForFinished(1000);
        return silent(u"An @cert-authority is on record for it; its certificate could not be fetched."_s);
    }
    AuthorityVerdict verdict = silent(u"An @cert-authority is on record for it, and it shows no certificate."_s);
    const QString name = endpoint.hostKeyAlias.isEmpty() ? endpoint.host : endpoint.hostKeyAlias;
    for (const QByteArray& line : scannedLines(scan.readAllStandardOutput())) {
        const auto certificate = parseCertificateLine(line);
        if (!certificate)
            continue;
        verdict = verifyCertificate(*certificate, presented, known, name, QDateTime::currentDateTimeUtc());
        if (verdict.kind == AuthorityVerdict::Kind::Proven && !hasValidSignature(line))
            verdict = refusal(u"The signature of its certificate does not hold."_s);
        if (verdict.kind != AuthorityVerdict::Kind::Silent)
            break;
    }
    return verdict;
}

} // namespace rankwright
