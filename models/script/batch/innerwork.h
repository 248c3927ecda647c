// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shelltext.h"

#include <optional>

namespace rankwright::inline script {

/// What a command in the text of an inner shell does, from what is surely not the job to what surely is.
enum class InnerWork {
    Tool, ///< copies, installs, asks
    Step, ///< any program
    Unknown, ///< only a variable names it
    Python, ///< a program of Python, or a script that the batch script writes
    Agent, ///< torchrun and its like, or a variable in front of a program of Python
};

/// `words` of one command, their variables read.
InnerWork innerWork(const QList<ShellWord>& words);

/// The text ends where another command may begin: "mkdir a && ".
bool endsCommand(const QString& text);

/// CMD="$CMD --x": what a text took from its own name is what was set before this line.
int earlyLineOf(const ShellWord& text);

/// The side work (innershell.h) of a text beside its command `main`, not in substitutions.
QStringList workBeside(const QList<ShellCommand>& commands, qsizetype main);

struct InnerChoice {
    qsizetype command; ///< its index in the text
    InnerWork work = InnerWork::Step;
};

/// Which of the commands of a text is the job; none: no program among them. `doubt` is set to a sentence when more than
/// one may be meant; `line` is that of the text.
std::optional<qsizetype> chooseInner(
    const QList<ShellCommand>& commands, QList<InnerChoice> choices, int line, QString& doubt);

} // namespace rankwright::inline script
