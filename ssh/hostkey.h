// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"
#include "ssh/sshhandles.h"

#include <QList>

namespace rankwright {

/// The key with which a server introduced itself.
struct PresentedKey {
    QString type; ///< "ssh-ed25519"
    QString fingerprint; ///< "SHA256:..."
    QByteArray base64; ///< as known_hosts writes it
    bool operator==(const PresentedKey&) const = default;
};

/// A line of a known_hosts file that is about one host.
struct KnownKey {
    QString file;
    int line = 0; ///< from 1
    QString type;
    QString fingerprint;
    bool revoked = false; ///< "@revoked": this key must never be accepted
    bool authority = false; ///< "@cert-authority": the key of an authority that signs host certificates
    bool operator==(const KnownKey&) const = default;
};

/// What to do about a presented key: go on, ask the user, write it down and go on, or stop. No answer
/// accepts a changed key.
struct HostKeyVerdict {
    enum class Kind { Trusted, Ask, Remember, Refused };
    Kind kind = Kind::Refused;
    Error refusal; ///< why, with both keys and how to remove the old line
};

Result<PresentedKey> presentedKey(ssh_session session);

/// Files in which a host of this endpoint may stand: the one that accepted keys are written to, the user's further
/// ones, the system's.
QStringList knownHostsFiles(const SshEndpoint& endpoint);

/// All lines about `name` ("host" or "[host]:port", hashed lines too). Read line by line: libssh's own look-up gives up
/// on the whole file at the first line that it cannot read, and then calls a known host unknown.
QList<KnownKey> knownKeys(const QStringList& files, const QString& name);

/// Why the key must not be accepted: RevokedHostKeys names it, or that file cannot be read (as with the OpenSSH
/// client). Plain files of public keys are read here, a KRL by ssh-keygen, which blocks for some 10 ms. Empty: nothing
/// against it.
std::optional<Error> revokedBy(const PresentedKey& presented, const SshEndpoint& endpoint);

/// Pure. Known keys decide; for a host that is not known, a key that differs from the published ones is refused, and
/// any other is asked about. A key that the user has on record is trusted even when the catalogue's list is older.
/// For one that is on no record the endpoint says whether to ask, to accept, or to refuse.
HostKeyVerdict verifyHostKey(const PresentedKey& presented, const QList<KnownKey>& known, const SshEndpoint& endpoint);

/// Host key algorithms in the order to ask for: those of known keys first, so that a server with several keys shows
/// the one on record. Empty when nothing is known: the library's order.
QByteArray preferredAlgorithms(const QList<KnownKey>& known);

enum class HostNameForm { Plain, Hashed };

/// Appends a line for the key; a new file gets mode 0600, a new folder 0700. The file is replaced as a whole (what a
/// symbolic link names, with its mode), so that it is never seen half written. A hashed
/// name is written as its HMAC-SHA1 with a random salt, as OpenSSH's HashKnownHosts does.
Result<void> rememberHostKey(
    const QString& file, const QString& name, const PresentedKey& key, HostNameForm form = HostNameForm::Plain);
/// "|1|SALT|HASH" of a name (OpenSSH, host_hash()).
QByteArray hashedHostName(const QString& name, const QByteArray& salt);

} // namespace rankwright
