// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/sshcertificate.h"

#include <optional>

namespace rankwright::inline cluster {

/// A key of the user as its files show it, without its passphrase.
struct KeyFile {
    QString path; ///< of the private half
    QString type; ///< "ssh-ed25519"; empty: the public half is missing
    QByteArray publicLine; ///< what is pasted into a site's page; empty: as above
    bool readByOthers = false; ///< its mode lets others read it
    bool isEncrypted = false; ///< it has a passphrase; false also where the format does not say
    std::optional<SshCertificate> certificate;
    bool operator==(const KeyFile&) const = default;

    /// Made on a security key: signing wants a touch, and goes through the agent alone.
    bool isOnToken() const { return type.startsWith(QStringLiteral("sk-")); }
};

/// What can be said of a private key's text: does a passphrase lock it? OpenSSH's own format (PROTOCOL.key) and PEM.
bool isEncryptedKey(const QByteArray& text);
/// "TYPE BASE64 comment": the type and the line where it is one whole public key, else empty.
QString publicKeyType(const QByteArray& line);

/// Why a passphrase is not taken: too short, or the two differ. Empty: it is good. UTF-8, shorter than 1 KiB.
QString passphraseObjection(const char* typed, const char* again);

} // namespace rankwright::inline cluster
