// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array> // <compare>: moc of Qt 6.4 cannot parse that header itself

namespace rankwright::inline core {

/// Address of one GPU of a job: node = row, gpu = column, both from 0, in the order of the allocation.
struct GpuAddress {
    int node = 0;
    int gpu = 0;
    auto operator<=>(const GpuAddress&) const = default; // NOLINT(modernize-use-nullptr): of what is generated
};

} // namespace rankwright::inline core
