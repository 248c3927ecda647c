// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/script/bind/boundscript.h"
#include "models/script/bind/scriptfields.h"

#include <QStringList>

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

/// The line of a directive that the script lacks, among the others, in the spelling that most of them have. `option`:
/// long name of sbatch's; `text`: of the script. Nothing: no such option, or the script has no directives.
std::optional<TextChange> newDirective(
    const BoundScript& bound, const QString& text, const QString& option, const QString& value);

/// How the line at a place ends ("\n", "\r\n"), or the one before where it is the last.
QString lineEndAt(const QString& text, qsizetype at);

/// Arguments of a program among the words of its command: `--lr 1`, `--lr=1`, `model.layers=2`.

bool saysArgument(const QStringList& words, const QString& name);

/// Whether several commands give an argument different values.
bool sayDifferentValues(const QList<QStringList>& commands, const QString& name);

/// The words with another value of an argument; one that is not there is added at the end.
/// `first`: where the arguments begin; `field`: the argument as the form shows it, null where it shows none.
Result<QStringList> withArgument(
    QStringList words, qsizetype first, const ScriptField* field, const QString& name, const QString& value);

} // namespace rankwright::inline script
