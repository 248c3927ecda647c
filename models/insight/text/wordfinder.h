// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <array>
#include <vector>

namespace rankwright::inline insight {

/// Finds which of many words are in a text, in one pass over its bytes (Aho and Corasick, CACM 18(6), 1975). Letters
/// of ASCII are alike in both cases.
class WordFinder {
public:
    /// Each word with the number that find() answers; small letters. Several words may share a number.
    explicit WordFinder(const QList<std::pair<QByteArray, int>>& words);
    /// Numbers of the words found, each once, ascending; does not allocate when there is none.
    QList<int> find(QByteArrayView text) const;
    /// The same where all numbers are below 64: a bit for each.
    quint64 findBits(QByteArrayView text) const;
    /// Index of the last byte of the first word that ends at `from` or behind; -1: none.
    qsizetype firstEnd(QByteArrayView text, qsizetype from = 0) const;

private:
    using Row = std::array<quint16, 64>;
    int stateAfter(int state, int symbol) { return m_next[size_t(state)][size_t(symbol)]; }
    std::array<quint8, 256> m_symbol{}; ///< bytes that no word has are 0
    std::vector<Row> m_next;
    std::vector<QList<int>> m_ends; ///< numbers of the words that end in a state
    std::vector<quint8> m_isEnd;
    std::vector<quint64> m_bits; ///< of the numbers below 64 that end in a state
};

} // namespace rankwright::inline insight
