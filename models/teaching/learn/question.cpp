// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/question.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

const QList<Question>& questions()
{
    static const QList<Question> all = resourceQuestions() + launchQuestions() + trainingQuestions() + runQuestions();
    return all;
}

const Question* findQuestion(const QString& id)
{
    const QList<Question>& all = questions();
    const auto found
        = std::find_if(all.cbegin(), all.cend(), [&id](const Question& question) { return question.id == id; });
    return found == all.cend() ? nullptr : &*found;
}

QStringList siteRemarks(const LearnFigures& figures, const QString& subject, const QString& word)
{
    QStringList remarks;
    for (const Quirk& quirk : figures.site.quirks) {
        if (quirk.field == subject && (word.isEmpty() || quirk.text.contains(word, Qt::CaseInsensitive)))
            remarks.append(asSentence(quirk.text));
    }
    return remarks;
}

} // namespace rankwright::inline teaching
