// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/telemetry/history/historycurves.h"

#include <algorithm>

namespace rankwright {

namespace {

constexpr qint64 leastGapMs = 5000; // as long as a value counts as fresh

qint64 middleOf(const HistoryBucket& bucket) { return (bucket.span.fromMs + bucket.span.toMs) / 2; }

} // namespace

void HistoryCurves::want(const QList<Key>& keys, TimeSpan span, int count, bool anew)
{
    const bool same = span == m_span && count == m_count;
    for (const Key& known : m_curves.keys()) {
        if (!keys.contains(known))
            m_curves.remove(known);
    }
    m_waiting.clear();
    for (const Key& key : keys) {
        if (anew || !same || !m_curves.contains(key))
            m_waiting.append(key);
    }
    m_keys = keys;
    m_span = span;
    m_count = count;
}

bool HistoryCurves::fetchNext(const TelemetryHistory& history, int gpusPerPackage)
{
    if (m_waiting.isEmpty())
        return false;
    const Key key = m_waiting.takeFirst();
    m_curves.insert(key, overviewOf(history, key.subject, key.measure, m_span, m_count, gpusPerPackage));
    return true;
}

void HistoryCurves::clear()
{
    m_curves.clear();
    m_keys.clear();
    m_waiting.clear();
    m_span = {};
}

QList<QList<HistoryBucket>> piecesOf(const QList<HistoryBucket>& curve)
{
    QList<HistoryBucket> reported;
    std::copy_if(curve.begin(), curve.end(), std::back_inserter(reported),
        [](const HistoryBucket& bucket) { return bucket.samples > 0; });
    if (reported.isEmpty())
        return {};
    QList<qint64> distances;
    for (qsizetype place = 1; place < reported.size(); ++place)
        distances.append(middleOf(reported.at(place)) - middleOf(reported.at(place - 1)));
    qint64 usual = 0;
    if (!distances.isEmpty()) {
        std::nth_element(distances.begin(), distances.begin() + distances.size() / 2, distances.end());
        usual = distances.at(distances.size() / 2);
    }
    const qint64 gap = std::max(leastGapMs, 3 * usual);
    QList<QList<HistoryBucket>> pieces{{reported.first()}};
    for (qsizetype place = 1; place < reported.size(); ++place) {
        if (middleOf(reported.at(place)) - middleOf(reported.at(place - 1)) > gap)
            pieces.append(QList<HistoryBucket>());
        pieces.last().append(reported.at(place));
    }
    return pieces;
}

} // namespace rankwright
