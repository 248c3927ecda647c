// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <ctime>

/// What this process and its threads have used, as Linux reports it.
namespace rankwright::bench {

inline double clockSeconds(clockid_t clock)
{
    timespec spent{};
    clock_gettime(clock, &spent);
    return double(spent.tv_sec) + double(spent.tv_nsec) / 1e9;
}

/// Processor time of all threads; a busy machine does not stretch it.
inline double cpuSeconds() { return clockSeconds(CLOCK_PROCESS_CPUTIME_ID); }
/// Of the calling thread alone.
inline double threadSeconds() { return clockSeconds(CLOCK_THREAD_CPUTIME_ID); }

/// A line of /proc/self/status in MiB, such as "VmRSS:" (resident now) or "VmHWM:" (the most there ever was).
inline double statusMib(const char* key)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> lines = status.readAll().split('\n');
    for (const QByteArray& line : lines) {
        if (line.startsWith(key))
            return line.mid(qsizetype(qstrlen(key))).trimmed().split(' ').first().toDouble() / 1024;
    }
    return 0;
}

inline double residentMib() { return statusMib("VmRSS:"); }
inline double mostResidentMib() { return statusMib("VmHWM:"); }

} // namespace rankwright::bench
