// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <atomic>
#include <functional>
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
    /// What the agent waits for while it signs: nothing, the touch of a security key, or an answer to a question that
    /// it may have put on the screen.
    enum class Waits { Nothing, Touch, Question };
    /// Called on the filter's thread; must not call back.
    using Watcher = std::function<void(Waits waits)>;

    /// Connects to the agent at `socketPath`; empty when there is none. `allowed` are public key blobs; empty list:
    /// all of them.
    static std::unique_ptr<AgentFilter> open(
        const QString& socketPath, const std::optional<QList<QByteArray>>& allowed, Watcher watcher = {});
    ~AgentFilter();

    /// How many keys the agent has listed, allowed or not; empty: it was not asked yet. An agent that is locked lists
    /// none, like an empty one.
    std::optional<int> listed() const { return m_listed.load(); }
    /// It was asked to sign and did not: locked meanwhile, declined, or not touched in time.
    bool hasRefused() const { return m_refused; }

    /// The descriptor to give to libssh, which closes it.
    int takeClientEnd() { return m_client.release(); }
    /// From now on every key of the agent is shown.
    void allowAll() { m_allowAll = true; }

    /// Asks the agent at `socketPath` for its keys; empty: there is none, or it does not answer within 3 s.
    static std::optional<int> countKeys(const QString& socketPath);

    /// Pure: an answer to "list identities" without the keys that are not allowed; anything else as it came. Empty
    /// for an answer that does not parse.
    static std::optional<QByteArray> filtered(const QByteArray& answer, const QList<QByteArray>& allowed);

private:
    AgentFilter(Descriptor agent, Descriptor client, Descriptor inner, const std::optional<QList<QByteArray>>& allowed,
        Watcher watcher);
    void serve();
    QByteArray answerOf(const QByteArray& request);

    Descriptor m_agent;
    Descriptor m_client;
    Descriptor m_inner;
    QList<QByteArray> m_allowed;
    const Watcher m_watcher;
    std::atomic<bool> m_allowAll = false;
    std::atomic<std::optional<int>> m_listed{};
    std::atomic<bool> m_refused = false;
    std::thread m_thread;
};

} // namespace rankwright
