// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/lint/lintfacts.h"

namespace rankwright::inline script::lint {

/// The number that a word stands for when script and request leave no doubt: "8", $N with N=8, $SLURM_NNODES,
/// ${N:-4}, $((SLURM_NNODES * 8)). Nothing otherwise.
std::optional<int> wordNumber(const LintFacts& facts, const ShellWord& word, int depth = 0);

/// The value of one of Slurm's variables as the request fixes it (SLURM_NNODES, SLURM_NTASKS ...).
std::optional<int> slurmNumber(const LintRequest& request, const QString& name);

/// What an arithmetic text of names, numbers and + - * / % ( ) comes to. `value` answers for a name.
std::optional<int> arithmetic(const QString& text, const std::function<std::optional<int>(const QString&)>& value);

} // namespace rankwright::inline script::lint
