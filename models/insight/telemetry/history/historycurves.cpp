// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/historycurves.h"

#include <algorithm>
#include <utility>

namespace rankwright::inline insight {

void HistoryCurves::want(const QList<Key>& keys, TimeSpan span, int count, Fetch fetch)
{
    const bool same = span == m_span && count == m_count;
    for (const Key& known : m_curves.keys()) {
        if (!keys.contains(known))
            m_curves.remove(known);
    }
    m_waiting.clear();
    for (const Key& key : keys) {
        if (fetch == Fetch::All || !same || !m_curves.contains(key))
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

QList<TimeSpan> holesOf(const QList<HistoryBucket>& curve, const QList<TimeSpan>& gaps, qint64 longerThanMs)
{
    if (curve.isEmpty())
        return {};
    const auto touches
        = [](const TimeSpan& one, const TimeSpan& two) { return one.fromMs < two.toMs && one.toMs > two.fromMs; };
    const TimeSpan all{curve.first().span.fromMs, curve.last().span.toMs};
    QList<TimeSpan> holes;
    std::copy_if(
        gaps.begin(), gaps.end(), std::back_inserter(holes), [&](const TimeSpan& gap) { return touches(gap, all); });
    const HistoryBucket* last = nullptr;
    for (const HistoryBucket& bucket : curve) {
        if (bucket.samples == 0)
            continue;
        const HistoryBucket* before = std::exchange(last, &bucket);
        const TimeSpan own{before ? before->span.toMs : bucket.span.fromMs, bucket.span.fromMs};
        if (own.length() > longerThanMs
            && std::none_of(gaps.begin(), gaps.end(), [&](const TimeSpan& gap) { return touches(gap, own); }))
            holes.append(own);
    }
    std::sort(holes.begin(), holes.end(), [](const TimeSpan& a, const TimeSpan& b) { return a.fromMs < b.fromMs; });
    return holes;
}

QList<QList<HistoryBucket>> piecesOf(const QList<HistoryBucket>& curve, const QList<TimeSpan>& holes)
{
    QList<QList<HistoryBucket>> pieces;
    qint64 end = 0; // of the last bucket that reported
    auto hole = holes.begin();
    for (const HistoryBucket& bucket : curve) {
        if (bucket.samples == 0)
            continue;
        bool split = pieces.isEmpty();
        for (; hole != holes.end() && hole->toMs <= bucket.span.toMs; ++hole)
            split = split || hole->toMs > end;
        if (split)
            pieces.append(QList<HistoryBucket>());
        pieces.last().append(bucket);
        end = bucket.span.toMs;
    }
    return pieces;
}

} // namespace rankwright::inline insight
