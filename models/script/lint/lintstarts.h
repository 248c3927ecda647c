// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// Fills in `starts`; the rest of the facts must stand.
void collectStarts(LintFacts& facts);

/// In a condition, without srun: the other way to start a program that the script also starts by srun or mpirun.
bool isOtherWay(const LintFacts& facts, const Start& plain);

} // namespace rankwright::inline script::lint
