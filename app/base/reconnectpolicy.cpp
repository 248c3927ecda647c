// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/reconnectpolicy.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr qint64 clockErrorMs = 60'000; // two programs of one machine do not differ by more

} // namespace

void ReconnectPolicy::forgetOld(qint64 now)
{
    const auto isOld = [now](qint64 at) { return at <= now - dayMs; };
    m_persons.removeIf(isOld);
    m_memory.logins.removeIf(isOld);
}

QList<qint64> ReconnectPolicy::logins() const
{
    QList<qint64> all = m_persons + m_memory.logins;
    std::sort(all.begin(), all.end());
    return all;
}

void ReconnectPolicy::begin()
{
    m_retry.reset();
    m_memory.failures = 0;
}

void ReconnectPolicy::noteLogin(qint64 now, Wish wish)
{
    forgetOld(now);
    (wish == Wish::Person ? m_persons : m_memory.logins).append(now);
    m_lastLogin = now;
}

void ReconnectPolicy::noteLoss(qint64 now)
{
    if (m_lastLogin && now - *m_lastLogin >= stableMs)
        begin();
}

std::optional<qint64> ReconnectPolicy::nextDelayMs(qint64 now, double chance, qint64 least)
{
    forgetOld(now);
    const QList<qint64> drawn = logins();
    if (drawn.size() >= mostADay)
        return std::nullopt;
    const auto jitter = [chance](qint64 wait) { return wait + qint64(double(wait) * 0.25 * chance); };
    qint64 wait = jitter(std::max<qint64>(m_retry.nextDelayMs(), least));
    m_memory.failures = m_retry.failures();
    m_memory.failedAt = now;
    return std::max(wait, heldMs(now));
}

qint64 ReconnectPolicy::heldMs(qint64 now) const
{
    const QList<qint64> drawn = logins();
    const auto until = [&](qsizetype most, qint64 span) {
        return drawn.size() < most ? 0 : drawn.at(drawn.size() - most) + span + 1 - now;
    };
    return std::max({qint64(0), until(mostInWindow, windowMs), until(mostADay, dayMs)});
}

void ReconnectPolicy::setMemory(const Memory& memory, qint64 now)
{
    m_memory.logins = memory.logins;
    m_memory.logins.removeIf([now](qint64 at) { return at > now + clockErrorMs; });
    std::sort(m_memory.logins.begin(), m_memory.logins.end());
    const bool counts = memory.failedAt > now - forgetMs && memory.failedAt <= now + clockErrorMs;
    const int theirs = counts ? std::clamp(memory.failures, 0, 1000) : 0;
    if (theirs > m_retry.failures())
        m_retry.resume(theirs);
    m_memory.failures = m_retry.failures();
    m_memory.failedAt = counts ? memory.failedAt : 0;
    forgetOld(now);
}

} // namespace rankwright
