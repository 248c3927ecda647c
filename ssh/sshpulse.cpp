// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshpulse.h"

#include <libssh/server.h> // ssh_send_keepalive, which works for clients as well

namespace rankwright {

void SshPulse::begin(qint64 now, quint64 packetsIn)
{
    m_seen = packetsIn;
    m_deadline = now + limitMs(); // the login has just shown that the peer answers
    m_heard = now;
    m_last = now;
    m_next = now; // the first one at once: it measures the round trip
}

void SshPulse::hurry(qint64 now)
{
    m_next = now;
    m_deadline = qMin(m_deadline, now + hurryMs());
}

void SshPulse::handlePacket(qint64 now, quint64 packetsIn, Commands commands)
{
    if (m_askedAt && commands == Commands::None)
        m_roundTripMs = steadyMs() - *m_askedAt;
    m_askedAt.reset();
    m_seen = packetsIn;
    m_heard = now;
    m_deadline = now + limitMs();
}

bool SshPulse::advance(ssh_session session, qint64 now, quint64 packetsIn, Commands commands)
{
    // This program stood still, or the machine did: what came meanwhile may lie unread, so the peer is asked first.
    if (now - m_last > 2LL * m_tuning.keepAliveMs) {
        m_deadline = qMax(m_deadline, now + hurryMs());
        m_next = now;
    }
    m_last = now;
    if (packetsIn != m_seen)
        handlePacket(now, packetsIn, commands);
    if (now >= m_deadline)
        return false;
    if (now < m_next)
        return true;
    // In non-blocking mode one call sends and the next only collects the answer: two make sure that one is sent.
    ssh_send_keepalive(session);
    ssh_send_keepalive(session);
    m_askedAt = steadyMs();
    m_next = now + m_tuning.keepAliveMs;
    return true;
}

} // namespace rankwright
