// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/fix.h"
#include "models/script/lint/lint.h"
#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

// Fixes that rules offer. Lines count from 1.

Fix removeLine(const LintFacts& facts, int line); ///< the whole line
/// One directive taken out: the whole line when nothing else is on it.
Fix removeOption(const LintFacts& facts, const BatchOption& option);
/// Another value for a directive, the rest of its line unchanged.
Fix replaceOption(const LintFacts& facts, const BatchOption& option, const QString& written, const QString& label);
/// A new directive line after the last one (or after the first line of the script).
Fix addDirective(const LintFacts& facts, const QString& written);
/// A text replaced in one line, first occurrence.
std::optional<Fix> replaceInLine(
    const LintFacts& facts, int line, const QString& before, const QString& after, const QString& label);
/// A line put before another.
Fix insertLine(int before, const QString& line, const QString& label);

QString quoted(const QString& text); ///< “text”, at most 60 characters, on one line

} // namespace rankwright::inline script::lint
