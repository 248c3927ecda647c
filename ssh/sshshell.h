// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/clusterlink.h"
#include "ssh/sshendpoint.h"
#include "ssh/sshtuning.h"

#include <memory>

namespace rankwright {

class SshLoop;

/// A ClusterLink over SSH. Lives on the GUI thread; all libssh work is done by its SshLoop thread. close() ends at
/// once, even when the thread hangs in a name lookup.
class SshShell final : public ClusterLink {
    Q_OBJECT
public:
    explicit SshShell(SshEndpoint endpoint, QObject* parent = nullptr);
    ~SshShell() override;

    LinkState state() const override;
    std::optional<Error> lastError() const override;
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override;
    std::unique_ptr<RemoteProcess> launchDial(const QString& host, int port) override;

    using ClusterLink::open;
    void open(Attendance attendance) override;
    bool loginTookPerson() const override;
    void close() override;
    void probe() override;
    void answer(quint64 promptId, const PromptAnswer& answer) override;
    std::optional<LinkTraffic> traffic() const override;
    std::unique_ptr<RemoteProcess> launchPlain(const PlainSession& session) override;
    const SshEndpoint& endpoint() const;
    /// Before open(): waits and limits other than the defaults.
    void setTuning(const SshTuning& tuning);

private:
    void handleNotices(SshLoop* loop, quint64 epoch);
    void changeLink(LinkState state, const Error& why);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankwright
