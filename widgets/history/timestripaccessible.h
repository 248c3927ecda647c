// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace rankwright {

class Theme;

/// Makes every TimeStrip a slider for assistive tools, with the moment in words.
void installTimeStripAccessibility();

/// The colour that says "this is the past" wherever the page shows an earlier moment; never used for a state.
QColor pastColour(const Theme& theme);

} // namespace rankwright
