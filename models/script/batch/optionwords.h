// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"
#include "models/script/batch/slurmoptions.h"

namespace rankwright::inline script {

/// A word of a directive or of an srun line, before it is known to be an option.
struct OptionWord {
    QString value;
    QString text;
    int line = 1;
    int column = 1;
    int endColumn = 1;
    std::optional<ShellWord> word; ///< empty for a directive
};

struct ReadOptions {
    QList<BatchOption> options;
    QList<LostDirective> faults; ///< without the ones that only a directive has
    qsizetype next = 0; ///< the first word that is not an option
};

/// Options as getopt_long(3) reads them: "--name=value", "--name value", "-N2", "-N 2", "-Hk", abbreviations, "--".
/// Stops at the first word that is none. Options that srun or sbatch do not know are kept, with known = false; whether
/// the next word is their value cannot be known, so it is not taken.
ReadOptions readOptionWords(const QList<OptionWord>& words, qsizetype from, SlurmOption::Of command);

/// The part of a word after `count` characters, as a word of its own.
ShellWord wordBehind(const ShellWord& word, qsizetype count);

OptionWord optionWord(const ShellWord& word);

} // namespace rankwright::inline script
