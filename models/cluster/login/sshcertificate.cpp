// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/sshcertificate.h"

#include "models/core/quantitytext.h"

#include <QtEndian>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

constexpr qsizetype mostBytes = 256 * 1024; // OpenSSH's own limit of a packet
constexpr qsizetype mostNames = 256; // OpenSSH, SSHKEY_CERT_MAX_PRINCIPALS
constexpr quint64 farAway = 253402300799ULL; // the year 9999: what comes later never ends

/// Takes numbers and length-prefixed texts off the front; after the first that is cut nothing is taken any more.
class Wire {
public:
    explicit Wire(const QByteArray& bytes) : m_bytes(bytes) { }
    bool isGood() const { return m_good; }
    bool isAtEnd() const { return m_at == m_bytes.size(); }
    qsizetype place() const { return m_at; }

    quint64 number(int bytes)
    {
        if (!m_good || m_bytes.size() - m_at < bytes) {
            m_good = false;
            return 0;
        }
        quint64 value = 0;
        for (int i = 0; i < bytes; ++i)
            value = (value << 8) | quint8(m_bytes.at(m_at++));
        return value;
    }
    QByteArray text()
    {
        const auto length = qsizetype(number(4));
        if (!m_good || length > m_bytes.size() - m_at) {
            m_good = false;
            return {};
        }
        const QByteArray value = m_bytes.mid(m_at, length);
        m_at += length;
        return value;
    }

private:
    QByteArray m_bytes;
    qsizetype m_at = 0;
    bool m_good = true;
};

struct Form {
    QByteArrayView certified; ///< the certificate's type
    QByteArrayView plain; ///< that of the key in it
    int parts; ///< length-prefixed values of that key
};

constexpr Form forms[] = {
    {"ssh-rsa-cert-v01@openssh.com", "ssh-rsa", 2},
    {"ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519", 1},
    {"ecdsa-sha2-nistp256-cert-v01@openssh.com", "ecdsa-sha2-nistp256", 2},
    {"ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp384", 2},
    {"ecdsa-sha2-nistp521-cert-v01@openssh.com", "ecdsa-sha2-nistp521", 2},
    {"sk-ssh-ed25519-cert-v01@openssh.com", "sk-ssh-ed25519@openssh.com", 2},
    {"sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com", 3},
};

QByteArray lengthPrefixed(QByteArrayView text)
{
    QByteArray bytes(4, Qt::Uninitialized);
    qToBigEndian(quint32(text.size()), bytes.data());
    return bytes + text;
}

std::optional<QDateTime> moment(quint64 seconds)
{
    return QDateTime::fromSecsSinceEpoch(qint64(qMin(seconds, farAway)), Qt::UTC);
}

/// The names in a list that is a text itself; with `pairs`, each is followed by a value. False: it is malformed.
bool readNames(const QByteArray& list, bool pairs, QStringList& names)
{
    Wire wire(list);
    while (wire.isGood() && !wire.isAtEnd()) {
        if (names.size() >= mostNames)
            return false;
        const QByteArray name = wire.text();
        if (pairs)
            wire.text();
        if (wire.isGood())
            names << QString::fromUtf8(name);
    }
    return wire.isGood();
}

/// The largest unit that is whole: "3 h", "2 days".
QString spanText(qint64 seconds)
{
    if (seconds < 60)
        return u"less than a minute"_s;
    if (seconds < 3600)
        return u"%1 min"_s.arg(seconds / 60);
    if (seconds < 48 * 3600)
        return u"%1 h"_s.arg(seconds / 3600);
    return counted(seconds / 86400, u"day"_s);
}

/// "*" stands for any text and "?" for one character; in time of the product of both lengths.
bool matches(QStringView pattern, QStringView text)
{
    qsizetype at = 0;
    qsizetype in = 0;
    qsizetype star = -1;
    qsizetype retry = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern.at(in) == u'*') {
            star = in++;
            retry = at;
        } else if (in < pattern.size() && (pattern.at(in) == u'?' || pattern.at(in) == text.at(at))) {
            ++in;
            ++at;
        } else if (star >= 0) {
            in = star + 1;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (in < pattern.size() && pattern.at(in) == u'*')
        ++in;
    return in == pattern.size();
}

QString momentText(const QDateTime& time) { return time.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'"_s); }

} // namespace

SshCertificate::State SshCertificate::stateAt(const QDateTime& now) const
{
    if (validFrom && now < *validFrom)
        return State::NotYet;
    return validUntil && now >= *validUntil ? State::Expired : State::Valid;
}

std::optional<SshCertificate> parseCertificate(const QByteArray& blob)
{
    if (blob.size() > mostBytes)
        return std::nullopt;
    Wire wire(blob);
    const QByteArray type = wire.text();
    const Form* form = nullptr;
    for (const Form& each : forms) {
        if (each.certified == type)
            form = &each;
    }
    if (!form)
        return std::nullopt;
    wire.text(); // nonce
    const qsizetype keyStart = wire.place();
    for (int i = 0; i < form->parts; ++i)
        wire.text();
    SshCertificate certificate;
    certificate.type = QString::fromLatin1(type);
    certificate.publicKey = lengthPrefixed(form->plain) + blob.mid(keyStart, wire.place() - keyStart);
    certificate.serial = wire.number(8);
    const quint64 kind = wire.number(4);
    certificate.keyId = QString::fromUtf8(wire.text());
    const QByteArray principals = wire.text();
    const quint64 from = wire.number(8);
    const quint64 until = wire.number(8);
    const QByteArray critical = wire.text();
    wire.text(); // extensions
    wire.text(); // reserved
    certificate.authority = wire.text();
    wire.text(); // signature
    const bool isWhole = wire.isGood() && wire.isAtEnd() && (kind == 1 || kind == 2);
    if (!isWhole || !readNames(principals, false, certificate.principals)
        || !readNames(critical, true, certificate.criticalOptions))
        return std::nullopt;
    certificate.kind = kind == 1 ? SshCertificate::Kind::User : SshCertificate::Kind::Host;
    if (from > 0)
        certificate.validFrom = moment(from);
    if (until <= farAway)
        certificate.validUntil = moment(until);
    return certificate;
}

std::optional<SshCertificate> parseCertificateLine(const QByteArray& line)
{
    const QByteArrayList words = line.left(2 * mostBytes).simplified().split(' ');
    const auto blob = QByteArray::fromBase64Encoding(words.value(1), QByteArray::AbortOnBase64DecodingErrors);
    if (!blob)
        return std::nullopt;
    auto certificate = parseCertificate(*blob);
    return certificate && certificate->type == QString::fromLatin1(words.first()) ? certificate : std::nullopt;
}

QString validityText(const SshCertificate& certificate, const QDateTime& now)
{
    switch (certificate.stateAt(now)) {
    case SshCertificate::State::NotYet: return u"not valid before "_s + momentText(*certificate.validFrom);
    case SshCertificate::State::Expired:
        return u"expired %1 ago (%2)"_s.arg(
            spanText(certificate.validUntil->secsTo(now)), momentText(*certificate.validUntil));
    case SshCertificate::State::Valid: break;
    }
    return certificate.validUntil ? u"ends in "_s + spanText(now.secsTo(*certificate.validUntil)) : u"valid for ever"_s;
}

bool namesHost(const SshCertificate& certificate, const QString& host)
{
    for (const QString& principal : certificate.principals) {
        if (matches(principal.toLower(), host.toLower()))
            return true;
    }
    return false;
}

} // namespace rankwright::inline cluster
