// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/reconnectpolicy.h"

#include <algorithm>

namespace rankwright {

void ReconnectPolicy::noteLogin(qint64 now)
{
    m_logins.removeIf([now](qint64 at) { return at <= now - dayMs; });
    m_logins.append(now);
}

void ReconnectPolicy::noteLoss(qint64 now)
{
    if (!m_logins.isEmpty() && now - m_logins.last() >= stableMs)
        m_retry.reset();
}

std::optional<qint64> ReconnectPolicy::nextDelayMs(qint64 now, double chance)
{
    m_logins.removeIf([now](qint64 at) { return at <= now - dayMs; });
    if (m_logins.size() >= mostADay)
        return std::nullopt;
    const auto jitter = [chance](qint64 wait) { return wait + qint64(double(wait) * 0.25 * chance); };
    qint64 wait = jitter(m_retry.nextDelayMs());
    if (m_logins.size() >= mostInWindow) {
        const qint64 free = m_logins.at(m_logins.size() - mostInWindow) + windowMs + 1 - now;
        wait = std::max(wait, free);
    }
    return wait;
}

} // namespace rankwright
