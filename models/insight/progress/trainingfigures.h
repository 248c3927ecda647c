// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/progress/progressclues.h"
#include "models/insight/progress/progressline.h"

namespace rankwright::inline insight {

/// Whether a line also says how far the training is: only then are its tokens and samples per second the training's.
enum class FigureLine { OfTraining, Other };

/// What a line measures beside step and loss: mean reward, KL divergence, loss of the validation, tokens and samples
/// per second. A hint of the kind Figures; empty: nothing of these.
std::optional<ProgressHint> figuresIn(const QString& text, const LineClues& clues, FigureLine line);

/// The loss of a line that says nothing else, as lines below the heading of a step do: "  • Loss: 0.0123".
std::optional<double> lossAlone(const QString& text);

/// The step of a heading above such lines, which alone means little: "Iteration:  3".
std::optional<qint64> stepAlone(const QString& text);

} // namespace rankwright::inline insight
