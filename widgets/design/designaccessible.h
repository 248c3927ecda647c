// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright {

/// Makes every BatchView and StrategyView a table to assistive tools: a row for each data-parallel rank (or stage), a
/// column for each figure. Registers a factory once; safe to call often.
void installDesignAccessibility();

} // namespace rankwright
