// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/replayclock.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline insight {

QList<double> ReplayClock::speeds() { return {0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 1000}; }

void ReplayClock::setSpan(TimeSpan span, Job job)
{
    const bool growing = job == Job::Reporting;
    const bool atEnd = isLive() || (m_mode == Mode::Held && !m_growing && m_moment >= double(m_span.toMs));
    m_span = span;
    m_growing = growing;
    if (isLive() && !growing)
        m_mode = Mode::Held;
    if (isLive() || (atEnd && !growing))
        m_moment = double(span.toMs);
    else
        m_moment = std::clamp(m_moment, double(span.fromMs), double(std::max(span.fromMs, span.toMs)));
}

qint64 ReplayClock::moment() const { return m_mode == Mode::Live ? m_span.toMs : qint64(std::floor(m_moment)); }

void ReplayClock::setSpeed(double speed)
{
    if (std::isfinite(speed))
        m_speed = std::clamp(speed, slowest, fastest);
}

void ReplayClock::stepSpeed(int by)
{
    const QList<double> offered = speeds();
    const auto place = std::lower_bound(offered.begin(), offered.end(), m_speed) - offered.begin();
    m_speed = offered.at(std::clamp<qsizetype>(place + by, 0, offered.size() - 1));
}

void ReplayClock::hold()
{
    if (m_mode == Mode::Live)
        m_moment = double(m_span.toMs);
    m_mode = Mode::Held;
}

void ReplayClock::play(qint64 wallMs)
{
    if (m_mode == Mode::Live)
        return;
    if (m_moment >= double(m_span.toMs)) {
        if (m_growing) {
            m_mode = Mode::Live;
            return;
        }
        m_moment = double(m_span.fromMs);
    }
    m_mode = Mode::Playing;
    m_wallMs = wallMs;
}

void ReplayClock::seek(qint64 ms)
{
    if (m_mode == Mode::Live)
        m_mode = Mode::Held;
    m_moment = double(std::clamp(ms, m_span.fromMs, std::max(m_span.fromMs, m_span.toMs)));
}

void ReplayClock::goToEnd()
{
    m_moment = double(m_span.toMs);
    m_mode = m_growing ? Mode::Live : Mode::Held;
}

bool ReplayClock::advance(qint64 wallMs)
{
    if (m_mode != Mode::Playing)
        return false;
    const qint64 before = moment();
    m_moment += double(std::max<qint64>(0, wallMs - m_wallMs)) * m_speed;
    m_wallMs = wallMs;
    for (const TimeSpan& gap : std::as_const(m_gaps)) {
        if (m_moment > double(gap.fromMs) && m_moment < double(gap.toMs))
            m_moment = double(gap.toMs);
    }
    if (m_moment >= double(m_span.toMs))
        goToEnd();
    return moment() != before || m_mode != Mode::Playing;
}

} // namespace rankwright::inline insight
