// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace rankwright {

/// Is between libssh and the user's key agent and lets it see only some of the agent's keys. libssh 0.10 offers
/// all of them, in the agent's order: that breaks IdentitiesOnly, and servers hang up after six offers (sshd_config,
/// MaxAuthTries). Owns a thread that copies messages; never looks at what is signed. Ends with its owner.
class AgentFilter {
    Q_DISABLE_COPY_MOVE(AgentFilter)
public:
    /// Connects to the agent at `socketPath`; empty when there is none. `allowed` are public key blobs.
    static std::unique_ptr<AgentFilter> open(const QString& socketPath, const QList<QByteArray>& allowed);
    ~AgentFilter();

    /// The descriptor to give to libssh, which closes it.
    int takeClientEnd() { return m_client.release(); }
    /// From now on every key of the agent is shown.
    void allowAll() { m_allowAll = true; }

    /// Pure: an answer to "list identities" without the keys that are not allowed; anything else as it came. Empty
    /// for an answer that does not parse.
    static std::optional<QByteArray> filtered(const QByteArray& answer, const QList<QByteArray>& allowed);

private:
    AgentFilter(Descriptor agent, Descriptor client, Descriptor inner, QList<QByteArray> allowed);
    void serve() const;

    Descriptor m_agent;
    Descriptor m_client;
    Descriptor m_inner;
    QList<QByteArray> m_allowed;
    std::atomic<bool> m_allowAll = false;
    std::thread m_thread;
};

} // namespace rankwright
