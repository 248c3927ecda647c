// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/ranksample.h"
#include "models/insight/telemetry/telemetryseries.h"

#include <functional>

namespace rankwright::inline insight {

/// Half-open stretch of time [fromMs, toMs), ms since 1970 by the nodes' clocks.
struct TimeSpan {
    qint64 fromMs = 0;
    qint64 toMs = 0;
    qint64 length() const { return toMs > fromMs ? toMs - fromMs : 0; }
    bool operator==(const TimeSpan&) const = default;
};

/// What one GPU reported of one measure within a stretch of time; `samples` 0: nothing was reported, the figures mean
/// nothing.
struct HistoryBucket {
    TimeSpan span;
    int samples = 0;
    float least = 0;
    float mean = 0;
    float most = 0;
    bool operator==(const HistoryBucket&) const = default;
};

class NodeSums;

/// A visitor of a history: each function returns whether more is wanted. Without `sums` only ticks come.
struct HistoryVisitor {
    std::function<bool(const NodeTick&)> tick;
    std::function<bool(const NodeSums&)> sums = {}; ///< in place of the ticks from its first to its last
};

/// All that was sampled of one job, from its first sample to the newest, whatever its length: for the time slider,
/// replay, zoom, reports and exports. Implemented by the recording on disk (app/store), by the ring buffers of a job
/// without one (SeriesHistory), and in memory for tests (MemoryHistory). Rows are nodes in the order of nodes().
class TelemetryHistory {
public:
    /// A picture of the past shows values up to this age, stale ones as such: as long as a live one keeps samples.
    static constexpr qint64 shownForMs = 600'000;
    virtual ~TelemetryHistory() = default;

    virtual QStringList nodes() const = 0;
    virtual int gpusPerNode() const = 0; ///< the widest node's
    virtual TimeSpan span() const = 0; ///< empty: nothing was recorded
    /// The picture at one moment: of every node its newest tick not after `ms` and not older than `maxAgeMs`. A node
    /// without one is left out.
    virtual QList<NodeTick> frameAt(qint64 ms, qint64 maxAgeMs = 5000) const = 0;
    /// One GPU's curve, oldest first, in `count` equal buckets over `span`; buckets without samples stay empty. Cheap
    /// for any length (coarser levels are kept): below 20 ms for 24 h.
    virtual QList<HistoryBucket> buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const = 0;
    /// Stretches longer than `longerThanMs` in which no node reported anything.
    virtual QList<TimeSpan> gaps(qint64 longerThanMs) const = 0;
    /// Calls `take` with every recorded tick within `span`, in order of time (of one node; nodes one after another).
    virtual void forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const = 0;
    /// The same until no more is wanted; where sums are wanted and the history keeps them, they come in place of the
    /// ticks that they are of, which lie wholly within `span`.
    virtual void visit(TimeSpan span, const HistoryVisitor& visitor) const
    {
        bool wanted = true;
        forEachTick(span, [&](const NodeTick& tick) { wanted = wanted && visitor.tick(tick); });
    }
    /// The processes of the job's ranks, as last reported not after `ms`; empty: not reported.
    virtual QList<NodeProcesses> processesAt(qint64 ms) const = 0;
    /// The same of the node in that row alone.
    virtual std::optional<NodeProcesses> processesOf(int node, qint64 ms) const
    {
        const QString name = nodes().value(node);
        for (const NodeProcesses& one : processesAt(ms)) {
            if (one.node == name)
                return one;
        }
        return std::nullopt;
    }
};

} // namespace rankwright::inline insight
