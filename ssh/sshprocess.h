// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/commandoutput.h"
#include "ssh/sshloop.h"

#include "models/cluster/remote/remoteshell.h"

#include <QHash>
#include <QPointer>

namespace rankwright {

/// The caller's handle of one command on an SSH connection. GUI thread; speaks to the connection's thread by the
/// process's id only. Destroying it cancels the command.
class SshProcess final : public RemoteProcess {
    Q_OBJECT
public:
    /// Handles that are still running, by id; shared so that neither the shell nor a handle must outlive the other.
    using Registry = std::shared_ptr<QHash<quint64, SshProcess*>>;

    SshProcess(quint64 id, const RemoteCommand& command, Registry registry);
    ~SshProcess() override;

    /// Hands the command to the connection, or finishes with an error from the event loop when it cannot be sent.
    void begin(SshLoop* loop, const RemoteCommand& command, qint64 bufferLimit);
    /// Hands a session to the connection as it stands.
    void beginPlain(SshLoop* loop, const PlainSession& session, qint64 bufferLimit);
    /// Hands a connection to `port` of `host` to the link.
    void dial(SshLoop* loop, const QString& host, int port, qint64 bufferLimit);
    /// Finishes with an error, from the event loop: the caller has yet to connect.
    void failLater(const Error& error);

    void write(const QByteArray& input) override;
    void closeInput() override;
    void hold(bool held) override;
    void resize(const TerminalSize& size) override;

    /// The connection has something for us.
    void readOutput();
    void end(const Result<ProcessEnd>& end);

private:
    void deliverOutput();
    void finish(const Result<CommandOutcome>& outcome);

    const quint64 m_id;
    Registry m_registry;
    QPointer<SshLoop> m_loop;
    std::shared_ptr<ProcessPipe> m_pipe;
    CommandOutput m_output;
    qint64 m_sent = 0;
    bool m_inputOpen = false;
    bool m_held = false;
    std::optional<Result<ProcessEnd>> m_end; ///< came while held
    bool m_finished = false;
};

} // namespace rankwright
