// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/modelshape.h"

#include <array>
#include <optional>

namespace rankwright::inline planner {

/// The sums behind countParameters(), over whole numbers for the exact count and over doubles to see beforehand that
/// the exact one stays in range.
template <typename N>
struct ParameterSums {
    N block = 0, blocks = 0, blockNorms = 0, experts = 0, idleExperts = 0, embedding = 0, head = 0, other = 0;
    N total() const { return blocks + embedding + head + other; }
};

/// Residual blocks of the four stages (He et al. 2015, arXiv:1512.03385, table 1). In: 18, 34, 50, 101 or 152.
std::optional<std::array<int, 4>> residualStages(int depth);

template <typename N>
ParameterSums<N> sumParameters(const ModelShape& shape);

extern template ParameterSums<qint64> sumParameters(const ModelShape& shape);
extern template ParameterSums<double> sumParameters(const ModelShape& shape);

} // namespace rankwright::inline planner
