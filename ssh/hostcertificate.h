// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/hostkey.h"

#include "models/cluster/login/sshcertificate.h"

#include <QDateTime>

namespace rankwright {

// Hosts that an "@cert-authority" line of known_hosts vouches for. libssh 0.10 negotiates no host certificates, so the
// host's certificate is fetched beside the session, by OpenSSH's ssh-keyscan: it needs no trust, for its signature is
// checked, and it proves the very key that the session's key exchange has shown.

/// What an authority's word is worth for a key. Proven: go on. Silent: none could be seen, `why` says why; the plain
/// key decides then, as with the OpenSSH client. Refused: one was shown that does not hold.
struct AuthorityVerdict {
    enum class Kind { Proven, Silent, Refused };
    Kind kind = Kind::Silent;
    QString why; ///< one sentence
    bool operator==(const AuthorityVerdict&) const = default;
};

/// Pure. `known` are all lines about the host. Whether the signature holds is not checked.
AuthorityVerdict verifyCertificate(const SshCertificate& certificate, const PresentedKey& presented,
    const QList<KnownKey>& known, const QString& host, const QDateTime& now);

/// ssh-keygen(1), -L, verifies the signature while it reads; false: it does not hold, or the program is missing.
bool hasValidSignature(const QByteArray& line);

/// Fetches the certificate that the host behind a connected socket has for its key, and evaluates it. Blocks for some
/// 100 ms, at most 12 s.
AuthorityVerdict askAuthority(
    int socket, const PresentedKey& presented, const QList<KnownKey>& known, const SshEndpoint& endpoint);

/// Is any line an "@cert-authority"?
bool hasAuthority(const QList<KnownKey>& known);

} // namespace rankwright
