// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace rankwright::inline core {

/// The middle of the values, of an even number the mean of the two in the middle. `values`: one at least; a span is
/// reordered.
template <typename Values>
auto median(Values values)
{
    const auto half = std::ptrdiff_t(std::size(values) / 2);
    const auto middle = std::next(std::begin(values), half);
    std::nth_element(std::begin(values), middle, std::end(values));
    if (std::size(values) % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(std::begin(values), middle)) / 2;
}

/// The value below which half of the weight lies; 0 of no values.
template <typename Number>
Number weightedMedian(std::vector<std::pair<Number, Number>> valuesAndWeights)
{
    std::sort(valuesAndWeights.begin(), valuesAndWeights.end());
    Number all = 0;
    for (const auto& each : valuesAndWeights)
        all += each.second;
    Number below = 0;
    for (const auto& [value, weight] : valuesAndWeights) {
        below += weight;
        if (below * 2 >= all)
            return value;
    }
    return valuesAndWeights.empty() ? Number(0) : valuesAndWeights.back().first;
}

} // namespace rankwright::inline core
