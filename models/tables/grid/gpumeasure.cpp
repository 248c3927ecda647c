// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/gpumeasure.h"

#include "models/core/statistics.h"
#include "models/core/units.h"
#include "models/tables/grid/outlierscore.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline tables {

namespace {

constexpr qint64 windowMs = 10'000;

} // namespace

GpuValue valueOf(const GpuGrid& grid, GpuAddress gpu, Measure measure)
{
    return valueAt(grid.series(), gpu, measure, grid.nowMs(), grid.gpusPerPackage());
}

GpuValue meanOf(const GpuGrid& grid, GpuAddress gpu, Measure measure, qint64 spanMs)
{
    return meanUntil(grid.series(), gpu, measure, grid.nowMs(), spanMs, grid.gpusPerPackage());
}

Freshness freshnessOf(const GpuValue& value, GridState state)
{
    if (!value.hasSample())
        return Freshness::Never;
    if (state == GridState::Ended)
        return Freshness::Last;
    return value.stale ? Freshness::Stale : Freshness::Fresh;
}

void GpuMeasure::rebuild(const GpuGrid& grid, Measure measure, GridState state)
{
    m_measure = measure;
    m_state = state;
    m_nodes = grid.nodeCount();
    m_width = grid.gpusPerNode();
    m_cells.assign(std::size_t(m_nodes) * std::size_t(m_width), {});
    m_scores.assign(std::size_t(m_nodes), 0);
    for (int row = 0; row < m_nodes; ++row)
        refreshRow(grid, row);
    scoreOutliers(grid);
}

void GpuMeasure::refresh(const GpuGrid& grid, std::span<const int> rows)
{
    for (const int row : rows) {
        if (row >= 0 && row < m_nodes)
            refreshRow(grid, row);
    }
}

void GpuMeasure::refreshRow(const GpuGrid& grid, int row)
{
    for (int gpu = 0; gpu < m_width; ++gpu) {
        GpuCell& cell = m_cells[std::size_t(row) * std::size_t(m_width) + std::size_t(gpu)];
        const GpuValue value = valueOf(grid, {row, gpu}, m_measure);
        cell.freshness = freshnessOf(value, m_state);
        cell.value = value.value ? float(*value.value) : TelemetrySeries::unknown;
    }
}

std::vector<float> GpuMeasure::recentMeans(const GpuGrid& grid) const
{
    std::vector<float> means(m_cells.size(), TelemetrySeries::unknown);
    for (std::size_t index = 0; index < m_cells.size(); ++index) {
        if (!m_cells[index].isTrusted() || m_state == GridState::Ended)
            continue;
        const GpuAddress address{int(index) / m_width, int(index) % m_width};
        if (const std::optional<double> mean = meanOf(grid, address, m_measure, windowMs).value)
            means[index] = float(*mean);
    }
    return means;
}

float GpuMeasure::leastThatMatters(const GpuGrid& grid, float typical) const
{
    const auto largest = [&](auto figure) {
        double most = 0;
        for (int node = 0; node < m_nodes; ++node) {
            if (const GpuSample* sample = grid.series().latest({node, 0}))
                most = std::max(most, double(figure(*sample).value_or(0)));
        }
        return float(most);
    };
    switch (m_measure) {
    case Measure::Utilization: return 5;
    case Measure::Memory: {
        const float total
            = largest([](const GpuSample& sample) { return sample.memoryTotalBytes; }) / float(bytesPerGib);
        return 0.03F * (total > 0 ? total : typical);
    }
    case Measure::Power: {
        const float cap = largest([](const GpuSample& sample) { return sample.powerCapWatts; });
        return cap > 0 ? 0.03F * cap : 0.06F * typical;
    }
    case Measure::Temperature: return 3;
    case Measure::Clock: return 0.04F * typical;
    case Measure::Processes: return 0.2F;
    }
    return 1;
}

void GpuMeasure::scoreOutliers(const GpuGrid& grid)
{
    const std::vector<float> means = recentMeans(grid);
    const OutlierScores outliers = outlierScores(means, [&](float typical) { return leastThatMatters(grid, typical); });
    m_typical = outliers.typical;
    const bool anyFresh = std::any_of(
        m_cells.begin(), m_cells.end(), [](const GpuCell& cell) { return cell.freshness == Freshness::Fresh; });
    std::size_t odd = 0, reported = 0;
    for (std::size_t index = 0; index < m_cells.size(); ++index) {
        GpuCell& cell = m_cells[index];
        const bool silent = anyFresh && (cell.freshness == Freshness::Stale || cell.freshness == Freshness::Never);
        cell.outlierScore = silent ? silentOutlierScore : outliers.scores[index];
        odd += cell.outlierScore >= outlierFrom && !silent ? 1 : 0;
        reported += std::isnan(means[index]) ? 0 : 1;
    }
    m_twoGroups = odd * 4 > reported;
    for (int row = 0; row < m_nodes; ++row) {
        const auto first = m_cells.begin() + std::ptrdiff_t(row) * m_width;
        float most = 0;
        for (auto cell = first; cell != first + m_width; ++cell)
            most = std::max(most, cell->outlierScore);
        m_scores[std::size_t(row)] = most;
    }
}

FieldSummary GpuMeasure::summaryOf(std::span<const int> rows) const
{
    FieldSummary summary;
    std::vector<float> reported;
    reported.reserve(rows.size() * std::size_t(m_width));
    for (const int row : rows) {
        for (int gpu = 0; gpu < m_width && row >= 0 && row < m_nodes; ++gpu) {
            const GpuCell& cell = at({row, gpu});
            ++summary.gpus;
            summary.silent += cell.outlierScore >= silentOutlierScore ? 1 : 0;
            if (cell.isTrusted() && !std::isnan(cell.value))
                reported.push_back(cell.value);
            if (!summary.worst || cell.outlierScore > summary.worstOutlierScore) {
                summary.worst = GpuAddress{row, gpu};
                summary.worstOutlierScore = cell.outlierScore;
            }
        }
    }
    summary.reported = int(reported.size());
    if (!reported.empty()) {
        const auto [low, high] = std::minmax_element(reported.begin(), reported.end());
        summary.low = *low;
        summary.high = *high;
        summary.typical = median(std::move(reported));
    }
    return summary;
}

} // namespace rankwright::inline tables
