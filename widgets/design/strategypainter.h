// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"
#include "widgets/design/strategylayout.h"

class QPainter;

namespace rankwright {

/// Paints the picture of a strategy. Stateless: geometry and figures in, pixels out. `selectedRank`: a global rank
/// whose share, slice and stage are marked; -1: none.
void paintStrategy(QPainter& painter, const StrategyLayout& layout, const StrategyPicture& picture, int selectedRank,
    Theme::Scheme scheme);

} // namespace rankwright
