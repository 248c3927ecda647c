// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressline.h"

namespace rankwright::inline insight {

/// The training loss that a piece of a line names; losses of validation and auxiliary losses are none.
std::optional<double> lossIn(const QString& text);

/// Puts "Epoch 3/10" and its like into the hint; leaves it as it is where the line names no epoch.
void readEpoch(const QString& text, const LineClues& clues, ProgressHint& hint);

/// Puts the batch that the line names ("global batch size: 256", "micro-batch 8", "batch 32 per GPU") into the hint.
void readBatch(const QString& text, const LineClues& clues, ProgressHint& hint);

/// Does the line, or the description of a bar, speak of evaluation?
bool isEvaluation(const QString& text, const LineClues& clues);

} // namespace rankwright::inline insight
