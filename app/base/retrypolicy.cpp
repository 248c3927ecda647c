// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/retrypolicy.h"

#include <algorithm>

namespace rankwright {

int RetryPolicy::nextDelayMs()
{
    // 2^20 is far beyond the longest wait of any use; it keeps the shift in range.
    const qint64 requested = qint64(m_firstMs) << std::min(m_failures, 20);
    ++m_failures;
    return int(std::min<qint64>(requested, m_longestMs));
}

bool worthRetrying(const Error& why)
{
    switch (why.fault) {
    case Fault::Offline:
    case Fault::TimedOut:
    case Fault::Io:
    case Fault::TurnedAway: return true;
    case Fault::Cancelled:
    case Fault::HostKeyRefused:
    case Fault::LoginRefused:
    case Fault::RemoteExit:
    case Fault::Unreadable:
    case Fault::Invalid: return false;
    }
    return false;
}

} // namespace rankwright
