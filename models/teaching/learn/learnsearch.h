// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

namespace rankwright::inline teaching {

/// One answer of a search over terms and questions.
struct LearnHit {
    enum class Kind { Term, Question };
    Kind kind = Kind::Term;
    QString id;
    int score = 0; ///< higher is better; 100: the name itself
    bool operator==(const LearnHit&) const = default;
};

/// Terms and questions that match what was typed, best first: the name, another name, words of both, words of the text.
/// A letter too many, too few or wrong is forgiven in words of four letters or more, two in words of eight. Empty text:
/// nothing. Longer text than 200 characters is cut.
QList<LearnHit> searchLearn(const QString& text);

/// A text as it is compared: lower case, letters and digits alone.
QString searchKey(const QString& text);
/// The words of a text in that form.
QStringList searchWords(const QString& text);

/// How many letters have to be changed, added, left out or swapped with their neighbour (Damerau 1964); more than
/// `most` counts as most + 1.
int editDistance(QStringView a, QStringView b, int most);

} // namespace rankwright::inline teaching
