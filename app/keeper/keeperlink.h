// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/keeperframe.h"
#include "app/keeper/keeperplace.h"
#include "models/cluster/remote/clusterlink.h"
#include "ssh/sshendpoint.h"
#include "ssh/sshposix.h"

#include <functional>

namespace rankwright {

/// A ClusterLink over the connection that the agent of this user holds: the first program that needs it logs in through
/// the agent and is asked what there is to ask, the others find it open. Where no agent answers before anything was
/// asked of it, a connection of one's own is opened instead; afterwards never, so that no command runs twice: an agent
/// that dies ends what runs over it with Fault::Offline. Lives on the GUI thread; never blocks.
class KeeperLink final : public ClusterLink {
    Q_OBJECT
public:
    /// How to get a connection.
    struct Ways {
        KeeperPlace place; ///< where an agent would be
        /// Starts an agent where none runs; the answer: it was begun. Empty: none is started.
        std::function<bool()> startAgent = {};
        /// Opens a connection of this program's own if no agent answers. Empty: an agent is required.
        std::function<std::unique_ptr<ClusterLink>()> own = {};
    };
    /// Time limits in milliseconds; tests shorten them.
    struct Patience {
        int greetingMs = 5000; ///< an agent that runs answers at once
        int startMs = 10000; ///< one that was just started
        int pingMs = 5000;
        int silentPings = 6; ///< pings without an answer after which the agent counts as dead
    };

    KeeperLink(const SshEndpoint& endpoint, Ways ways, QObject* parent = nullptr);
    ~KeeperLink() override;

    /// Before open().
    void setPatience(const Patience& patience);

    LinkState state() const override;
    std::optional<Error> lastError() const override;
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override;
    std::unique_ptr<RemoteProcess> launchDial(const QString& host, int port) override;

    using ClusterLink::open;
    void open(Attendance attendance) override;
    bool loginTookPerson() const override;
    /// Lets the agent's connection go, with all commands that were started here: others go on using it.
    void close() override;
    void probe() override;
    void answer(quint64 promptId, const PromptAnswer& answer) override;
    std::optional<LinkTraffic> traffic() const override;
    QString way() const override;

    /// Over the agent, as far as is known; false: a connection of one's own.
    bool isShared() const;
    /// Why no agent is used although one was looked for; empty: there is none, or it is used.
    std::optional<Error> whyOwn() const;

private:
    void seek();
    void greetAgent(Descriptor socket);
    void handleFrame(const KeeperFrame& frame);
    void handleFirstFrame(const KeeperFrame& frame);
    void handleState(const KeeperFrame& frame);
    void pingAgent();
    void loseConnection(const Error& why);
    void closeLink(LinkState state, const std::optional<Error>& why);
    void useOwn(const std::optional<Error>& why);
    void dropOwn();
    void closeSocket();
    void endAll(const Error& error);
    void change(LinkState state);

    struct Private;
    std::unique_ptr<Private> d;
};

/// The endpoint as another process of the same user understands it: paths absolute, the key agent named.
SshEndpoint portableEndpoint(const SshEndpoint& endpoint);

} // namespace rankwright
