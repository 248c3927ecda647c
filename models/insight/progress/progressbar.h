// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressline.h"

namespace rankwright::inline insight {

/// A progress bar of the training: tqdm's ("42%|####  | 212/500 [01:16<01:43, 2.78it/s, loss=1.7]"), its counter
/// without a total ("123it [00:05, 24.1it/s]"), Ultralytics' own. Bars of evaluation, loading and preparation are none.
std::optional<ProgressHint> progressBarIn(const QString& text, const LineClues& clues);

} // namespace rankwright::inline insight
