// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/runs/runwords.h"

namespace rankwright::inline planner::runs {

/// Degrees and batch. In: the stack, the shape. Out: layout, missing, missingForTime, note.
void readLayout(RunRow& row, const RunCells& cells, const RunWords& words);

} // namespace rankwright::inline planner::runs
