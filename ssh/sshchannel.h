// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/clusterlink.h"
#include "models/core/error.h"
#include "ssh/processpipe.h"
#include "ssh/sshhandles.h"

#include <libssh/callbacks.h>

#include <deque>
#include <memory>
#include <optional>

namespace rankwright {

/// What a channel is opened for.
struct ProcessRequest {
    quint64 id = 0;
    QByteArray line; ///< as sent
    QByteArray input;
    bool keepInputOpen = false;
    bool urgent = false;
    qint64 deadline = 0; ///< on steadyNow()'s clock; 0: none
    PlainSession::Kind kind = PlainSession::Command; ///< what `line` is
    std::optional<TerminalRequest> terminal;
    bool keepsPlace = false;
    QByteArray host; ///< not empty: a connection to this host and port from the server, in place of a command
    int port = 0;
    int refusals = 0; ///< how often the server would not open a channel for it
    std::shared_ptr<ProcessPipe> pipe;
};

/// How the remote said that a process ended; both empty when it said nothing.
struct ProcessEnd {
    std::optional<int> exitStatus;
    QByteArray exitSignal;
};

/// One channel, of a command or of a dialled connection: open, run, feed, drain, end. Moves bytes and decides nothing;
/// a state machine on the connection's thread. libssh calls back from within any of its functions that polls, so
/// callbacks only store.
///
/// Flow control: above the pipe's limit the data callback accepts nothing, the SSH window closes and the remote waits.
/// What libssh holds is read in one go, and only once the pipe is empty: reading in pieces re-opens the window whatever
/// is still buffered, and memory grows without bound.
class SshChannel {
    Q_DISABLE_COPY_MOVE(SshChannel)
public:
    /// Refused: the server would not open another session now. Failed: error() says why. Gone: cancelled and closed.
    enum class Step { Busy, Refused, Failed, Ended, Gone };

    SshChannel(ssh_session session, ProcessRequest request);
    ~SshChannel();

    Step advance();
    void write(const QByteArray& input);
    void resize(const TerminalSize& size) { m_resize = size; }
    void closeInput() { m_request.keepInputOpen = false; }
    /// Signals the process, closes the channel; nothing is reported of it any more.
    void cancel() { m_cancelled = true; }
    bool isCancelled() const { return m_cancelled; }

    const ProcessRequest& request() const { return m_request; }
    /// After Refused: the request as it came, to be tried once more.
    ProcessRequest takeBack();
    const ProcessEnd& ending() const { return m_end; }
    const Error& error() const { return m_error; }
    /// True when there is something new for the GUI thread; resets.
    bool consumeNews() { return std::exchange(m_news, false); }
    /// Milliseconds between asking for the channel and the server's answer, once known.
    std::optional<double> openedAfter() const { return m_openedAfter; }

private:
    enum class State { Opening, AskingTerminal, Requesting, Running, Closing, Closed };

    static int onData(ssh_session, ssh_channel, void* data, uint32_t length, int isError, void* self);
    static void onEof(ssh_session, ssh_channel, void* self);
    static void onClose(ssh_session, ssh_channel, void* self);
    static void onExitStatus(ssh_session, ssh_channel, int status, void* self);
    static void onExitSignal(ssh_session, ssh_channel, const char* signal, int, const char*, const char*, void* self);

    Step open();
    Step requestTerminal();
    Step requestExec();
    bool isDialled() const { return !m_request.host.isEmpty(); }
    void reportEnd();
    void feed();
    void drainHeld();
    Step closeDown();

    ssh_session m_session;
    ProcessRequest m_request;
    State m_state = State::Opening;
    double m_startedAt;
    std::optional<double> m_openedAfter;
    std::deque<QByteArray> m_input;
    qsizetype m_offset = 0; ///< in the first block of input
    bool m_inputEnded = false;
    bool m_remoteEnded = false; ///< the far side sends nothing more
    bool m_endReported = false;
    bool m_remoteClosed = false;
    std::optional<TerminalSize> m_resize; ///< to be sent
    bool m_cancelled = false;
    bool m_signalled = false;
    bool m_news = false;
    bool m_flooded = false; ///< the server does not keep to the window
    bool m_held = false; ///< libssh holds bytes that the pipe did not accept
    ProcessEnd m_end;
    Error m_error;
    ssh_channel_callbacks_struct m_callbacks = {};
    SshChannelHandle m_channel;
};

} // namespace rankwright
