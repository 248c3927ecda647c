// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/framesocket.h"
#include "models/cluster/remote/remoteshell.h"

#include <QHash>
#include <QPointer>

#include <deque>

namespace rankwright {

/// The caller's handle of one command that runs over the agent. Destroying it cancels the command. Input beyond the
/// window (keeperWindow) waits here, output that is not taken waits in the agent.
class KeeperProcess final : public RemoteProcess {
    Q_OBJECT
public:
    /// One connection to the agent and what runs over it; shared, so that neither must outlive the other.
    struct Channels {
        QPointer<FrameSocket> socket;
        QHash<quint32, KeeperProcess*> open;
        quint32 lastNumber = 0;
    };

    explicit KeeperProcess(std::shared_ptr<Channels> channels);
    ~KeeperProcess() override;

    void begin(const RemoteCommand& command);
    void dial(const QString& host, int port);
    /// Finishes with an error, from the event loop: the caller has yet to connect.
    void failLater(const Error& error);

    void write(const QByteArray& input) override;
    void closeInput() override;
    void hold(bool held) override;
    void resize(const TerminalSize& size) override;

    /// The agent has something for us.
    void handleFrame(const KeeperFrame& frame);
    void end(const Result<CommandOutcome>& outcome);

private:
    void send(KeeperFrame::Kind kind, const QByteArray& body = {});
    void sendInput();
    void deliverWaiting();
    void deliverOne(const KeeperFrame& frame);

    const std::shared_ptr<Channels> m_channels;
    quint32 m_number = 0; ///< 0: was never begun
    QByteArray m_input; ///< not sent yet
    qint64 m_sent = 0;
    qint64 m_taken = 0;
    bool m_inputOpen = false;
    bool m_endsInput = false; ///< once m_input is sent
    std::deque<KeeperFrame> m_waiting; ///< while held
    qint64 m_ungranted = 0; ///< bytes that were delivered
    bool m_held = false;
    bool m_delivering = false;
    bool m_finished = false;
};

} // namespace rankwright
