// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/fleetcurve.h"

#include <algorithm>

namespace rankwright::inline insight {

void FleetCurve::addUse(float use, qint64 ms)
{
    const qint64 number = ms / 1000;
    Second& second = m_ring[size_t(number % qint64(m_ring.size()))];
    if (second.second != number)
        second = {number, 0, 0, 0};
    second.sum += use;
    second.most = std::max(second.most, use);
    ++second.count;
}

QList<FleetCurve::Second> FleetCurve::seconds(qint64 fromMs, qint64 toMs) const
{
    QList<Second> found;
    for (qint64 number = fromMs / 1000; number < toMs / 1000; ++number) {
        const Second& second = m_ring[size_t(number % qint64(m_ring.size()))];
        if (second.second == number)
            found.append(second);
    }
    return found;
}

} // namespace rankwright::inline insight
