// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/plotting.h"

namespace rankwright {

class Theme;

/// Sets quiet axes in the theme's colours, with numbers written as everywhere in the window; call it again when the
/// theme changes.
void stylePlot(QCustomPlot& plot, const Theme& theme);
/// An axis over [low, high] (both above 0) with a little room, logarithmic when the values span more than a factor
/// of 6.
void fitAxis(QCPAxis& axis, double low, double high);
/// Draws a plot unless it has no size: QCustomPlot warns about each layer then.
void replotIfShown(QCustomPlot& plot);

} // namespace rankwright
