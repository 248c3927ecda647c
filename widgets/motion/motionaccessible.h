// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace rankwright {

/// Makes every MotionView a table to assistive tools: a row for each frame, with its sentence; the one that is shown is
/// selected. Registers a factory once; safe to call often.
void installMotionAccessibility();

} // namespace rankwright
