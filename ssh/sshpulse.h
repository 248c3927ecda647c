// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshhandles.h"
#include "ssh/sshtuning.h"

#include <optional>

namespace rankwright {

/// Keep-alive of one session: asks every so often, and counts the ticks in which nothing came back. libssh ignores the
/// configuration's ServerAlive options, and its keep-alive call always says that all is well; only the packet counter
/// shows it. Lives on the connection's thread.
class SshPulse {
public:
    explicit SshPulse(const SshTuning& tuning) : m_tuning(tuning) { }

    void begin(qint64 now, quint64 packetsIn);
    /// False when the peer has been silent for too long. `quiet`: no command is open, so that the next packet can only
    /// be the answer and its time is the round trip.
    bool advance(ssh_session session, qint64 now, quint64 packetsIn, bool quiet);
    qint64 due() const { return m_next; }
    std::optional<double> roundTripMs() const { return m_roundTripMs; }

private:
    SshTuning m_tuning;
    qint64 m_next = 0;
    quint64 m_seen = 0;
    int m_silent = 0;
    std::optional<double> m_askedAt; ///< while an answer is awaited
    quint64 m_seenWhenAsked = 0;
    std::optional<double> m_roundTripMs;
};

} // namespace rankwright
