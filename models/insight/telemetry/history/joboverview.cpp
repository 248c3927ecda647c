// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/history/joboverview.h"

#include <algorithm>

namespace rankwright::inline insight {

QList<HistoryBucket> mergedBuckets(const QList<QList<HistoryBucket>>& curves)
{
    QList<HistoryBucket> merged = curves.value(0);
    for (qsizetype curve = 1; curve < curves.size(); ++curve) {
        for (qsizetype place = 0; place < std::min(merged.size(), curves.at(curve).size()); ++place) {
            HistoryBucket& into = merged[place];
            const HistoryBucket& from = curves.at(curve).at(place);
            if (from.samples == 0)
                continue;
            if (into.samples == 0) {
                into = from;
                continue;
            }
            const double sum = double(into.mean) * into.samples + double(from.mean) * from.samples;
            into.samples += from.samples;
            into.mean = float(sum / into.samples);
            into.least = std::min(into.least, from.least);
            into.most = std::max(into.most, from.most);
        }
    }
    return merged;
}

QList<HistoryBucket> overviewOf(const TelemetryHistory& history, const HistorySubject& subject, Measure measure,
    TimeSpan span, int count, int gpusPerPackage)
{
    const int dies = measure == Measure::Power ? std::max(1, gpusPerPackage) : 1;
    // Whichever die reports its package's power.
    const auto curveOf = [&](int first) {
        QList<HistoryBucket> curve;
        for (int die = first; die < first + dies; ++die) {
            curve = history.buckets({subject.node, die}, measure, span, count);
            if (std::any_of(curve.cbegin(), curve.cend(), [](const HistoryBucket& one) { return one.samples > 0; }))
                break;
        }
        return curve;
    };
    if (subject.gpu)
        return curveOf(*subject.gpu / dies * dies);
    QList<QList<HistoryBucket>> curves;
    for (int gpu = 0; gpu < history.gpusPerNode(); gpu += dies)
        curves.append(curveOf(gpu));
    return mergedBuckets(curves);
}

JobOverview::JobOverview(int capacity, qint64 firstCellMs)
    : m_capacity(std::size_t(std::max(2, capacity))), m_firstCellMs(std::max<qint64>(1, firstCellMs)),
      m_cellMs(m_firstCellMs)
{ }

void JobOverview::Figure::add(qint64 count, double total, float low, float high)
{
    least = samples == 0 ? low : std::min(least, low);
    most = samples == 0 ? high : std::max(most, high);
    samples += count;
    sum += total;
}

JobOverview::Cell& JobOverview::cellAt(qint64 ms)
{
    Cell& cell = m_cells[ms / m_cellMs];
    if (m_cells.size() <= m_capacity)
        return cell;
    while (m_cells.size() > m_capacity)
        coarsen();
    return m_cells[ms / m_cellMs];
}

void JobOverview::coarsen()
{
    std::map<qint64, Cell> wider;
    for (const auto& [place, cell] : m_cells) {
        Cell& into = wider[place / 2];
        for (std::size_t measure = 0; measure < cell.size(); ++measure) {
            const Figure& from = cell.at(measure);
            if (from.samples > 0)
                into.at(measure).add(from.samples, from.sum, from.least, from.most);
        }
    }
    m_cells = std::move(wider);
    m_cellMs *= 2;
}

void JobOverview::add(const NodeTick& tick, qint64 arrivedMs)
{
    const qint64 at = tick.takenMs > 0 ? tick.takenMs : arrivedMs;
    if (at <= 0)
        return;
    Cell& cell = cellAt(at);
    for (const GpuSample& gpu : tick.gpus) {
        for (const Measure measure : measures) {
            if (const std::optional<double> value = TelemetrySeries::value(gpu, measure))
                cell.at(std::size_t(measure)).add(1, *value, float(*value), float(*value));
        }
    }
}

void JobOverview::add(Measure measure, const QList<HistoryBucket>& curve)
{
    for (const HistoryBucket& bucket : curve) {
        if (bucket.samples > 0)
            cellAt((bucket.span.fromMs + bucket.span.toMs) / 2)
                .at(std::size_t(measure))
                .add(bucket.samples, double(bucket.mean) * bucket.samples, bucket.least, bucket.most);
    }
}

void JobOverview::clear()
{
    m_cells.clear();
    m_cellMs = m_firstCellMs;
}

QList<HistoryBucket> JobOverview::curve(Measure measure, TimeSpan span, int count) const
{
    QList<HistoryBucket> buckets;
    for (int place = 0; place < count && span.length() > 0; ++place) {
        HistoryBucket bucket;
        bucket.span = {span.fromMs + span.length() * place / count, span.fromMs + span.length() * (place + 1) / count};
        // From the cell in which the bucket begins, to the last one that begins before its end.
        Figure figure;
        const qint64 end = std::max(bucket.span.toMs, bucket.span.fromMs + 1);
        const bool fine = bucket.span.length() > m_cellMs;
        const qint64 first = fine ? (bucket.span.fromMs + m_cellMs - 1) / m_cellMs : bucket.span.fromMs / m_cellMs;
        for (auto cell = m_cells.lower_bound(first); cell != m_cells.end() && cell->first * m_cellMs < end; ++cell) {
            const Figure& one = cell->second.at(std::size_t(measure));
            if (one.samples > 0)
                figure.add(one.samples, one.sum, one.least, one.most);
        }
        if (figure.samples > 0) {
            bucket.samples = int(std::min<qint64>(figure.samples, std::numeric_limits<int>::max()));
            bucket.mean = float(figure.sum / double(figure.samples));
            bucket.least = figure.least;
            bucket.most = figure.most;
        }
        buckets.append(bucket);
    }
    return buckets;
}

} // namespace rankwright::inline insight
