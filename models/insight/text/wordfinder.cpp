// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/wordfinder.h"

#include <algorithm>
#include <deque>

namespace rankwright::inline insight {

WordFinder::WordFinder(const QList<std::pair<QByteArray, int>>& words)
{
    quint8 symbols = 0;
    const auto addState = [this] {
        m_next.emplace_back(Row{});
        m_ends.emplace_back();
        return int(m_next.size()) - 1;
    };
    addState();
    for (const auto& [word, number] : words) {
        int state = 0;
        for (const char letter : word) {
            quint8& symbol = m_symbol[quint8(letter)];
            if (symbol == 0)
                symbol = ++symbols;
            Q_ASSERT(symbols < 64);
            if (stateAfter(state, symbol) == 0) {
                const int added = addState();
                m_next[size_t(state)][symbol] = quint16(added);
            }
            state = stateAfter(state, symbol);
        }
        m_ends[size_t(state)].append(number);
    }
    for (int letter = 'A'; letter <= 'Z'; ++letter)
        m_symbol[size_t(letter)] = m_symbol[size_t(letter - 'A' + 'a')];
    // breadth first: where no word goes on, go on as the longest suffix does
    std::vector<int> suffix(m_next.size(), 0);
    std::deque<int> open;
    for (int symbol = 1; symbol <= symbols; ++symbol) {
        if (const int state = stateAfter(0, symbol); state != 0)
            open.push_back(state);
    }
    while (!open.empty()) {
        const int state = open.front();
        open.pop_front();
        m_ends[size_t(state)] += m_ends[size_t(suffix[size_t(state)])];
        for (int symbol = 1; symbol <= symbols; ++symbol) {
            const int next = stateAfter(state, symbol);
            const int fallback = stateAfter(suffix[size_t(state)], symbol);
            if (next == 0) {
                m_next[size_t(state)][size_t(symbol)] = quint16(fallback);
            } else {
                suffix[size_t(next)] = fallback;
                open.push_back(next);
            }
        }
    }
    for (const QList<int>& ends : m_ends) {
        m_isEnd.push_back(ends.isEmpty() ? 0 : 1);
        quint64 bits = 0;
        for (const int number : ends)
            bits |= number >= 0 && number < 64 ? quint64(1) << unsigned(number) : 0;
        m_bits.push_back(bits);
    }
}

qsizetype WordFinder::firstEnd(QByteArrayView text, qsizetype from) const
{
    const auto* symbols = m_symbol.data();
    const Row* rows = m_next.data();
    const quint8* ends = m_isEnd.data();
    const char* bytes = text.data();
    size_t state = 0;
    for (qsizetype at = from; at < text.size(); ++at) {
        state = rows[state][symbols[quint8(bytes[at])]];
        if (ends[state] != 0)
            return at;
    }
    return -1;
}

quint64 WordFinder::findBits(QByteArrayView text) const
{
    quint64 found = 0;
    size_t state = 0;
    for (const char byte : text) {
        state = m_next[state][m_symbol[quint8(byte)]];
        found |= m_bits[state];
    }
    return found;
}

QList<int> WordFinder::find(QByteArrayView text) const
{
    QList<int> found;
    size_t state = 0;
    for (const char byte : text) {
        state = m_next[state][m_symbol[quint8(byte)]];
        if (m_isEnd[state] != 0)
            found += m_ends[state];
    }
    if (found.size() > 1) {
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
}

} // namespace rankwright::inline insight
