// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/learnsearch.h"

#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"

#include <QSet>
#include <QStringList>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

constexpr int longestText = 200;
constexpr int longestWord = 40; // no term is longer; keeps the comparison cheap
constexpr int mostWords = 16;

struct Entry {
    LearnHit hit;
    QString name; ///< key
    QStringList others; ///< keys
    QStringList nameWords; ///< of name and other names
    QSet<QString> textWords;
};

/// Words that stand in every question and say nothing.
bool saysNothing(const QString& word)
{
    static const QSet<QString> words{u"a"_s, u"an"_s, u"the"_s, u"is"_s, u"am"_s, u"are"_s, u"i"_s, u"my"_s, u"do"_s,
        u"does"_s, u"of"_s, u"to"_s, u"in"_s, u"on"_s, u"for"_s, u"or"_s, u"and"_s, u"it"_s, u"what"_s, u"how"_s,
        u"why"_s, u"which"_s, u"who"_s, u"with"_s, u"one"_s, u"if"_s, u"can"_s, u"here"_s, u"not"_s, u"be"_s,
        u"should"_s};
    return words.contains(word);
}

Entry entryOf(
    LearnHit::Kind kind, const QString& id, const QString& name, const QStringList& others, const QString& text)
{
    Entry entry;
    entry.hit = {kind, id, 0};
    entry.name = searchKey(name);
    entry.nameWords = searchWords(name);
    entry.others.append(searchKey(id));
    entry.nameWords += searchWords(id);
    for (const QString& other : others) {
        entry.others.append(searchKey(other));
        entry.nameWords += searchWords(other);
    }
    entry.nameWords.removeDuplicates();
    const QStringList words = searchWords(text);
    entry.textWords = QSet<QString>(words.cbegin(), words.cend());
    return entry;
}

const QList<Entry>& entries()
{
    static const QList<Entry> all = [] {
        QList<Entry> list;
        for (const Term& term : terms())
            list.append(entryOf(
                LearnHit::Kind::Term, term.id, inUsualWords(term.name), term.alsoCalled, inUsualWords(term.text)));
        for (const Question& question : questions())
            list.append(entryOf(LearnHit::Kind::Question, question.id, inUsualWords(question.text), question.words,
                inUsualWords(question.text)));
        return list;
    }();
    return all;
}

int typosForgiven(qsizetype letters) { return letters >= 8 ? 2 : letters >= 4 ? 1 : 0; }

/// 0..10: how well a typed word is found among the words of a name.
int wordScore(const QString& typed, const QStringList& words)
{
    int best = 0;
    const int most = typosForgiven(typed.size());
    for (const QString& word : words) {
        if (word == typed)
            return 10;
        if (typed.size() >= 2 && word.startsWith(typed)) {
            best = qMax(best, 8);
        } else if (most > 0) {
            const int distance = editDistance(typed, word, most);
            if (distance <= most)
                best = qMax(best, 7 - 2 * distance);
        }
    }
    return best;
}

int scoreOf(const Entry& entry, const QString& key, const QStringList& typed)
{
    if (entry.name == key)
        return 100;
    if (entry.others.contains(key))
        return 92;
    if (key.size() >= 2 && entry.name.startsWith(key))
        return 84;
    const int most = typosForgiven(key.size());
    if (most > 0 && key.size() <= longestWord) {
        int distance = editDistance(key, entry.name, most);
        for (const QString& other : entry.others)
            distance = qMin(distance, editDistance(key, other, most));
        if (distance <= most)
            return 82 - 6 * distance;
    }
    int sum = 0;
    for (const QString& word : typed) {
        int score = wordScore(word, entry.nameWords);
        if (score < 5 && entry.textWords.contains(word))
            score = 3;
        sum += score;
    }
    // All words found in the names: up to 70; a text alone: up to 21.
    return typed.isEmpty() ? 0 : int(7.0 * sum / double(typed.size()));
}

} // namespace

QString searchKey(const QString& text) { return searchWords(text).join(QString()); }

QStringList searchWords(const QString& text)
{
    QStringList words;
    QString word;
    const auto close = [&] {
        if (!word.isEmpty())
            words.append(word.left(longestWord));
        word.clear();
    };
    for (const QChar letter : text.toCaseFolded()) {
        if (letter.isLetterOrNumber() || letter == u'#' || letter == u'%')
            word += letter;
        else
            close();
    }
    close();
    return words;
}

int editDistance(QStringView a, QStringView b, int most)
{
    if (qAbs(a.size() - b.size()) > most)
        return most + 1;
    const auto width = static_cast<std::size_t>(b.size()) + 1;
    std::vector<int> before(width), last(width), row(width);
    for (std::size_t j = 0; j < width; ++j)
        last[j] = int(j);
    for (qsizetype i = 1; i <= a.size(); ++i) {
        row[0] = int(i);
        int least = row[0];
        for (std::size_t j = 1; j < width; ++j) {
            const auto at = static_cast<qsizetype>(j);
            const bool same = a.at(i - 1) == b.at(at - 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && at > 1 && a.at(i - 1) == b.at(at - 2) && a.at(i - 2) == b.at(at - 1))
                row[j] = std::min(row[j], before[j - 2] + 1);
            least = std::min(least, row[j]);
        }
        if (least > most)
            return most + 1;
        std::swap(before, last);
        std::swap(last, row);
    }
    return std::min(last[width - 1], most + 1);
}

QList<LearnHit> searchLearn(const QString& text)
{
    constexpr int leastScore = 20;
    const QString typedText = text.left(longestText);
    const QString key = searchKey(typedText);
    if (key.isEmpty())
        return {};
    QStringList typed = searchWords(typedText).mid(0, mostWords);
    QStringList telling = typed;
    telling.removeIf(saysNothing);
    if (!telling.isEmpty())
        typed = telling;
    QList<LearnHit> hits;
    for (const Entry& entry : entries()) {
        LearnHit hit = entry.hit;
        hit.score = scoreOf(entry, key, typed);
        if (hit.score >= leastScore)
            hits.append(hit);
    }
    std::stable_sort(hits.begin(), hits.end(), [](const LearnHit& a, const LearnHit& b) { return a.score > b.score; });
    return hits;
}

} // namespace rankwright::inline teaching
