// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/patternclues.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

using ClueWords = QList<QByteArray>;

constexpr qsizetype leastLetters = 3; ///< a shorter word is in too many lines
constexpr qsizetype mostTexts = 64; ///< of a part whose texts are all listed
constexpr qsizetype mostOfClass = 4; ///< characters of a class that are listed

/// What is certain of the texts that a part of an expression matches.
struct Part {
    std::optional<ClueWords> all; ///< every one of these texts, where they are few
    ClueWords anyOf; ///< otherwise: each text contains one of these; empty: nothing is certain
};

Part anything() { return {}; }
Part emptyText() { return {ClueWords{QByteArray("")}, {}}; }

/// The words without those that contain another one; empty where one is too short to look for.
ClueWords cluesAmong(ClueWords words)
{
    std::sort(words.begin(), words.end(),
        [](const QByteArray& a, const QByteArray& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    ClueWords kept;
    for (const QByteArray& word : std::as_const(words)) {
        if (word.size() < leastLetters)
            return {};
        if (std::none_of(kept.cbegin(), kept.cend(), [&](const QByteArray& one) { return word.contains(one); }))
            kept.append(word);
    }
    return kept;
}

ClueWords cluesIn(const Part& part) { return part.all ? cluesAmong(*part.all) : part.anyOf; }

/// How rare a set is expected to be in logs: the length of its shortest word. ClueWords that all kinds of lines have
/// are a last resort.
qsizetype rarity(const ClueWords& words)
{
    static const ClueWords common{"error", "fail", "failed", "loss"};
    const bool isCommon
        = std::any_of(words.cbegin(), words.cend(), [](const QByteArray& word) { return common.contains(word); });
    return words.isEmpty() ? 0 : isCommon ? 1 : words.first().size();
}

/// The set that fewer lines are expected to have; of equals the smaller one. Both are sorted by length.
const ClueWords& rarerOf(const ClueWords& a, const ClueWords& b)
{
    return rarity(a) > rarity(b) || (rarity(a) == rarity(b) && a.size() <= b.size()) ? a : b;
}

ClueWords joined(const ClueWords& heads, const ClueWords& tails)
{
    ClueWords texts;
    for (const QByteArray& head : heads) {
        for (const QByteArray& tail : tails) {
            if (tails.size() == 1 || !texts.contains(head + tail)) // one tail makes no two texts the same
                texts.append(head + tail);
        }
    }
    return texts;
}

/// Reads an expression of Perl's syntax from left to right.
class PatternReader {
public:
    explicit PatternReader(const QString& pattern) : m_pattern(pattern) { }
    ClueWords clues()
    {
        const ClueWords found = cluesIn(alternatives());
        return m_isUnknown || !atEnd() ? ClueWords() : found;
    }

private:
    bool atEnd() const { return m_at >= m_pattern.size(); }
    QChar next() const { return atEnd() ? QChar() : m_pattern.at(m_at); }
    bool skip(QStringView text)
    {
        if (!QStringView(m_pattern).sliced(m_at).startsWith(text))
            return false;
        m_at += text.size();
        return true;
    }

    Part alternatives()
    {
        Part both = sequence();
        while (skip(u"|")) {
            const Part other = sequence();
            if (both.all && other.all && both.all->size() + other.all->size() <= mostTexts) {
                both.all->append(*other.all);
                continue;
            }
            ClueWords words = cluesIn(both);
            const ClueWords others = cluesIn(other);
            // certain of one alternative alone is not certain
            words = words.isEmpty() || others.isEmpty() ? ClueWords() : cluesAmong(words + others);
            both = {std::nullopt, words};
        }
        return both;
    }

    Part sequence()
    {
        ClueWords run{QByteArray("")}, best;
        bool isListed = true;
        while (!atEnd() && next() != u'|' && next() != u')') {
            const Part one = repeated();
            if (one.all && run.size() * one.all->size() <= mostTexts) {
                run = joined(run, *one.all);
                continue;
            }
            isListed = false;
            best = rarerOf(best, cluesAmong(run));
            best = rarerOf(best, one.anyOf);
            run = one.all.value_or(ClueWords{QByteArray("")});
        }
        if (isListed)
            return {run, {}};
        return {std::nullopt, rarerOf(best, cluesAmong(run))};
    }

    /// An atom with its quantifier.
    Part repeated()
    {
        Part one = atom();
        bool isQuantified = true;
        if (skip(u"?")) {
            if (one.all)
                one.all->append(QByteArray(""));
            else
                one = anything();
        } else if (skip(u"*")) {
            one = anything();
        } else if (skip(u"+")) {
            one = {std::nullopt, cluesIn(one)};
        } else if (const auto count = countAhead()) {
            one = *count > 0 ? Part{std::nullopt, cluesIn(one)} : anything();
        } else {
            isQuantified = false;
        }
        if (isQuantified && !skip(u"?")) // lazy or possessive: the same texts
            skip(u"+");
        return one;
    }

    /// Skips "{2}", "{0,24}" and the like: the least number of times; nothing where a brace is a character.
    std::optional<int> countAhead()
    {
        if (next() != u'{')
            return std::nullopt;
        static const QRegularExpression form(uR"(\{(\d+)(?:,\d*)?\})"_s);
        const auto match = form.match(
            m_pattern, m_at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        m_at += match.capturedLength();
        return match.hasMatch() ? std::optional(match.captured(1).toInt()) : std::nullopt;
    }

    Part atom()
    {
        const QChar letter = m_pattern.at(m_at++);
        switch (letter.unicode()) {
        case u'(': return group();
        case u'[': return characterClass();
        case u'\\': return escape();
        case u'.': return anything();
        case u'^':
        case u'$': return emptyText();
        default: return literal(letter);
        }
    }

    static Part literal(QChar letter)
    {
        if (letter.unicode() >= 0x80)
            return anything(); // in both cases, which the finder does not know
        return {ClueWords{QByteArray(1, letter.toLower().toLatin1())}, {}};
    }

    Part group()
    {
        bool isLookaround = false;
        if (skip(u"?=") || skip(u"?!") || skip(u"?<=") || skip(u"?<!")) {
            isLookaround = true;
        } else if (skip(u"?<") || skip(u"?P<")) {
            m_at = m_pattern.indexOf(u'>', m_at) + 1; // the name
        } else if (!skip(u"?:") && !skip(u"?>") && (next() == u'?' || next() == u'*')) {
            m_isUnknown = true;
        }
        const Part inner = alternatives();
        if (!skip(u")"))
            m_isUnknown = true;
        return isLookaround ? emptyText() : inner;
    }

    Part characterClass()
    {
        bool isListed = !skip(u"^");
        ClueWords characters;
        for (bool isFirst = true; !atEnd() && (isFirst || next() != u']'); isFirst = false) {
            const QChar letter = m_pattern.at(m_at++);
            if (letter == u'[' && (next() == u':' || next() == u'.' || next() == u'='))
                m_isUnknown = true;
            const Part one = letter == u'\\' ? escape() : literal(letter);
            if (next() == u'-' && m_at + 1 < m_pattern.size() && m_pattern.at(m_at + 1) != u']')
                isListed = false; // a range
            if (!one.all || one.all->first().isEmpty())
                isListed = false;
            else if (!characters.contains(one.all->first()))
                characters.append(one.all->first());
        }
        if (!skip(u"]"))
            m_isUnknown = true;
        return isListed && characters.size() <= mostOfClass ? Part{characters, {}} : anything();
    }

    Part escape()
    {
        const QChar letter = atEnd() ? QChar() : m_pattern.at(m_at++);
        static const QString kinds = u"dDwWsShHvVNRX"_s, places = u"bBAzZG"_s;
        if (kinds.contains(letter))
            return anything();
        if (places.contains(letter))
            return emptyText();
        if (letter == u't')
            return literal(u'\t');
        if (letter.isNull() || letter.isLetterOrNumber()) { // a code, a reference, a property
            m_isUnknown = true;
            return anything();
        }
        return literal(letter);
    }

    QString m_pattern;
    qsizetype m_at = 0;
    bool m_isUnknown = false;
};

} // namespace

QList<QByteArray> cluesOf(const QString& pattern) { return PatternReader(pattern).clues(); }

} // namespace rankwright::inline insight
