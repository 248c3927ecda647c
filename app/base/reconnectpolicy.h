// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/retrypolicy.h"

#include <QList>

#include <optional>

namespace rankwright {

/// When to open a lost connection again by itself. The wait doubles with every loss and goes back only after the link
/// has stood for a while, so that a server which drops after each login is not logged in to again and again: at most
/// four logins within ten minutes, the person's own with them, and a number of logins a day. Times in milliseconds of
/// one clock (of the wall, where a memory is kept for other programs).
class ReconnectPolicy {
public:
    static constexpr qint64 windowMs = 10 * 60 * 1000;
    static constexpr int mostInWindow = 4;
    static constexpr qint64 dayMs = 24LL * 60 * 60 * 1000;
    static constexpr int mostADay = 60;
    /// A link that lasted this long counts as a success: the next failure is the first one.
    static constexpr qint64 stableMs = windowMs;
    /// What went wrong longer ago says nothing about now.
    static constexpr qint64 forgetMs = 60 * 60 * 1000;
    /// Least wait for a server that turns connections away.
    static constexpr qint64 turnedAwayMs = 5 * 60 * 1000;

    /// Whose wish a login was.
    enum class Wish { Person, Program };

    /// What outlives the program, and what all programs of a person share of one host: the logins that no person asked
    /// for, within a day, oldest first, and how far the waits have grown.
    struct Memory {
        QList<qint64> logins;
        int failures = 0;
        qint64 failedAt = 0;
        bool operator==(const Memory&) const = default;
    };

    explicit ReconnectPolicy(RetryPolicy retry = RetryPolicy()) : m_retry(retry) { }

    /// A person wants the connection: waits begin again, what was drawn before still counts.
    void begin();
    /// A login succeeded.
    void noteLogin(qint64 now, Wish wish = Wish::Person);
    /// A link that was up is gone: one that stood for a while begins the waits again. Not for a try that failed.
    void noteLoss(qint64 now);
    /// What hindered is gone, the network is back for example: the next wait is short. Logins still count.
    void hasten() { begin(); }
    /// Milliseconds from now until the next try; empty: enough for today, a person has to decide. `chance` from 0 to 1
    /// makes the wait up to a quarter longer, so that many programs do not come back at the same moment. `least`: for a
    /// server that asked to be left alone.
    std::optional<qint64> nextDelayMs(qint64 now, double chance, qint64 least = 0);

    /// Milliseconds until another login is allowed at all: 0 now; more, when other programs have logged in meanwhile.
    qint64 heldMs(qint64 now) const;

    const Memory& memory() const { return m_memory; }
    /// Takes over what others have noted meanwhile; times that lie in the future are of a wrong clock and dropped.
    void setMemory(const Memory& memory, qint64 now);

private:
    void forgetOld(qint64 now);
    QList<qint64> logins() const;

    RetryPolicy m_retry;
    QList<qint64> m_persons; ///< logins of this program that a person asked for, within a day
    std::optional<qint64> m_lastLogin;
    Memory m_memory;
};

} // namespace rankwright
