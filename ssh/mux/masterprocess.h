// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/mux/muxmessages.h"
#include "models/cluster/remote/remoteshell.h"
#include "ssh/commandoutput.h"
#include "ssh/mux/muxsocket.h"
#include "ssh/mux/muxstreams.h"

#include <QTimer>

namespace rankwright {

class MasterLink;

/// One command, or one dialled connection, over the ssh connection of another program. Never begun twice: a master that
/// goes between the request and its answer leaves an error, whatever became of the command. Destroying it closes the
/// channel, which the far side takes as `ssh` being ended: no signal is sent.
class MasterProcess final : public RemoteProcess {
    Q_OBJECT
public:
    MasterProcess(const RemoteCommand& command, const QString& host, int port, MasterLink* link);
    ~MasterProcess() override;

    /// Why it cannot be sent at all; empty when it can.
    std::optional<Error> unsendable() const;
    /// From the event loop: the caller has yet to connect.
    void failLater(const Error& error);
    /// Its deadline runs from now, also while it waits for a place.
    void wait();
    void begin(Descriptor socket);
    /// How the link looks after the master has closed its end without a word of the end.
    void concludeWithout(bool isMasterAlive);
    /// The link has gone, and cannot be asked any more.
    void abandon(const Error& why);

    bool isUrgent() const { return m_command.urgent; }
    bool isFinished() const { return m_finished; }

    void write(const QByteArray& input) override;
    void closeInput() override;
    void hold(bool held) override;
    void resize(const TerminalSize& size) override;

private:
    bool isDialled() const { return m_port > 0; }
    void handleReply(const QByteArray& body);
    void requestSession();
    void handleOpened();
    void handleRefusal(const MuxReply& reply);
    void conclude();
    void closeChannel();
    void finish(const Result<CommandOutcome>& outcome);

    RemoteCommand m_command;
    const QString m_host;
    const int m_port;
    CommandOutput m_output;
    QPointer<MasterLink> m_link;
    std::unique_ptr<MuxSocket> m_socket;
    std::unique_ptr<MuxStreams> m_streams;
    QList<QByteArray> m_early; ///< written before it was begun
    QTimer m_deadline;
    std::optional<int> m_exitStatus;
    qint64 m_sent = 0;
    int m_refusals = 0;
    bool m_inputOpen;
    bool m_requested = false;
    bool m_opened = false;
    bool m_held = false;
    bool m_asked = false; ///< whether the master lives
    bool m_finished = false;
};

} // namespace rankwright
