// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/standouts.h"

#include "widgets/gpureading.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rankwright {

namespace {

constexpr qint64 windowMs = 10'000;
constexpr int minValues = 5;
constexpr int minPeers = 4;
constexpr double utilisationLimit = 25; // points
constexpr double capShare = 0.15;
constexpr double medianShare = 0.30;
constexpr double deviations = 4 * 1.4826; // of the median absolute deviation, for a normal distribution

double median(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

struct Judged {
    GpuAddress gpu;
    double mean = 0;
};

std::vector<Judged> judge(const GpuGridModel& grid, Measure measure)
{
    const int step = measure == Measure::Power ? std::max(1, grid.gpusPerPackage()) : 1;
    std::vector<Judged> judged;
    for (int node = 0; node < grid.rowCount(); ++node) {
        for (int gpu = 0; gpu < grid.gpusPerNode(); gpu += step) {
            for (int die = gpu; die < std::min(gpu + step, grid.gpusPerNode()); ++die) {
                if (grid.series().isStale({node, die}, grid.nowMs()))
                    continue;
                if (const std::optional<double> mean = recentMean(grid, {node, die}, measure)) {
                    judged.push_back({{node, gpu}, *mean});
                    break;
                }
            }
        }
    }
    return judged;
}

QList<Standout> standoutsOf(const GpuGridModel& grid, Measure measure)
{
    const std::vector<Judged> judged = judge(grid, measure);
    if (judged.size() < minPeers)
        return {};
    std::vector<double> values;
    for (const Judged& one : judged)
        values.push_back(one.mean);
    const double typical = median(values);
    for (double& value : values)
        value = std::abs(value - typical);
    const double spread = median(values);
    double limit = utilisationLimit;
    if (measure == Measure::Power) {
        const std::optional<double> cap = powerCapOf(grid, judged.front().gpu);
        limit = cap ? capShare * *cap : medianShare * typical;
    }
    limit = std::max(limit, deviations * spread);
    QList<Standout> found;
    for (const Judged& one : judged) {
        if (std::abs(one.mean - typical) > limit)
            found.append({one.gpu, measure, one.mean, typical, int(judged.size())});
    }
    return found.size() * 4 <= qsizetype(judged.size()) ? found : QList<Standout>();
}

} // namespace

std::optional<double> recentMean(const GpuGridModel& grid, GpuAddress address, Measure measure)
{
    return grid.series().mean(address, measure, grid.nowMs(), windowMs, minValues);
}

QList<Standout> findStandouts(const GpuGridModel& grid)
{
    return standoutsOf(grid, Measure::Utilization) + standoutsOf(grid, Measure::Power);
}

} // namespace rankwright
