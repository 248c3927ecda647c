// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/bucketfiller.h"

#include <cmath>

namespace rankwright::inline insight {

BucketFiller::BucketFiller(TimeSpan span, int count) : m_span(span)
{
    if (span.length() > 0 && count > 0)
        m_sums.resize(count);
}

double BucketFiller::bucketMs() const { return m_sums.isEmpty() ? 0 : double(m_span.length()) / double(m_sums.size()); }

BucketFiller::Sum* BucketFiller::at(qint64 ms)
{
    if (m_sums.isEmpty() || ms < m_span.fromMs || ms >= m_span.toMs)
        return nullptr;
    const auto index = qsizetype(double(ms - m_span.fromMs) / bucketMs());
    return &m_sums[qMin(index, m_sums.size() - 1)];
}

void BucketFiller::add(qint64 ms, float value)
{
    Sum* sum = std::isnan(value) ? nullptr : at(ms);
    if (!sum)
        return;
    sum->least = sum->samples ? qMin(sum->least, value) : value;
    sum->most = sum->samples ? qMax(sum->most, value) : value;
    sum->total += double(value);
    ++sum->samples;
}

void BucketFiller::add(const HistoryBucket& part)
{
    Sum* sum = part.samples > 0 ? at(part.span.fromMs + part.span.length() / 2) : nullptr;
    if (!sum)
        return;
    sum->least = sum->samples ? qMin(sum->least, part.least) : part.least;
    sum->most = sum->samples ? qMax(sum->most, part.most) : part.most;
    sum->total += double(part.mean) * part.samples;
    sum->samples += part.samples;
}

QList<HistoryBucket> BucketFiller::buckets() const
{
    QList<HistoryBucket> all;
    all.reserve(m_sums.size());
    const auto edge = [this](qsizetype i) { return m_span.fromMs + qint64(std::ceil(double(i) * bucketMs())); };
    for (qsizetype i = 0; i < m_sums.size(); ++i) {
        const Sum& sum = m_sums.at(i);
        const TimeSpan span{edge(i), i + 1 == m_sums.size() ? m_span.toMs : edge(i + 1)};
        const float mean = sum.samples ? float(sum.total / sum.samples) : 0;
        all.append({span, sum.samples, sum.least, mean, sum.most});
    }
    return all;
}

} // namespace rankwright::inline insight
