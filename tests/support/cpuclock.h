// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <ctime>

namespace rankwright::test {

/// Processor time of the calling thread (or of the whole process) since the clock was made: what a ceiling on effort is
/// held against. The time on the wall depends on what else the machine does, and a test that looks at it fails at
/// random.
class CpuClock {
public:
    enum class Of : clockid_t { Thread = CLOCK_THREAD_CPUTIME_ID, Process = CLOCK_PROCESS_CPUTIME_ID };

    explicit CpuClock(Of of = Of::Thread) : m_of(of), m_start(now()) { }
    qint64 elapsedNs() const { return now() - m_start; }
    qint64 elapsedMs() const { return elapsedNs() / 1000000; }

private:
    qint64 now() const
    {
        timespec time{};
        ::clock_gettime(static_cast<clockid_t>(m_of), &time);
        return qint64(time.tv_sec) * 1000000000 + time.tv_nsec;
    }
    Of m_of;
    qint64 m_start;
};

} // namespace rankwright::test
