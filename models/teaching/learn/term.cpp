// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/term.h"

#include "models/teaching/learn/learnsearch.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

QList<Term> allTerms()
{
    QList<Term> all = hardwareTerms() + slurmTerms() + launchTerms() + trainingTerms() + strategyTerms() + runTerms();
    std::sort(all.begin(), all.end(),
        [](const Term& a, const Term& b) { return QString::compare(a.name, b.name, Qt::CaseInsensitive) < 0; });
    return all;
}

/// Every spelling of every term; a name of its own goes before another's further name.
QHash<QString, qsizetype> spellings()
{
    QHash<QString, qsizetype> all;
    const auto add = [&all](const QString& spelling, qsizetype at) {
        const QString key = searchKey(spelling);
        if (!all.contains(key))
            all.insert(key, at);
    };
    for (qsizetype i = 0; i < terms().size(); ++i) {
        add(terms().at(i).id, i);
        add(terms().at(i).name, i);
    }
    for (qsizetype i = 0; i < terms().size(); ++i) {
        for (const QString& other : terms().at(i).alsoCalled)
            add(other, i);
    }
    return all;
}

} // namespace

const QList<Term>& terms()
{
    static const QList<Term> all = allTerms();
    return all;
}

const Term* findTerm(const QString& word)
{
    static const QHash<QString, qsizetype> known = spellings();
    const QString key = searchKey(word.left(80));
    auto found = known.constFind(key);
    if (found == known.cend() && key.endsWith(u's'))
        found = known.constFind(key.chopped(1));
    return found == known.cend() ? nullptr : &terms().at(*found);
}

} // namespace rankwright::inline teaching
