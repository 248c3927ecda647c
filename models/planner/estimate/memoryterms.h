// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/memorymodel.h"

namespace rankwright::inline planner {

/// In: a workload whose shape checkShape() accepts.
MemoryTerms memoryTerms(const Workload& workload, const StackMemory& stack);

/// 8-bit linears of a PyTorch that is not compiled: autograd keeps the casts of their weights.
bool savesFloat8Casts(const Workload& workload, const StackMemory& stack);

} // namespace rankwright::inline planner
