// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"
#include "ssh/sshhandles.h"

#include "models/core/secret.h"

#include <QDateTime>

#include <optional>

namespace rankwright {

/// A key file of the user: what can be known without its passphrase. The private part is read on demand and let go at
/// once after signing.
struct SshIdentity {
    QString path;
    SshKeyHandle publicKey; ///< from "path.pub" or the file's own public part; empty when only decrypting shows it
    SshKeyHandle certificate; ///< from "path-cert.pub"
};

/// Files to try, in order: the endpoint's, else those of OpenSSH's default names that exist.
QStringList identityFiles(const SshEndpoint& endpoint);
SshIdentity readIdentity(const QString& path);

struct PrivateKey {
    enum class Problem { None, NeedsPassphrase, Unreadable };
    SshKeyHandle key;
    Problem problem = Problem::None;
};
/// With a passphrase, NeedsPassphrase means that it was wrong (or that the file is damaged: libssh does not say).
PrivateKey readPrivateKey(const SshIdentity& identity, const std::optional<Secret>& passphrase);

/// Until when a certificate file ("KEY-cert.pub") is valid (OpenSSH's PROTOCOL.certkeys); empty: there is none, it
/// cannot be read, or it is valid for ever.
std::optional<QDateTime> certificateEnd(const QString& file);

} // namespace rankwright
