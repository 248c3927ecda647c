// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// Fills in `starts`; the rest of the facts must stand.
void collectStarts(LintFacts& facts);

} // namespace rankwright::inline script::lint
