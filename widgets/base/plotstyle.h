// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/plotting.h"

namespace rankwright {

class Theme;

/// Quiet axes in the theme's colours and numbers as everywhere in the window; again after each change of theme.
void stylePlot(QCustomPlot& plot, const Theme& theme);
/// An axis over [low, high] (both above 0) with a little room, logarithmic when the values span more than a factor
/// of 6.
void fitAxis(QCPAxis& axis, double low, double high);
/// Draws a plot that has pixels; one without would complain at each of its layers.
void replotIfShown(QCustomPlot& plot);

} // namespace rankwright
