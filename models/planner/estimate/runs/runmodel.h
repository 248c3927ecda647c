// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/runs/runwords.h"

namespace rankwright::inline planner::runs {

/// The model. In: the stack. Out: workload.shape and .sequence, missing, note.
/// Videos and images made from noise: tokens of a latent, no vocabulary.
bool generatesImages(const RunWords& words);

void readShape(RunRow& row, const RunCells& cells, const RunWords& words);

} // namespace rankwright::inline planner::runs
