// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/cpuclock.h"

#include <QElapsedTimer>
#include <QList>
#include <QTimer>

#include <algorithm>

namespace rankwright::test {

/// How long this thread's event loop was away, looked at every 5 ms, so that looking costs nothing.
class GapWatch : public QObject {
public:
    GapWatch()
    {
        connect(&m_timer, &QTimer::timeout, this, [this] {
            const qint64 now = m_clock.elapsed();
            m_gaps << double(qMax<qint64>(0, now - std::exchange(m_last, now) - everyMs));
            const qint64 work = m_work.elapsedMs();
            m_mostWork = qMax(m_mostWork, work - std::exchange(m_lastWork, work));
        });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_clock.start();
        m_timer.start(everyMs);
    }
    /// On the wall, sorted.
    QList<double> gapsMs() const
    {
        QList<double> sorted = m_gaps;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }
    /// The most processor time of this thread between two turns: what other programs on the machine cannot lengthen.
    qint64 mostWorkMs() const { return m_mostWork; }

private:
    static constexpr int everyMs = 5;
    QTimer m_timer;
    QElapsedTimer m_clock;
    CpuClock m_work;
    QList<double> m_gaps;
    qint64 m_last = 0;
    qint64 m_lastWork = 0;
    qint64 m_mostWork = 0;
};

} // namespace rankwright::test
