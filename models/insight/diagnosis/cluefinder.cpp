// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/cluefinder.h"

#include <algorithm>

namespace rankwright::inline insight {

namespace {

QList<std::pair<QByteArray, int>> wordsOf(const QList<ClueFinder::Clues>& all)
{
    QList<std::pair<QByteArray, int>> words;
    for (const ClueFinder::Clues& one : all) {
        for (const QByteArray& word : one.words)
            words.append({word, one.number});
    }
    return words;
}

} // namespace

ClueFinder::ClueFinder(const QList<Clues>& all) : m_finder(wordsOf(all))
{
    for (const Clues& one : all) {
        if (one.words.isEmpty())
            m_always.append(one.number);
    }
}

QList<int> ClueFinder::find(QByteArrayView line) const
{
    QList<int> found = m_finder.find(line);
    if (m_always.isEmpty())
        return found;
    found += m_always;
    std::sort(found.begin(), found.end());
    return found;
}

qsizetype ClueFinder::firstAt(QByteArrayView text, qsizetype from) const
{
    if (!m_always.isEmpty())
        return from < text.size() ? from : -1;
    return m_finder.firstEnd(text, from);
}

} // namespace rankwright::inline insight
