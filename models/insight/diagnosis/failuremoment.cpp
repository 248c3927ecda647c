// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/failuremoment.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QDateTime torchrunTime(const QString& printed) { return QDateTime::fromString(printed, u"yyyy-MM-dd_HH:mm:ss"_s); }

std::optional<qint64> failureMoment(const QString& printed, qint64 endedAtMs)
{
    constexpr qint64 quarterMs = 15 * 60 * 1000;
    QDateTime time = torchrunTime(printed);
    if (!time.isValid())
        return {};
    time.setTimeSpec(Qt::UTC);
    const qint64 apart = endedAtMs - time.toMSecsSinceEpoch();
    const qint64 zone = std::llround(double(apart) / quarterMs) * quarterMs;
    return std::min(time.toMSecsSinceEpoch() + zone, endedAtMs);
}

} // namespace rankwright::inline insight
