// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"

#include <optional>

namespace rankwright {

/// When to try again: after 1 s, doubling to 60 s. A value, shared by reconnecting and by polls that fail. Whether it
/// makes sense at all is decided by worthRetrying(): a refused host key or login is never tried again by itself, so
/// that no account gets locked and no second factor fires without a person.
class RetryPolicy {
public:
    explicit RetryPolicy(int firstMs = 1000, int longestMs = 60000) : m_firstMs(firstMs), m_longestMs(longestMs) { }

    /// Milliseconds to wait before the next try; each call doubles the one after.
    int nextDelayMs();
    void reset() { m_failures = 0; }
    int failures() const { return m_failures; }
    /// Goes on where another program, or this one before its restart, was.
    void resume(int failures) { m_failures = failures; }

private:
    int m_firstMs;
    int m_longestMs;
    int m_failures = 0;
};

/// May a connection that ended for this reason be tried again without a person?
bool worthRetrying(const Error& why);

} // namespace rankwright
