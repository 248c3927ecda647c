// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright {

class RankMapView;

/// Makes every RankMapView a table to assistive tools: nodes are rows, GPUs columns, a cell's name is the rank, its
/// description where the rank runs. Registers a factory once; safe to call often.
void installRankMapAccessibility();
/// Notifies assistive tools that the view's selected GPU has the focus.
void announceRankMapFocus(RankMapView& view);

} // namespace rankwright
