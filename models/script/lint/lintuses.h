// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// The text of the script's own commands at their places, a line each. Comments, here-documents and what echo or printf
/// only writes to the log are blank: they are not run.
QStringList codeLinesOf(const BatchText& batch);
/// echo or printf whose text goes to the log: not into a file, a pipe or a variable.
bool onlyPrints(const ShellCommand& command);
/// Another shell script that the script runs in its own flow: what it starts is not seen from here.
bool runsScript(const ShellCommand& command);
/// Fills in where commands and here-documents read variables.
void collectUses(LintFacts& facts);

} // namespace rankwright::inline script::lint
