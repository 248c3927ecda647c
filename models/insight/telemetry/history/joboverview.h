// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/telemetryhistory.h"

#include <array>
#include <map>

namespace rankwright::inline insight {

/// Several curves over the same buckets as one: the lowest, the highest, and the mean of all samples.
QList<HistoryBucket> mergedBuckets(const QList<QList<HistoryBucket>>& curves);

/// Whose curve: one GPU's, or (`gpu` empty) all of one node together.
struct HistorySubject {
    int node = 0;
    std::optional<int> gpu;
    auto operator<=>(const HistorySubject&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};

/// The curve of one GPU or node. A package's power is reported on its first die and belongs to all its dies
/// (`gpusPerPackage` 2 on an MI250X).
QList<HistoryBucket> overviewOf(const TelemetryHistory& history, const HistorySubject& subject, Measure measure,
    TimeSpan span, int count, int gpusPerPackage = 1);

/// The whole job's curve of every measure, fed as it comes, in constant memory: at most `capacity` equal cells, which
/// double their width when the job outgrows them. For the picture behind the time slider. Value type.
class JobOverview {
public:
    explicit JobOverview(int capacity = 2048, qint64 firstCellMs = 1000);

    /// `arrivedMs` stands in for a clock that was not reported.
    void add(const NodeTick& tick, qint64 arrivedMs = 0);
    /// What was recorded of one GPU earlier.
    void add(Measure measure, const QList<HistoryBucket>& curve);
    void clear();
    bool isEmpty() const { return m_cells.empty(); }
    qint64 cellMs() const { return m_cellMs; }
    /// In `count` equal buckets over `span`; empty ones where nothing was reported. A cell wider than a bucket shows in
    /// all buckets that it covers.
    QList<HistoryBucket> curve(Measure measure, TimeSpan span, int count) const;

private:
    struct Figure {
        qint64 samples = 0;
        double sum = 0;
        float least = 0;
        float most = 0;
        void add(qint64 count, double total, float low, float high);
    };
    static constexpr std::array measures{Measure::Utilization, Measure::Memory, Measure::Power, Measure::Temperature,
        Measure::Clock, Measure::Processes};
    using Cell = std::array<Figure, measures.size()>;
    Cell& cellAt(qint64 ms);
    void coarsen();

    std::map<qint64, Cell> m_cells; ///< by number of cell since 1970
    std::size_t m_capacity;
    qint64 m_firstCellMs;
    qint64 m_cellMs;
};

} // namespace rankwright::inline insight
