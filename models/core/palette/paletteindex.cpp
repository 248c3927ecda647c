// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/palette/paletteindex.h"

#include <QHash>

#include <algorithm>
#include <optional>

namespace rankwright::inline core {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestQuery = 120; // of what is typed or pasted, more says no more
constexpr int leastForSlip = 4; // shorter words are all within one slip of something

// Classes of a match: where it is met within one counts less than 100. Use and being off move an entry by less than
// half a class.
constexpr int wholeTitle = 1000;
constexpr int titleStart = 900;
constexpr int wordStart = 800;
constexpr int initials = 700;
constexpr int inside = 600;
constexpr int otherWord = 500;
constexpr int inOrder = 400;
constexpr int slip = 300;
constexpr int mostForUse = 40;
constexpr int forOff = 45;

bool isLetter(QChar c) { return c.isLetterOrNumber(); }

quint64 lettersOf(QStringView text)
{
    quint64 letters = 0;
    for (const QChar c : text) {
        if (isLetter(c))
            letters |= quint64(1) << (c.unicode() % 64);
    }
    return letters;
}

QList<int> wordStarts(QStringView text)
{
    QList<int> starts;
    for (int i = 0; i < int(text.size()); ++i) {
        if (isLetter(text[i]) && (i == 0 || !isLetter(text[i - 1])))
            starts.append(i);
    }
    return starts;
}

QList<int> stretch(int from, qsizetype length)
{
    QList<int> places;
    for (int i = 0; i < int(length); ++i)
        places.append(from + i);
    return places;
}

struct Match {
    int score = 0;
    QList<int> places; ///< in the title
};

/// The word as the first letters of words, one each: "stb" of "Save the batch script".
std::optional<Match> matchInitials(QStringView title, const QList<int>& starts, QStringView word)
{
    if (word.size() < 2)
        return std::nullopt;
    Match match{initials, {}};
    qsizetype next = 0;
    for (const int start : starts) {
        if (next < word.size() && title[start] == word[next]) {
            match.places.append(start);
            ++next;
        }
    }
    if (next < word.size())
        return std::nullopt;
    match.score -= qMin(90, int(starts.size() - word.size()) * 10);
    return match;
}

/// Its letters in order, with gaps; the more of it lies together the better.
std::optional<Match> matchInOrder(QStringView title, QStringView word)
{
    Match match{inOrder, {}};
    qsizetype at = 0;
    int gaps = 0;
    for (const QChar c : word) {
        const qsizetype found = title.indexOf(c, at);
        if (found < 0)
            return std::nullopt;
        if (at > 0 && found > at)
            ++gaps;
        match.places.append(int(found));
        at = found + 1;
    }
    // Letters strewn over a long title say nothing: at most every second may stand alone.
    if (word.size() < 3 || gaps * 2 > word.size())
        return std::nullopt;
    match.score -= qMin(95, gaps * 12 + int(at - word.size()) / 4);
    return match;
}

QStringView wordAt(QStringView text, qsizetype start)
{
    qsizetype end = start;
    while (end < text.size() && isLetter(text[end]))
        ++end;
    return text.mid(start, end - start);
}

/// `word` is `written` with a slip, or the beginning of it is.
bool isSlipOf(QStringView word, QStringView written)
{
    for (const qsizetype more : {0, 1, -1}) {
        const qsizetype length = word.size() + more;
        if (length > 0 && length <= written.size() && isOneSlip(word, written.left(length)))
            return true;
    }
    return isOneSlip(word, written);
}

std::optional<Match> matchSlip(QStringView title, const QList<int>& starts, QStringView word, QStringView others)
{
    if (word.size() < leastForSlip)
        return std::nullopt;
    for (const int start : starts) {
        const QStringView written = wordAt(title, start);
        if (isSlipOf(word, written))
            return Match{slip - qMin(50, start), stretch(start, qMin(word.size(), written.size()))};
    }
    for (const QStringView written : others.split(u' ', Qt::SkipEmptyParts)) {
        if (isSlipOf(word, written))
            return Match{slip - 60, {}};
    }
    return std::nullopt;
}

std::optional<Match> matchStart(QStringView title, const QList<int>& starts, QStringView word)
{
    if (title.startsWith(word))
        return Match{title.size() == word.size() ? wholeTitle : titleStart, stretch(0, word.size())};
    for (const int start : starts) {
        if (title.mid(start).startsWith(word))
            return Match{wordStart - qMin(90, start), stretch(start, word.size())};
    }
    return std::nullopt;
}

std::optional<Match> matchWord(QStringView title, const QList<int>& starts, const QString& others, const QString& word)
{
    if (auto start = matchStart(title, starts, word))
        return start;
    if (auto first = matchInitials(title, starts, word))
        return first;
    if (const qsizetype at = word.size() > 1 || !isLetter(word[0]) ? title.indexOf(word) : -1; at >= 0)
        return Match{inside - int(qMin<qsizetype>(90, at)), stretch(int(at), word.size())};
    if (others.contains(u' ' + word))
        return Match{otherWord, {}};
    if (auto order = matchInOrder(title, word))
        return order;
    return matchSlip(title, starts, word, others);
}

/// All letters of the word are somewhere, or all but the one or two that a slip may have changed.
bool mayMatch(quint64 wanted, quint64 there) { return qPopulationCount(wanted & ~there) <= 1; }

} // namespace

QString foldedForSearch(const QString& text)
{
    QString folded = text;
    for (QChar& c : folded) {
        const QString parts = c.decomposition();
        const QChar base = parts.isEmpty() || c.decompositionTag() != QChar::Canonical ? c : parts.front();
        c = base.toLower();
    }
    return folded;
}

bool isOneSlip(QStringView a, QStringView b)
{
    if (a.size() > b.size())
        std::swap(a, b);
    if (b.size() - a.size() > 1)
        return false;
    qsizetype same = 0;
    while (same < a.size() && a[same] == b[same])
        ++same;
    if (a.size() != b.size())
        return a.mid(same) == b.mid(same + 1);
    if (same == a.size() || a.mid(same + 1) == b.mid(same + 1))
        return true;
    return same + 1 < a.size() && a[same] == b[same + 1] && a[same + 1] == b[same]
        && a.mid(same + 2) == b.mid(same + 2);
}

PaletteIndex::PaletteIndex(QList<PaletteEntry> entries) : m_entries(std::move(entries))
{
    m_folded.reserve(m_entries.size());
    for (const PaletteEntry& entry : std::as_const(m_entries)) {
        Folded folded;
        folded.title = foldedForSearch(entry.title);
        folded.starts = wordStarts(folded.title);
        for (const QString& word :
            foldedForSearch(entry.keywords + u' ' + entry.section).split(u' ', Qt::SkipEmptyParts))
            folded.others += u' ' + word;
        folded.letters = lettersOf(folded.title) | lettersOf(folded.others);
        m_folded.append(folded);
    }
}

QList<PaletteHit> PaletteIndex::search(const QString& query, const QStringList& recent, int most) const
{
    const QStringList words = foldedForSearch(query.left(longestQuery)).simplified().split(u' ', Qt::SkipEmptyParts);
    QList<quint64> letters;
    for (const QString& word : words)
        letters.append(lettersOf(word));
    QHash<QString, int> used;
    for (qsizetype i = recent.size(); i-- > 0;)
        used.insert(recent.at(i), int(i));
    QList<PaletteHit> hits;
    for (int i = 0; i < int(m_entries.size()); ++i) {
        const Folded& folded = m_folded.at(i);
        PaletteHit hit{i, 0, {}};
        bool met = true;
        for (int w = 0; w < int(words.size()) && met; ++w) {
            const auto match = mayMatch(letters.at(w), folded.letters)
                ? matchWord(folded.title, folded.starts, folded.others, words.at(w))
                : std::nullopt;
            met = match.has_value();
            if (met) {
                hit.score += match->score / int(words.size());
                hit.matched += match->places;
            }
        }
        if (!met)
            continue;
        const PaletteEntry& entry = m_entries.at(i);
        if (const auto place = used.constFind(entry.id); place != used.constEnd())
            hit.score += words.isEmpty() ? 500 - qMin(400, *place) : qMax(1, mostForUse - *place * 4);
        if (!entry.enabled)
            hit.score -= forOff;
        std::sort(hit.matched.begin(), hit.matched.end());
        hit.matched.erase(std::unique(hit.matched.begin(), hit.matched.end()), hit.matched.end());
        hits.append(hit);
    }
    const auto better = [this, &words](const PaletteHit& a, const PaletteHit& b) {
        if (a.score != b.score)
            return a.score > b.score;
        const qsizetype lengthOfA = m_folded.at(a.entry).title.size();
        const qsizetype lengthOfB = m_folded.at(b.entry).title.size();
        if (!words.isEmpty() && lengthOfA != lengthOfB)
            return lengthOfA < lengthOfB;
        return a.entry < b.entry;
    };
    const qsizetype kept = std::clamp<qsizetype>(most, 0, hits.size());
    std::partial_sort(hits.begin(), hits.begin() + kept, hits.end(), better);
    hits.resize(kept);
    return hits;
}

} // namespace rankwright::inline core
