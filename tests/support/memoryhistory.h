// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

#include <QHash>

#include <vector>

namespace rankwright {

/// A history in memory: for tests, and for what needs no file. Keeps everything it is given (1 KiB per tick of 8 GPUs);
/// for a job of hours there is the recording on disk. Value type, not for several threads at once.
class MemoryHistory final : public TelemetryHistory {
public:
    MemoryHistory() = default;
    /// Rows that exist before data arrives; unknown nodes are appended.
    explicit MemoryHistory(const QStringList& nodes, int gpusPerNode = 0);

    /// Stores a tick in its place in time, whenever it arrives. `arrivedMs` stands in for a clock that was not
    /// reported. A second tick of the same node and moment adds the GPUs that the first has not. False: nothing new was
    /// in it.
    bool store(const NodeTick& tick, qint64 arrivedMs = 0);
    /// The same for processes; of one node and moment the first stays.
    bool store(const NodeProcesses& processes, qint64 arrivedMs = 0);

    QStringList nodes() const override { return m_nodes; }
    int gpusPerNode() const override { return m_gpusPerNode; }
    TimeSpan span() const override;
    QList<NodeTick> frameAt(qint64 ms, qint64 maxAgeMs = 5000) const override;
    QList<HistoryBucket> buckets(GpuAddress gpu, Measure measure, TimeSpan span, int count) const override;
    QList<TimeSpan> gaps(qint64 longerThanMs) const override;
    void forEachTick(TimeSpan span, const std::function<void(const NodeTick&)>& take) const override;
    QList<NodeProcesses> processesAt(qint64 ms) const override;

private:
    struct Row {
        std::vector<NodeTick> ticks; ///< by time, each moment once
        std::vector<NodeProcesses> processes;
    };
    /// -1: there are too many already.
    int rowOf(const QString& node);

    QStringList m_nodes;
    QHash<QString, int> m_rows;
    std::vector<Row> m_data;
    int m_gpusPerNode = 0;
};

/// Holes longer than `longerThanMs` between moments, which need not be in order.
QList<TimeSpan> gapsBetween(QList<qint64> moments, qint64 longerThanMs);

} // namespace rankwright
