// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/explanation.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

QList<Explanation::Link> linksTo(const QStringList& ids, const Derived* derived)
{
    QList<Explanation::Link> links;
    for (const QString& id : ids) {
        const Term* term = findTerm(id);
        if (term == nullptr)
            continue;
        const QString name = derived ? LearnFigures(*derived).inWords(term->name) : inUsualWords(term->name);
        links.append({term->id, name});
    }
    return links;
}

/// A site that is called by a noun may begin a sentence.
QString capitals(QString text)
{
    static const QRegularExpression start(u"(^|[.:?] )t(his cluster|he \\w+ cluster)"_s);
    return text.replace(start, u"\\1T\\2"_s);
}

} // namespace

Explanation explain(const Term& term, const Derived* derived)
{
    Explanation shown;
    shown.kind = LearnHit::Kind::Term;
    shown.id = term.id;
    shown.picture = term.picture;
    shown.alsoCalled = term.alsoCalled;
    shown.onNodes = term.onNodes;
    shown.related = linksTo(term.related, derived);
    if (derived == nullptr) {
        shown.title = inUsualWords(term.name);
        shown.text = inUsualWords(term.text);
        return shown;
    }
    const LearnFigures figures(*derived);
    shown.title = figures.inWords(term.name);
    shown.text = figures.inWords(term.text);
    shown.numbers = capitals(term.numbers(figures));
    shown.figures = pictureFigures(*derived);
    return shown;
}

Explanation explain(const Question& question, const Derived* derived)
{
    Explanation shown;
    shown.kind = LearnHit::Kind::Question;
    shown.id = question.id;
    shown.picture = question.picture;
    shown.related = linksTo(question.related, derived);
    if (derived == nullptr) {
        shown.title = inUsualWords(question.text);
        return shown;
    }
    const LearnFigures figures(*derived);
    shown.title = figures.inWords(question.text);
    shown.numbers = capitals(question.answer(figures));
    if (question.code != nullptr)
        shown.code = question.code(figures);
    shown.figures = pictureFigures(*derived);
    return shown;
}

std::optional<Explanation> explain(LearnHit::Kind kind, const QString& id, const Derived* derived)
{
    if (kind == LearnHit::Kind::Question) {
        const Question* question = findQuestion(id);
        return question ? std::optional(explain(*question, derived)) : std::nullopt;
    }
    const Term* term = findTerm(id);
    return term ? std::optional(explain(*term, derived)) : std::nullopt;
}

} // namespace rankwright::inline teaching
