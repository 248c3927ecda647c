// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/estimate/workload.h"

namespace rankwright::inline planner {

/// Whether a workload can be spread like this: one clear sentence and what to change when it cannot. Whatever passes
/// has an estimate that is finite and positive. In: a shape that checkShape() accepts or refuses; any figures.
Result<void> checkLayout(const Workload& workload, const Layout& layout);

/// Its two halves. The workload alone: shape, sequence, shares.
Result<void> checkWorkload(const Workload& workload);
/// In: a workload that checkWorkload() accepts; cheap, for a search over many layouts.
Result<void> checkSpread(const Workload& workload, const Layout& layout);

} // namespace rankwright::inline planner
