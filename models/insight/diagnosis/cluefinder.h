// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/text/wordfinder.h"

namespace rankwright::inline insight {

/// Which of many things a line may be, by the words that it has: a prefilter before their expressions.
class ClueFinder {
public:
    struct Clues {
        int number = 0; ///< what find() answers
        QList<QByteArray> words; ///< lower case; one of them is in the line. Empty: any line may be it
    };
    explicit ClueFinder(const QList<Clues>& all);
    /// Numbers of what the line may be, each once, ascending.
    QList<int> find(QByteArrayView line) const;
    /// Index of a byte of the first line at `from` or behind that find() answers; -1: there is none.
    qsizetype firstAt(QByteArrayView text, qsizetype from) const;

private:
    QList<int> m_always; ///< those without words
    WordFinder m_finder;
};

} // namespace rankwright::inline insight
