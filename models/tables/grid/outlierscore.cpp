// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/grid/outlierscore.h"

#include "models/core/statistics.h"

#include <algorithm>
#include <cmath>

namespace rankwright::inline tables {

namespace {

constexpr std::size_t leastPeers = 4;

} // namespace

OutlierScores outlierScores(
    const std::vector<float>& values, const std::function<float(float typical)>& leastThatMatters)
{
    OutlierScores result;
    result.scores.assign(values.size(), 0);
    std::vector<float> reported;
    for (const float value : values) {
        if (!std::isnan(value))
            reported.push_back(value);
    }
    if (reported.size() < leastPeers)
        return result;
    const float typical = median(reported);
    for (float& value : reported)
        value = std::abs(value - typical);
    const float scale = std::max({1.4826F * median(reported), leastThatMatters(typical), 1e-3F});
    for (std::size_t index = 0; index < values.size(); ++index) {
        if (!std::isnan(values[index]))
            result.scores[index] = std::abs(values[index] - typical) / scale;
    }
    result.typical = typical;
    return result;
}

} // namespace rankwright::inline tables
