// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshpulse.h"

#include <libssh/server.h> // ssh_send_keepalive, which works for clients as well

namespace rankwright {

void SshPulse::begin(qint64 now, quint64 packetsIn)
{
    m_seen = packetsIn - 1; // the login has just shown that the peer answers
    m_silent = 0;
    m_next = now; // the first one at once: it measures the round trip
}

bool SshPulse::advance(ssh_session session, qint64 now, quint64 packetsIn, bool quiet)
{
    if (m_askedAt && packetsIn != m_seenWhenAsked) {
        if (quiet)
            m_roundTripMs = steadyMs() - *m_askedAt;
        m_askedAt.reset();
    }
    if (now < m_next)
        return true;
    m_silent = packetsIn == m_seen ? m_silent + 1 : 0;
    m_seen = packetsIn;
    if (m_silent >= m_tuning.silentTicks)
        return false;
    // In non-blocking mode one call sends and the next only collects the answer: two make sure that one is sent.
    ssh_send_keepalive(session);
    ssh_send_keepalive(session);
    m_askedAt = steadyMs();
    m_seenWhenAsked = packetsIn;
    m_next = now + m_tuning.keepAliveMs;
    return true;
}

} // namespace rankwright
