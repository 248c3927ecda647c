// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/termlinks.h"

#include "models/teaching/learn/term.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

constexpr auto scheme = "term:"_L1;

QString linkTo(const Term& term, const QString& shown)
{
    return u"<a href=\"term:%1\">%2</a>"_s.arg(term.id, shown.toHtmlEscaped());
}

/// Names that stand for a term wherever they are written: those with a capital or a hyphen, and the long ones. Short
/// common words ("step", "node", "job") would make a text a field of links.
const QRegularExpression& namePattern()
{
    static const QRegularExpression pattern = [] {
        QStringList names;
        for (const Term& term : terms()) {
            const QStringList parts = term.name.split(u", "_s);
            for (const QString& name : parts + term.alsoCalled) {
                const bool telling = name.size() >= 3
                    && (name.mid(1).contains(u'-')
                        || std::any_of(name.cbegin() + 1, name.cend(), [](QChar letter) { return letter.isUpper(); })
                        || name.size() >= 9);
                if (telling && name.at(0).isLetter())
                    names.append(QRegularExpression::escape(name));
            }
        }
        std::sort(names.begin(), names.end(), [](const QString& a, const QString& b) { return a.size() > b.size(); });
        return QRegularExpression(
            u"(?<![\\w-])(?:"_s + names.join(u'|') + u")(?:s)?(?![\\w-])"_s, QRegularExpression::CaseInsensitiveOption);
    }();
    return pattern;
}

/// Escapes a text and links the first mention of each term.
QString withKnownWords(const QString& text, QSet<QString>& done)
{
    QString out;
    qsizetype at = 0;
    auto matches = namePattern().globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const Term* term = findTerm(match.captured());
        if (term == nullptr || done.contains(term->id))
            continue;
        done.insert(term->id);
        out += text.mid(at, match.capturedStart() - at).toHtmlEscaped() + linkTo(*term, match.captured());
        at = match.capturedEnd();
    }
    return out + text.mid(at).toHtmlEscaped();
}

} // namespace

QString termLinks(const QString& text, KnownWords words)
{
    static const QRegularExpression mark(u"\\[([^\\[\\]|\\n]{1,60})(?:\\|([^\\[\\]|\\n]{1,120}))?\\]"_s);
    QSet<QString> done;
    const auto plain = [&](const QString& piece) {
        return words == KnownWords::Linked ? withKnownWords(piece, done) : piece.toHtmlEscaped();
    };
    QString out;
    qsizetype at = 0;
    auto marks = mark.globalMatch(text);
    while (marks.hasNext()) {
        const auto match = marks.next();
        const Term* term = findTerm(match.captured(1));
        if (term == nullptr)
            continue;
        out += plain(text.mid(at, match.capturedStart() - at));
        out += linkTo(*term, match.captured(2).isEmpty() ? inUsualWords(term->name) : match.captured(2));
        done.insert(term->id);
        at = match.capturedEnd();
    }
    return out + plain(text.mid(at));
}

QString linkedTerm(const QString& link)
{
    if (!link.startsWith(scheme))
        return {};
    const Term* term = findTerm(link.mid(scheme.size()));
    return term != nullptr ? term->id : QString();
}

} // namespace rankwright::inline teaching
