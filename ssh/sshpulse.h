// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshhandles.h"
#include "ssh/sshtuning.h"

#include <optional>

namespace rankwright {

/// Keep-alive of one session: asks every so often, and measures how long nothing came back. libssh ignores the
/// configuration's ServerAlive options, and its keep-alive call always says that all is well; only the packet counter
/// shows it. Lives on the connection's thread; times in ms of steadyNow().
class SshPulse {
public:
    explicit SshPulse(const SshTuning& tuning) : m_tuning(tuning) { }

    void begin(qint64 now, quint64 packetsIn);
    /// While no command is open the next packet can only be the answer, and its time is the round trip.
    enum class Commands { None, Open };
    /// False when the peer has been silent for too long.
    bool advance(ssh_session session, qint64 now, quint64 packetsIn, Commands commands);
    /// There is reason to doubt (another network, the machine slept): asks at once, and waits less for the answer.
    void hurry(qint64 now);
    qint64 due() const { return qMin(m_next, m_deadline); }
    std::optional<double> roundTripMs() const { return m_roundTripMs; }
    /// Since the peer was last heard.
    qint64 silentMs(qint64 now) const { return now - m_heard; }

private:
    int limitMs() const { return m_tuning.keepAliveMs * m_tuning.silentTicks; }
    int hurryMs() const { return qMin(m_tuning.hurryMs, limitMs()); }
    void handlePacket(qint64 now, quint64 packetsIn, Commands commands);

    SshTuning m_tuning;
    qint64 m_next = 0;
    qint64 m_deadline = 0; ///< then it is lost, if nothing comes
    qint64 m_heard = 0;
    qint64 m_last = 0; ///< of the last advance()
    quint64 m_seen = 0;
    std::optional<double> m_roundTripMs;
    std::optional<double> m_askedAt; ///< while an answer is awaited
};

} // namespace rankwright
