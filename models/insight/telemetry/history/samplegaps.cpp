// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/samplegaps.h"

#include "models/core/quantitytext.h"
#include "models/core/statistics.h"
#include "models/core/units.h"
#include "models/insight/telemetry/staleness.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 probedMs = 120'000;
constexpr std::size_t enoughSteps = 256;
constexpr qint64 leastIntervalMs = 100;
constexpr qint64 mostIntervalMs = 600'000;
constexpr int usualIntervals = 3;

} // namespace

qint64 gapLongerThanMs(qint64 usualIntervalMs) { return std::max(freshMs, usualIntervals * usualIntervalMs); }

qint64 usualIntervalMs(const TelemetryHistory& history)
{
    QHash<QString, qint64> last;
    std::vector<qint64> steps;
    const TimeSpan all = history.span();
    history.visit({all.fromMs, all.fromMs + std::min(all.length(), probedMs) + 1}, {[&](const NodeTick& tick) {
        if (const auto before = last.constFind(tick.node); before != last.cend() && tick.takenMs > *before)
            steps.push_back(tick.takenMs - *before);
        last.insert(tick.node, tick.takenMs);
        return steps.size() < enoughSteps;
    }});
    if (steps.empty())
        return 1000;
    return std::clamp(median(steps), leastIntervalMs, mostIntervalMs);
}

QList<TimeSpan> gapsWithin(const TelemetryHistory& history, TimeSpan within, qint64 longerThanMs)
{
    const TimeSpan recorded = history.span();
    if (within.length() <= 0)
        within = recorded;
    if (longerThanMs <= 0)
        longerThanMs = gapLongerThanMs(usualIntervalMs(history));
    QList<TimeSpan> found;
    if (recorded.length() <= 0)
        found.append(within);
    else
        found << TimeSpan{within.fromMs, recorded.fromMs} << history.gaps(longerThanMs)
              << TimeSpan{recorded.toMs, within.toMs};
    QList<TimeSpan> gaps;
    for (const TimeSpan& one : std::as_const(found)) {
        const TimeSpan inside{std::max(one.fromMs, within.fromMs), std::min(one.toMs, within.toMs)};
        if (one.length() > longerThanMs && inside.length() > 0)
            gaps.append(inside);
    }
    return gaps;
}

qint64 lengthOf(const QList<TimeSpan>& gaps)
{
    qint64 length = 0;
    for (const TimeSpan& gap : gaps)
        length += gap.length();
    return length;
}

QString gapsText(const QList<TimeSpan>& gaps)
{
    return gaps.isEmpty()
        ? QString()
        : u"%1, %2 in all"_s.arg(counted(gaps.size(), u"gap"_s), humanDuration(Seconds{lengthOf(gaps) / 1000}));
}

} // namespace rankwright::inline insight
