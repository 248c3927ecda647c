// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

#include <optional>

namespace rankwright {

/// What happens to a host that is on no record (ssh_config(5), StrictHostKeyChecking). None accepts a changed key.
enum class UnknownHosts { Ask, Refuse, AcceptNew };

/// Where and how to log in: a value, resolved before connecting.
struct SshEndpoint {
    QString host;
    int port = 22;
    QString user; ///< empty: the local user's name
    QStringList identities; ///< private key files in order; empty: agent, then OpenSSH's default names
    bool identitiesOnly = false; ///< do not offer the agent's other keys
    QString knownHosts; ///< file that accepted keys are written to; empty: ~/.ssh/known_hosts
    QStringList otherKnownHosts = {}; ///< the user's further files, read only
    std::optional<QStringList> systemKnownHosts = {}; ///< the system's files; empty: OpenSSH's default names
    QString revokedHostKeys = {}; ///< file of keys that must never be accepted, plain or KRL; empty: none
    UnknownHosts unknownHosts = UnknownHosts::Ask;
    bool hashKnownHosts = false; ///< names of hosts are written as hashes (ssh_config(5), HashKnownHosts)
    QStringList certificates = {}; ///< files of CertificateFile, for whichever identity they certify
    QString hostKeyAlias; ///< name under which known_hosts has the key; empty: the host
    QString agentSocket; ///< empty: $SSH_AUTH_SOCK; "none": no agent
    QStringList published; ///< fingerprints shipped with the catalogue ("SHA256:...")
    QList<SshEndpoint> jumps; ///< hops before this one, in order
    QString controlPath = {}; ///< of ssh_config(5), tokens expanded: where a ControlMaster would listen; empty: none
    bool controlMasterAsks = false; ///< a person is asked for each use of it (ControlMaster ask, autoask)
    bool operator==(const SshEndpoint&) const = default;
    QString label() const; ///< "ada@127.0.0.1:2222", port left out when 22
    QString keyName() const; ///< as known_hosts spells it: "host", "[host]:2222", or the alias
};

/// What a user may have written of a host: alias or name, and options that win over the configuration.
struct SshRequest {
    QString host;
    QString alias = {}; ///< short name that the configuration may have for `host`, or for another host of its domain
    std::optional<int> port;
    QString user;
    QStringList identities;
    QString knownHosts;
    QString defaultJump; ///< used where neither `jump` nor the configuration of ~/.ssh says how to get there
    QString jump; ///< "[user@]host[:port]", several separated by commas; "none"
    QString configFile; ///< empty: ~/.ssh/config
    QStringList published; ///< fingerprints of `host`
    QStringList publishedForJump; ///< fingerprints of the jump host that the catalogue names
    QString publishedJump; ///< that host; the fingerprints are for no other
};

/// Fills an endpoint from OpenSSH's configuration (`ssh -G`, when the client is installed; else only the request
/// counts). Jumps are resolved the same way, each with its own jumps before it, so the list is complete and flat.
/// Blocks for the client's run (some 10 ms, at most 5 s): call it off the GUI thread, or before the window.
Result<SshEndpoint> resolveEndpoint(const SshRequest& request);

/// One "[user@]host[:port]" or "ssh://[user@]host[:port]" of a jump list; IPv6 addresses in brackets.
std::optional<SshRequest> parseJump(const QString& text);
/// What `ssh -G` printed, as an endpoint without jumps; `jumps` receives the proxyjump value ("" when none), or the
/// host of a "ssh -W" proxy command, its old spelling.
Result<SshEndpoint> parseResolved(const QByteArray& printed, QString* jumps);

} // namespace rankwright
