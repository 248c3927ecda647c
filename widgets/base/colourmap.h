// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/telemetryseries.h"

#include <QColor>

namespace rankwright {

/// Perceptual scales of the heat map: lightness rises in equal steps from dark to bright, so that they survive a
/// colour-blind eye and a grey print. Same in light and dark mode: a picture of a run looks the same everywhere.
enum class Ramp { Magnitude, Heat };

/// Colour at `position` 0..1 (clamped). Looked up in a table of 256 steps: cheap enough for 16 384 cells per frame.
QRgb rampColour(Ramp ramp, double position);
/// Temperature has its own ramp: "bright" there does not mean good.
Ramp rampOf(Measure measure);

/// Pure black or white, whichever reads better: the only pair of which one reaches 4.5 : 1 on every colour of a ramp.
QColor inkOnRamp(const QColor& background);

} // namespace rankwright
