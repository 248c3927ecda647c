// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bind/boundscript.h"

namespace rankwright::inline script {

/// What an edit puts in the place of a part of the text.
struct TextChange {
    TextRange range; ///< empty: inserted there
    QString text;
};

/// How a word is typed where it may need quotes; which one is right depends on the quotes around it, so that each is
/// tried.
enum class Quoting {
    Inside, ///< as the quotes around the old word want it
    Single, ///< 'a b', for the whole word
    Double ///< "a b", for the whole word
};

/// Every shell takes the word for what it says, with quotes and without.
bool isHarmlessWord(QStringView word);
/// The text of a word in the place of an old one that can be replaced; its range may grow by the old quotes.
TextChange wordChange(const ListWord& old, const QString& value, Quoting quoting, const QString& text);
/// A word beside others.
QString typedWord(const QString& value, Quoting quoting);

/// What makes `words` of the list: words that stay are not touched. `behind`: which of the places after a word
/// (ListWord) new ones are inserted at. Error: a word that cannot be replaced, with the reason.
Result<QList<TextChange>> listChanges(
    const QList<ListWord>& list, const QStringList& words, Quoting quoting, qsizetype behind, const QString& text);

} // namespace rankwright::inline script
