// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/memoryhistory.h"

#include "models/insight/telemetry/history/bucketfiller.h"
#include "models/insight/telemetry/history/kepttick.h"

#include <algorithm>

namespace rankwright {

namespace {

/// First element that is not before `ms`.
template <typename Taken>
auto from(const std::vector<Taken>& all, qint64 ms)
{
    return std::lower_bound(
        all.begin(), all.end(), ms, [](const Taken& one, qint64 moment) { return one.takenMs < moment; });
}

/// The newest not after `ms`; null: there is none.
template <typename Taken>
const Taken* newestAt(const std::vector<Taken>& all, qint64 ms)
{
    const auto after = from(all, ms + 1);
    return after == all.begin() ? nullptr : &*std::prev(after);
}

} // namespace

MemoryHistory::MemoryHistory(const QStringList& nodes, int gpusPerNode) : m_gpusPerNode(qMax(0, gpusPerNode))
{
    for (const QString& node : nodes)
        rowOf(node);
}

int MemoryHistory::rowOf(const QString& node)
{
    if (const auto known = m_rows.constFind(node); known != m_rows.constEnd())
        return *known;
    if (m_nodes.size() >= TelemetrySeries::maxNodes)
        return -1;
    const int row = int(m_nodes.size());
    m_rows.insert(node, row);
    m_nodes.append(node);
    m_data.emplace_back();
    return row;
}

bool MemoryHistory::store(const NodeTick& tick, qint64 arrivedMs)
{
    const auto kept = keptTick(tick, arrivedMs);
    const int row = kept ? rowOf(kept->node) : -1;
    if (row < 0)
        return false;
    for (const GpuSample& gpu : kept->gpus)
        m_gpusPerNode = qMax(m_gpusPerNode, gpu.index + 1);
    auto& ticks = m_data[std::size_t(row)].ticks;
    const auto place = ticks.begin() + (from(ticks, kept->takenMs) - ticks.cbegin());
    if (place != ticks.end() && place->takenMs == kept->takenMs)
        return addGpus(*place, *kept);
    ticks.insert(place, *kept);
    return true;
}

bool MemoryHistory::store(const NodeProcesses& processes, qint64 arrivedMs)
{
    NodeProcesses kept = processes;
    if (!isPlausibleTime(kept.takenMs))
        kept.takenMs = arrivedMs;
    const int row = kept.node.isEmpty() || !isPlausibleTime(kept.takenMs) ? -1 : rowOf(kept.node);
    if (row < 0)
        return false;
    auto& all = m_data[std::size_t(row)].processes;
    const auto place = from(all, kept.takenMs);
    if (place != all.cend() && place->takenMs == kept.takenMs)
        return false;
    all.insert(place, kept);
    return true;
}

TimeSpan MemoryHistory::span() const
{
    TimeSpan all;
    for (const Row& row : m_data) {
        if (row.ticks.empty())
            continue;
        const qint64 first = row.ticks.front().takenMs;
        all.fromMs = all.length() > 0 ? qMin(all.fromMs, first) : first;
        all.toMs = qMax(all.toMs, row.ticks.back().takenMs + 1);
    }
    return all;
}

QList<NodeTick> MemoryHistory::frameAt(qint64 ms, qint64 maxAgeMs) const
{
    QList<NodeTick> frame;
    for (const Row& row : m_data) {
        const NodeTick* tick = newestAt(row.ticks, ms);
        if (tick && ms - tick->takenMs <= maxAgeMs)
            frame.append(*tick);
    }
    return frame;
}

QList<HistoryBucket> MemoryHistory::buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const
{
    BucketFiller filler(span, count);
    if (gpu.node >= 0 && std::size_t(gpu.node) < m_data.size()) {
        const auto& ticks = m_data[std::size_t(gpu.node)].ticks;
        for (auto tick = from(ticks, span.fromMs); tick != ticks.end() && tick->takenMs < span.toMs; ++tick) {
            for (const GpuSample& sample : tick->gpus) {
                const auto value = TelemetrySeries::value(sample, measure);
                if (sample.index == gpu.gpu && value)
                    filler.add(tick->takenMs, float(*value));
            }
        }
    }
    return filler.buckets();
}

QList<TimeSpan> MemoryHistory::gaps(qint64 longerThanMs) const
{
    QList<qint64> moments;
    for (const Row& row : m_data) {
        for (const NodeTick& tick : row.ticks)
            moments.append(tick.takenMs);
    }
    return gapsBetween(moments, longerThanMs);
}

void MemoryHistory::forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const
{
    for (const Row& row : m_data) {
        for (auto tick = from(row.ticks, span.fromMs); tick != row.ticks.end() && tick->takenMs < span.toMs; ++tick)
            take(*tick);
    }
}

QList<NodeProcesses> MemoryHistory::processesAt(qint64 ms) const
{
    QList<NodeProcesses> reported;
    for (const Row& row : m_data) {
        if (const NodeProcesses* newest = newestAt(row.processes, ms))
            reported.append(*newest);
    }
    return reported;
}

QList<TimeSpan> gapsBetween(QList<qint64> moments, qint64 longerThanMs)
{
    QList<TimeSpan> gaps;
    std::sort(moments.begin(), moments.end());
    for (qsizetype i = 1; i < moments.size(); ++i) {
        if (moments.at(i) - moments.at(i - 1) > longerThanMs)
            gaps.append({moments.at(i - 1), moments.at(i)});
    }
    return gaps;
}

} // namespace rankwright
