// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/stepphases.h"
#include "widgets/base/theme.h"

class QPainter;

namespace rankwright {

/// The phases of a step over a few ranks, and a sentence for each: what can be drawn without a model.
struct PhasesPicture {
    QList<StepPhase> phases; ///< empty: no picture
    int ranks = 1; ///< that work on a step
    QString note; ///< what is missing for more, below
};

/// Pixels that it needs in this width.
double phasesHeight(const PhasesPicture& picture, double width);
/// Stateless: figures in, pixels out.
void paintPhases(QPainter& painter, const QRectF& room, const PhasesPicture& picture, Theme::Scheme scheme);

} // namespace rankwright
