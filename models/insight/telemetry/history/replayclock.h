// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

namespace rankwright::inline insight {

/// Which moment of a job is shown: the newest ("live"), one held still, or one that moves on at a speed. Is given the
/// time by its caller and reads no clock; all moments are the nodes' clocks. Value type, no signals.
class ReplayClock {
public:
    enum class Mode { Live, Held, Playing };
    static constexpr double slowest = 0.25;
    static constexpr double fastest = 1000;
    /// What is offered, slowest first; any speed between is taken.
    static QList<double> speeds();

    enum class Job { Reporting, Ended };
    /// What was recorded so far. While the job reports there is a live edge to come back to. Of a job that has ended
    /// the last samples may come late: a clock at its end stays there.
    void setSpan(TimeSpan span, Job job);
    /// Stretches without data: play() runs past them at once.
    void setGaps(const QList<TimeSpan>& gaps) { m_gaps = gaps; }

    const TimeSpan& span() const { return m_span; }
    bool isGrowing() const { return m_growing; }
    Mode mode() const { return m_mode; }
    bool isLive() const { return m_mode == Mode::Live; }
    qint64 moment() const; ///< within span()
    double speed() const { return m_speed; }
    void setSpeed(double speed); ///< bounded
    void stepSpeed(int by); ///< to the next one offered

    /// Stands still where it is.
    void hold();
    /// Moves on from here; from the end of a job that has ended: from its beginning.
    void play(qint64 wallMs);
    /// Goes there; playing goes on from there, live becomes held.
    void seek(qint64 ms);
    void step(qint64 byMs) { seek(moment() + byMs); }
    /// To the newest: live, or the last moment of a job that has ended.
    void goToEnd();
    /// Time has passed. True when another moment is shown now.
    bool advance(qint64 wallMs);

private:
    TimeSpan m_span;
    QList<TimeSpan> m_gaps;
    Mode m_mode = Mode::Live;
    bool m_growing = true;
    double m_moment = 0; ///< fractions of a ms count at slow speeds
    double m_speed = 1;
    qint64 m_wallMs = 0;
};

} // namespace rankwright::inline insight
