// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/loginprompt.h"
#include "models/remote/remoteshell.h"
#include "ssh/sshendpoint.h"
#include "ssh/sshtuning.h"

#include <memory>

namespace rankwright {

class SshLoop;

/// The port over one SSH connection. Lives on the GUI thread; all libssh work is done by its SshLoop thread. open()
/// starts connecting, prompts come as signals and are answered by answer(); close() ends at once, even when the thread
/// hangs in a name lookup. Does not reconnect: that is the session's decision (RetryPolicy).
class SshShell final : public RemoteShell {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SshShell)
public:
    explicit SshShell(SshEndpoint endpoint, QObject* parent = nullptr);
    ~SshShell() override;

    LinkState state() const override;
    Error lastError() const override;
    std::unique_ptr<RemoteProcess> start(const RemoteCommand& command) override;

    void open();
    void close();
    void answer(quint64 promptId, const PromptAnswer& answer);
    const SshEndpoint& endpoint() const;
    /// Before open(): waits and limits other than the defaults.
    void setTuning(const SshTuning& tuning);

    struct Traffic {
        qint64 bytesIn = 0;
        qint64 bytesOut = 0;
        qint64 commands = 0;
        int openChannels = 0;
        std::optional<double> roundTripMs; ///< of the last keep-alive on an idle link, else of opening a channel
    };
    Traffic traffic() const;

signals:
    void promptRaised(const rankwright::LoginPrompt& prompt);

private:
    void handleNotices(SshLoop* loop, quint64 epoch);
    void changeLink(LinkState state, const Error& why);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankwright
