// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lint.h"
#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// What all rules say of a script; without silences.
using LintRun = std::function<QList<Finding>(const LintFacts&)>;

/// Adds to `findings`, what was found of `facts` itself, what holds on some way through a choice: on all ways alike it
/// is known and keeps its severity; on some it is a hint that begins with “Perhaps”. Findings of lines whose value
/// hangs on a choice, and that one of the ways does not have, become such hints.
void addPerhaps(const LintFacts& facts, QList<Finding>& findings, const LintRun& relint);

} // namespace rankwright::inline script::lint
