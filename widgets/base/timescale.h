// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

#include <QRectF>

class QColor;
class QPainter;

namespace rankwright {

/// Where a moment is on a horizontal axis of time, and back. Pure.
struct TimeScale {
    TimeSpan span;
    double left = 0;
    double width = 1;
    double x(qint64 ms) const
    {
        return span.length() > 0 ? left + width * double(ms - span.fromMs) / double(span.length()) : left;
    }
    qint64 ms(double x) const; ///< clamped to the span
};

struct TimeTick {
    qint64 ms = 0;
    QString label; ///< "14:05", "14:05:30", "Mar 3"
    bool operator==(const TimeTick&) const = default;
};

/// Round moments of the desk's own time, at least `room` pixels apart; finer than a minute with seconds, a day's
/// beginning as its date.
QList<TimeTick> timeTicks(const TimeScale& scale, double room);
/// A round step of time, at least as long as `atLeastMs`: 1, 2, 5, 10, 15, 30 s, ..., days.
qint64 roundStep(qint64 atLeastMs);
/// "14:03:22", with the date when `other` is on another day.
QString stampText(qint64 ms, qint64 other);
/// "12 min 05 s", "1 h 52 min": between two moments.
QString spanText(qint64 ms);
/// Where nothing was reported: slanted lines, as in the map.
void paintHatch(QPainter& painter, const QRectF& box, const QColor& line);

} // namespace rankwright
