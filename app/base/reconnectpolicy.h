// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/retrypolicy.h"

#include <QList>

namespace rankwright {

/// When to open a lost connection again by itself. The wait doubles with every loss and goes back only after the link
/// has stood for a while, so that a server which drops after each login is not logged in to again and again: at most
/// four logins within ten minutes, the person's own with them, and so many a day. Times in milliseconds of one clock.
class ReconnectPolicy {
public:
    static constexpr qint64 windowMs = 10 * 60 * 1000;
    static constexpr int mostInWindow = 4;
    static constexpr qint64 dayMs = 24LL * 60 * 60 * 1000;
    static constexpr int mostADay = 60;
    /// A link that stood for so long was no accident.
    static constexpr qint64 stableMs = windowMs;

    explicit ReconnectPolicy(RetryPolicy retry = RetryPolicy()) : m_retry(retry) { }

    /// A person wants the connection: waits begin anew, what was drawn before still counts.
    void begin() { m_retry.reset(); }
    /// A login succeeded.
    void noteLogin(qint64 now);
    /// A link that was up is gone: one that stood for a while begins the waits anew. Not for a try that failed.
    void noteLoss(qint64 now);
    /// Milliseconds from now until the next try; empty: enough for today, a person has to decide. `chance` from 0 to 1
    /// makes the wait up to a quarter longer, so that many programs do not come back at the same moment.
    std::optional<qint64> nextDelayMs(qint64 now, double chance);

private:
    RetryPolicy m_retry;
    QList<qint64> m_logins; ///< within a day, oldest first
};

} // namespace rankwright
