// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shelltext.h"

#include <QSet>

namespace rankwright::inline script {

// Texts that are read as shell commands once more: the small shell of a task, and what a variable holds.

/// The commands of a text that is given to an inner shell. Expansions that the shell outside makes before (those of the
/// word) are marked early. Lines count from the word's own.
QList<ShellCommand> innerCommands(const ShellWord& text);

/// What `set -- "$@" more words` hands on to the program after its own arguments; empty for any other command.
QList<ShellWord> addedArguments(const ShellCommand& command);

/// Whether the command runs in continuations of a job only: joined by && to a test of the restarts or of the array's
/// place.
bool runsInContinuations(const QList<ShellCommand>& commands, qsizetype index);

/// What a command brings that no field of a design says, as one line of text: sourced files, folders, logins; empty
/// where nothing is lost without it.
QString sideWork(const ShellCommand& command);

/// The text of a here-document as the word that `NAME=...` would hold: what is expanded in it, and where each of its
/// characters stands in the script.
ShellWord documentWord(const HereDocument& document);

/// The word without some characters of its value, none of them within an expansion.
ShellWord without(const ShellWord& word, const QSet<qsizetype>& characters);

} // namespace rankwright::inline script
