// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/wordlistedit.h"

namespace rankwright::inline script {

// The words of the programs that a script starts, before and after an edit.

QStringList valuesOf(const QList<ListWord>& list);
/// Of all commands that start the program; the one that the fields show is the last. Empty: none was found.
QList<QList<ListWord>> allLists(const BoundScript& bound);
QList<QStringList> allCommands(const BoundScript& bound); ///< their values

/// Whether the words are those asked for; a word that the script makes of a changed piece may differ as well.
bool areWords(const QList<ListWord>& now, const QStringList& asked, const QList<ListWord>& before,
    const QList<TextChange>& changes);

/// Whether the words that are asked for and were not there before are read as they were typed. `now` has as many words
/// as are asked for.
bool areLiteral(const QList<ListWord>& now, const QStringList& asked, const QList<ListWord>& before);

} // namespace rankwright::inline script
