// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"
#include "ssh/sshhandles.h"

#include "models/cluster/login/sshcertificate.h"
#include "models/core/secret.h"

#include <optional>

namespace rankwright {

/// A key file of the user: what can be known without its passphrase. The private part is read on demand and dropped at
/// once after signing.
struct SshIdentity {
    QString path;
    SshKeyHandle publicKey; ///< from "path.pub" or the file's own public part; empty when only decrypting shows it
    SshKeyHandle certificate; ///< from `certificateFile`
    QString certificateFile; ///< of CertificateFile where one certifies this key, else "path-cert.pub"; empty: none
    std::optional<SshCertificate> certified; ///< what that file says
    /// Made on a security key: libssh signs with it through the agent alone.
    bool isOnToken() const;
};

/// Files to try, in order: the endpoint's, else those of OpenSSH's default names that exist.
QStringList identityFiles(const SshEndpoint& endpoint);
/// `certificates`: files among which one may certify this key.
SshIdentity readIdentity(const QString& path, const QStringList& certificates = {});
/// The default security keys ("id_ed25519_sk") that are there: they log in through the agent alone.
QStringList tokenKeyFiles();

struct PrivateKey {
    enum class Problem { None, NeedsPassphrase, Unreadable };
    SshKeyHandle key;
    Problem problem = Problem::None;
};
/// With a passphrase, NeedsPassphrase means that it was wrong (or that the file is damaged: libssh does not say).
PrivateKey readPrivateKey(const SshIdentity& identity, const std::optional<Secret>& passphrase);

/// What a certificate file ("KEY-cert.pub") says; empty: there is none, or it cannot be read.
std::optional<SshCertificate> readCertificateFile(const QString& file);

} // namespace rankwright
