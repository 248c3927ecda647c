// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/runs/runwords.h"

namespace rankwright::inline planner::runs {

/// Precision, optimiser, recomputation, attention and switches. In: stack and layout are there, the shape too.
void readDefaults(RunRow& row, const RunWords& words);
MemoryCounter counterOf(const RunWords& words, const QString& stack);

} // namespace rankwright::inline planner::runs
