// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace rankwright::inline core {

/// What a choice takes: time and money, in whatever units; infinity: not known.
struct TimeAndMoney {
    double seconds = 0;
    double money = 0;
};

/// Indices of the choices that no other beats in both, fastest first. Of choices that cost the same within `sameShare`
/// (0.01: one per cent) only the fastest. O(n log n) in those between the fastest and the cheapest.
std::vector<std::size_t> paretoFront(const std::vector<TimeAndMoney>& choices, double sameShare);

} // namespace rankwright::inline core
