// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"

namespace rankwright::inline insight {

// What a line of a log says about where it comes from.

std::optional<int> numberIn(const QString& text); ///< 0 or above
/// Does Slurm's list "0-7,12" hold this rank?
bool holds(const QString& tasks, int rank);
/// Rank, device and node that a line names, where `diagnosis` has none yet.
void readOrigin(const QString& text, Diagnosis& diagnosis);
/// The program's own line in a traceback ("raise RuntimeError(...)"): its words are not those of the failure.
bool isQuotedCode(const QString& text);
/// A guide, a question, or what is said to or by a language model: it speaks of failures that may happen.
bool isTextAboutFailures(const QString& text);
/// A row of a table with frames between its cells (completions that a trainer shows, Rich's source lines).
bool isRowOfCells(const QString& text);
/// Whose message this is: "pytorch", "transformers" ...; or empty.
QString frameworkOf(const QString& text);

} // namespace rankwright::inline insight
