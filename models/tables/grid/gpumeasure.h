// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/gpuvalue.h"
#include "models/tables/grid/gpugrid.h"

#include <optional>
#include <span>
#include <vector>

namespace rankwright::inline tables {

/// How far a cell can be trusted: nothing ever came; lately; not lately; the last picture of a job that has ended.
enum class Freshness : quint8 { Never, Fresh, Stale, Last };

/// The value of a GPU at the grid's moment (valueAt); what every view of a grid shows.
GpuValue valueOf(const GpuGrid& grid, GpuAddress gpu, Measure measure);
/// The same as a mean of the `spanMs` before that moment.
GpuValue meanOf(const GpuGrid& grid, GpuAddress gpu, Measure measure, qint64 spanMs);
/// Of the job of a grid; once it has ended, a missing fresh value raises no alarm.
enum class GridState : quint8 { Running, Ended };
Freshness freshnessOf(const GpuValue& value, GridState state);

/// One GPU in one measure.
struct GpuCell {
    float value = TelemetrySeries::unknown; ///< NaN: not reported
    float outlierScore = 0; ///< robust standard deviations from the job's typical value; silentOutlierScore: no data
    Freshness freshness = Freshness::Never;
    bool isTrusted() const { return freshness == Freshness::Fresh || freshness == Freshness::Last; }
};

/// What can be said of some nodes together, in the measure's unit.
struct FieldSummary {
    int gpus = 0;
    int reported = 0; ///< GPUs with a value that can be trusted
    int silent = 0; ///< GPUs that fell silent, or never reported while others did
    float low = 0, typical = 0,
          high = 0; ///< least, median, greatest of what was reported; nothing reported: mean nothing
    std::optional<GpuAddress> worst; ///< the one that deviates most from the whole job, silent ones first
    float worstOutlierScore = 0;
};

/// One measure of all GPUs of a grid as a flat table, so that thousands can be painted, summed up and ordered without
/// asking the grid for each. Power of a package of two dies is reported once and belongs to both.
///
/// OutlierScore: the mean of the last 10 s against the median of all GPUs' means, over the larger of the robust
/// standard deviation (1.4826 x median absolute deviation) and a least difference that matters (5 points of
/// utilisation, 3 % of the memory, 3 % of the power cap or 6 % of the typical power, 3 °C, 4 % of the typical clock,
/// 0.2 processes). Fewer than 4 GPUs with values: no outliers. Values, no signals; refreshed by its owner.
class GpuMeasure {
public:
    static constexpr float outlierFrom = 5;
    static constexpr float silentOutlierScore = 1000;

    /// Everything again: another grid, shape, measure, or an ended job.
    void rebuild(const GpuGrid& grid, Measure measure, GridState state);
    /// The values of some rows; outlier scores stay as they were evaluated.
    void refresh(const GpuGrid& grid, std::span<const int> rows);
    /// OutlierScore of all, from the last 10 s. To be called about once a second.
    void scoreOutliers(const GpuGrid& grid);

    Measure measure() const { return m_measure; }
    int nodes() const { return m_nodes; }
    int gpusPerNode() const { return m_width; }
    const GpuCell& at(GpuAddress gpu) const
    {
        return m_cells[std::size_t(gpu.node) * std::size_t(m_width) + std::size_t(gpu.gpu)];
    }
    /// Of each node its worst outlier's; as OutlierOrder takes it.
    std::span<const float> nodeScores() const { return m_scores; }
    /// An outlier, unless more than a quarter of the GPUs are: that is two groups rather than exceptions.
    bool isOutlier(GpuAddress gpu) const { return !m_twoGroups && at(gpu).outlierScore >= outlierFrom; }
    FieldSummary summaryOf(std::span<const int> rows) const;
    /// Median of what all GPUs reported in the last 10 s; empty below 4 values.
    std::optional<float> typical() const { return m_typical; }

private:
    void refreshRow(const GpuGrid& grid, int row);
    std::vector<float> recentMeans(const GpuGrid& grid) const;
    float leastThatMatters(const GpuGrid& grid, float typical) const;

    Measure m_measure = Measure::Utilization;
    GridState m_state = GridState::Running;
    bool m_twoGroups = false;
    int m_nodes = 0;
    int m_width = 0;
    std::optional<float> m_typical;
    std::vector<GpuCell> m_cells;
    std::vector<float> m_scores;
};

} // namespace rankwright::inline tables
