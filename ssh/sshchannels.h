// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "ssh/sshchannel.h"
#include "ssh/sshtuning.h"

#include <deque>
#include <functional>
#include <map>

namespace rankwright {

/// All commands of one connection: opens a limited number of channels at once, lets the rest wait (urgent ones in
/// front, streams last), puts a command whose channel was refused back a few times, after a pause, and ends those whose
/// time is up. A command without a deadline is a stream that its owner starts again: where the server allows fewer
/// sessions than are wanted, streams take turns and make room for commands (Fault::Cancelled). Lives on the
/// connection's thread; reports what happened through the two functions it was given.
class SshChannels {
    Q_DISABLE_COPY_MOVE(SshChannels)
public:
    using News = std::function<void(quint64 id)>;
    using Ended = std::function<void(quint64 id, const Result<ProcessEnd>& end)>;

    SshChannels(const SshTuning& tuning, News news, Ended ended);

    void start(ProcessRequest request);
    void write(quint64 id, const QByteArray& input);
    void closeInput(quint64 id);
    void resize(quint64 id, const TerminalSize& size);
    void cancel(quint64 id);

    /// One step of everything; opens channels on `session`. True when a place became free, so that another step may
    /// find work at once.
    bool advance(ssh_session session, qint64 now);
    /// The nearest deadline of a command.
    qint64 due() const;
    /// The session is about to go: channels must not outlive it.
    void abandon();

    int openCount() const { return static_cast<int>(m_open.size()); }
    int dialledCount() const { return static_cast<int>(m_dialled.size()); }
    std::optional<double> lastOpenMs() const { return m_lastOpenMs; }

private:
    SshChannel* channel(quint64 id);
    void dial(ssh_session session);
    bool advanceDialled();
    void openWaiting(ssh_session session, qint64 now);
    void learnLimit(qint64 now);
    void expire(qint64 now);
    void makeRoom(qint64 now);
    qint64 roomDue() const;
    std::map<quint64, qint64>::const_iterator longestStream() const;
    bool isShort() const { return m_limit < m_tuning.openChannels; }
    /// True when the channel is done with and must go.
    bool handleStep(SshChannel& channel, SshChannel::Step step, qint64 now);
    ProcessRequest* waiting(quint64 id);

    SshTuning m_tuning;
    News m_news;
    Ended m_ended;
    std::deque<ProcessRequest> m_waiting;
    std::map<quint64, std::unique_ptr<SshChannel>> m_open;
    /// Connections from the server: it counts sessions and not these, and refuses each for a reason of its own.
    std::map<quint64, std::unique_ptr<SshChannel>> m_dialled;
    std::deque<ProcessRequest> m_toDial;
    std::map<quint64, qint64> m_since; ///< of each open stream: when its turn began
    int m_limit = 0; ///< fewer than tuned after a refusal: the server's own limit, as far as seen
    qint64 m_limitEnds = 0; ///< when to try more again
    qint64 m_holdUntil = 0; ///< after a refusal: no new channel before this, or before another has ended
    qint64 m_roomUntil = 0; ///< a stream is making room: until then a refusal is expected
    std::optional<double> m_lastOpenMs;
};

} // namespace rankwright
