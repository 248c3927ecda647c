// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

/// What an OpenSSH certificate says (OpenSSH's PROTOCOL.certkeys). Read, not proven: whether its signature holds is for
/// whoever relies on it.
struct SshCertificate {
    enum class Kind { User, Host };
    enum class State { NotYet, Valid, Expired };
    QString type; ///< "ssh-ed25519-cert-v01@openssh.com"
    Kind kind = Kind::User;
    quint64 serial = 0;
    QString keyId;
    QStringList principals; ///< user or host names that it is for; empty: any
    std::optional<QDateTime> validFrom; ///< UTC; empty: no lower bound
    std::optional<QDateTime> validUntil; ///< UTC, exclusive; empty: no upper bound
    QStringList criticalOptions; ///< names; one that is not understood makes it invalid
    QByteArray publicKey; ///< the certified key, as the blob of a plain public key
    QByteArray authority; ///< blob of the key that signed it
    bool operator==(const SshCertificate&) const = default;

    State stateAt(const QDateTime& now) const;
};

/// Reads the wire format. Empty: no certificate, or one that is truncated or malformed.
std::optional<SshCertificate> parseCertificate(const QByteArray& blob);
/// Of a line "TYPE BASE64 [comment]", as KEY-cert.pub has it.
std::optional<SshCertificate> parseCertificateLine(const QByteArray& line);

/// "ends in 3 h", "expired 2 days ago (2026-05-01 10:00 UTC)", "not valid before 2026-05-01 10:00 UTC", "valid for
/// ever".
QString validityText(const SshCertificate& certificate, const QDateTime& now);
/// Does one of the principals name this host? Each may hold "*" and "?", as in OpenSSH's match_hostname(); none at all
/// names no host.
bool namesHost(const SshCertificate& certificate, const QString& host);

} // namespace rankwright::inline cluster
