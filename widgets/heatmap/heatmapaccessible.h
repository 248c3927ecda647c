// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright {

class HeatMapView;

/// Makes every HeatMapView a table to assistive tools: nodes are rows, GPUs columns, a cell's name says rank, place,
/// measure and age. Registers a factory once; safe to call often.
void installHeatMapAccessibility();
/// Notifies assistive tools that the view's current cell has the focus. Values that change four times a second are not
/// announced: a reader asks for them.
void announceHeatMapFocus(HeatMapView& view);

} // namespace rankwright
