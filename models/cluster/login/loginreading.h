// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/login/keyfile.h"
#include "models/cluster/login/loginsteps.h"
#include "models/core/error.h"

namespace rankwright::inline cluster {

/// What can be seen of a host without logging in.
struct HostScouting {
    /// NotSeen: it came to no key exchange. Known: on record. Published: new, and one of the operator's. New: nothing
    /// is on record or published. Refused: see `refusal`.
    enum class KeyVerdict { NotSeen, Known, Published, New, Refused };
    QString host;
    int port = 22;
    bool isGateway = false; ///< it is the first jump host, not the cluster
    QStringList addresses;
    QString nameFailure; ///< the system's words; empty: the name was found
    bool answered = false; ///< a connection was accepted
    QString portFailure;
    QString software; ///< "SSH-2.0-OpenSSH_9.2"; empty: it did not speak SSH
    QString failure; ///< why the key exchange or the question for methods failed; empty: it did not
    KeyVerdict verdict = KeyVerdict::NotSeen;
    QString keyType;
    QString fingerprint;
    Error refusal;
    QStringList methods; ///< "publickey", "keyboard-interactive"; of the first round
    QString banner; ///< made harmless
    bool operator==(const HostScouting&) const = default;
};

// Each of these turns what one test saw into its light. Pure.

/// `agentKeys`: how many keys the agent shows; empty: there is none.
StepOutcome readKeys(
    const QList<KeyFile>& keys, std::optional<int> agentKeys, const LoginRule& login, const QDateTime& now);
StepOutcome readName(const HostScouting& seen);
StepOutcome readPort(const HostScouting& seen);
StepOutcome readHostKey(const HostScouting& seen);
enum class OwnKeys { None, Some }; ///< whether a login by key can be tried: key files, or keys of the agent
StepOutcome readMethods(const HostScouting& seen, OwnKeys keys);
/// Of a login that was refused or broke off.
StepOutcome readLoginFailure(const Error& why, const LoginRule& login);
StepOutcome loginWorked(const QString& user, const QString& host);
/// What an error at the door says of the steps before it: a refused host key is the host key's failure.
LoginStepKind stepOf(const Error& why);

} // namespace rankwright::inline cluster
