// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace rankwright::inline tables {

/// How far each GPU is from the typical one.
struct OutlierScores {
    std::optional<float> typical; ///< median of all values; empty: fewer than 4
    std::vector<float> scores; ///< robust standard deviations from it; 0: no value
};

/// Scores of `values` (NaN: none): the distance from the median, over the larger of the robust standard deviation
/// (1.4826 x median absolute deviation) and the least difference that matters at that median.
OutlierScores outlierScores(
    const std::vector<float>& values, const std::function<float(float typical)>& leastThatMatters);

} // namespace rankwright::inline tables
