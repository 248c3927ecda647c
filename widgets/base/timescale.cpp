// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/timescale.h"

#include "models/core/units.h"

#include <QDateTime>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr std::array<qint64, 20> steps{1000, 2000, 5000, 10'000, 15'000, 30'000, minute, 2 * minute, 5 * minute,
    10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day};
constexpr double hatchStep = 7;

} // namespace

qint64 TimeScale::ms(double x) const
{
    if (width <= 0)
        return span.fromMs;
    return span.fromMs + qint64(std::llround(std::clamp((x - left) / width, 0.0, 1.0) * double(span.length())));
}

qint64 roundStep(qint64 atLeastMs)
{
    const auto* found = std::lower_bound(steps.begin(), steps.end(), atLeastMs);
    return found == steps.end() ? steps.back() : *found;
}

QList<TimeTick> timeTicks(const TimeScale& scale, double room)
{
    QList<TimeTick> ticks;
    if (scale.span.length() <= 0 || scale.width <= 0 || room <= 0)
        return ticks;
    const qint64 step = roundStep(qint64(std::ceil(double(scale.span.length()) * room / scale.width)));
    // Counted in the desk's own time, so that hours and days are round there.
    const qint64 offset = qint64(QDateTime::fromMSecsSinceEpoch(scale.span.fromMs).offsetFromUtc()) * 1000;
    const qint64 first = (scale.span.fromMs + offset + step - 1) / step * step - offset;
    for (qint64 ms = first; ms <= scale.span.toMs && ticks.size() < 200; ms += step) {
        const QDateTime moment = QDateTime::fromMSecsSinceEpoch(ms);
        const bool midnight = moment.time() == QTime(0, 0);
        ticks.append({ms, moment.toString(midnight ? u"MMM d"_s : step < minute ? u"HH:mm:ss"_s : u"HH:mm"_s)});
    }
    return ticks;
}

QString stampText(qint64 ms, qint64 other)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(ms);
    const bool sameDay = moment.date() == QDateTime::fromMSecsSinceEpoch(other).date();
    return moment.toString(sameDay ? u"HH:mm:ss"_s : u"MMM d HH:mm:ss"_s);
}

QString spanText(qint64 ms)
{
    const qint64 seconds = (std::max<qint64>(0, ms) + 500) / 1000;
    if (seconds < 60)
        return u"%1\u2009s"_s.arg(seconds);
    if (seconds < 3600)
        return seconds % 60 == 0 ? u"%1\u2009min"_s.arg(seconds / 60)
                                 : u"%1\u2009min %2\u2009s"_s.arg(seconds / 60).arg(seconds % 60);
    return humanDuration(Seconds{seconds});
}

void paintHatch(QPainter& painter, const QRectF& box, const QColor& line)
{
    painter.save();
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setPen(QPen(line, 1));
    for (double x = box.left() - box.height(); x < box.right(); x += hatchStep)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
}

} // namespace rankwright
