// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <ctime>

namespace rankwright::test {

/// Processor time of the calling thread since the clock was made, in milliseconds: what a ceiling on effort is held
/// against. The time on the wall depends on what else the machine does, and a test that looks at it fails at random.
class CpuClock {
public:
    CpuClock() : m_start(now()) { }
    qint64 elapsedMs() const { return now() - m_start; }

private:
    static qint64 now()
    {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return qint64(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
    }
    qint64 m_start;
};

} // namespace rankwright::test
