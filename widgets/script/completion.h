// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/script/completionfacts.h"

namespace rankwright {

struct CompletionItem {
    QString text; ///< what is put in
    QString note; ///< one line beside it
    bool goesOn = false; ///< a value follows: offer it at once
    bool operator==(const CompletionItem&) const = default;
};

/// What could be at a place of a script: characters [from, to) of the line give way to the chosen item.
struct Completion {
    int from = 0;
    int to = 0;
    QList<CompletionItem> items; ///< those that fit what is there already; best first
    bool isEmpty() const { return items.isEmpty(); }
    bool operator==(const Completion&) const = default;
};

enum class CompletionCause { Typing, Request };

/// Pure. Offers options and values of sbatch, srun, torchrun, accelerate launch and deepspeed, module names, and
/// variables that Slurm sets; nothing in comments. `line` from 0, `column` in UTF-16 characters. What is not asked
/// for is offered only where a person is surely typing a name: after a dash, an equals sign, "module load".
Completion completionAt(const QStringList& lines, int line, int column, const CompletionFacts& facts,
    CompletionCause cause = CompletionCause::Typing);

/// The program whose options a line (0 based) holds, its continued lines included: "sbatch" on a directive, "srun",
/// "torchrun" ...; of several on one command the innermost before `column`. Empty: none.
QString programAt(const QStringList& lines, int line, int column);

} // namespace rankwright
