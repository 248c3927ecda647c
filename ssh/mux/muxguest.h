// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/mux/muxmessages.h"
#include "models/cluster/remote/clusterlink.h"
#include "ssh/mux/muxsocket.h"
#include "ssh/mux/passedoutput.h"

namespace rankwright {

/// One `ssh` that uses our connection: answers it as a ControlMaster does and moves the bytes of its session between
/// the descriptors that it passed and the link. One session each, as with OpenSSH. Port forwards, X11 and the agent are
/// refused: it is told so. Ends, and takes its session with it, when the program goes.
class MuxGuest final : public QObject {
    Q_OBJECT
public:
    MuxGuest(Descriptor socket, ClusterLink& link, QObject* parent = nullptr);
    ~MuxGuest() override;

    bool hasSession() const { return m_process != nullptr; }
    /// The terminal of its session may have another size.
    void updateSize();

signals:
    /// `ssh -O exit`
    void exitAsked();
    void ended();

private:
    void handleRequest(const QByteArray& body);
    void handleForward(const MuxForward& forward);
    void handlePlain(const MuxPlain& plain);
    void handleDescriptors();
    void beginSession(const MuxSession& session);
    void beginForward(const MuxStdioForward& forward);
    void joinProcess(std::unique_ptr<RemoteProcess> process);
    void readInput();
    void updateHold();
    void finish(const Result<CommandOutcome>& outcome);
    void endWhenWritten();
    void refuseRequest(quint32 id, const QByteArray& reason);

    ClusterLink& m_link;
    MuxSocket m_socket;
    std::optional<MuxRequest> m_request; ///< whose descriptors are on their way
    bool m_greeted = false;
    std::unique_ptr<RemoteProcess> m_process;
    Descriptor m_input;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<PassedOutput> m_output;
    std::unique_ptr<PassedOutput> m_errors;
    qint64 m_read = 0;
    qint64 m_sent = 0;
    bool m_hasTerminal = false;
    std::optional<std::optional<int>> m_ending; ///< it is over: its status
};

} // namespace rankwright
