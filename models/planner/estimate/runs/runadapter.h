// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"
#include "models/planner/estimate/runs/runwords.h"

namespace rankwright::inline planner::runs {

/// Whether a row trains a loaded model: an adapter, a stack that does nothing else, or words that say so.
bool isFineTuning(const RunWords& words, const QString& stack);

/// Adapters, quantised bases and losses by the words of strategy, notes and precision. Sets workload.adapter; what is
/// not said is the default of row.stack.
void readAdapters(RunRow& row, const RunWords& words);

/// How logits become a loss, by the words.
LossKind lossOf(const RunWords& words, const QString& stack);

} // namespace rankwright::inline planner::runs
