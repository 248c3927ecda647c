// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright::inline insight {

// A GPU whose ranks spin in a collective shows full use at low power: 90 to 140 W of an MI250X package's 500 W, 95
// to 130 W of an H100's 700 W (measured on LUMI and in public reports, docs/alerts.md). For alerts and report alike.

inline constexpr double fullUsePercent = 90;
inline constexpr double waitingPowerShare = 0.34; ///< of the power limit

} // namespace rankwright::inline insight
