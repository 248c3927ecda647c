// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/harmlesstext.h"

namespace rankwright::inline core {

using namespace Qt::StringLiterals;

namespace {

bool isLayout(QChar c) { return c == u'\n' || c == u'\t'; }

} // namespace

bool turnsDirection(QChar c)
{
    const char16_t code = c.unicode();
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f
        || code == 0x061c;
}

bool isHarmful(QChar c)
{
    if (c >= u' ' && c <= u'~')
        return false; // nearly all there is
    return c.category() == QChar::Other_Control || turnsDirection(c) || c == QChar::LineSeparator
        || c == QChar::ParagraphSeparator;
}

QString harmlessText(const QString& text)
{
    QString safe = text;
    for (qsizetype i = 0; i < safe.size(); ++i) {
        const QChar c = safe.at(i);
        const bool endsLine = c == u'\r' && i + 1 < safe.size() && safe.at(i + 1) == u'\n';
        if (isHarmful(c) && !isLayout(c) && !endsLine)
            safe[i] = QChar::ReplacementCharacter;
    }
    return safe;
}

QString harmlessJson(const QString& json)
{
    QString safe;
    safe.reserve(json.size());
    for (const QChar c : json) {
        if (isHarmful(c) && !isLayout(c))
            safe += u"\\u"_s + QString::number(c.unicode(), 16).rightJustified(4, u'0');
        else
            safe += c;
    }
    return safe;
}

QString harmlessLine(const QString& text, qsizetype limit)
{
    QString kept;
    for (const QChar c : text.left(8 * limit)) {
        if (!isHarmful(c))
            kept += c;
        else if (c.isSpace())
            kept += u' ';
    }
    kept = kept.simplified();
    return kept.size() > limit ? QString(kept.left(limit - 1) + u'…') : kept;
}

QString plainToolTip(const QString& text)
{
    constexpr qsizetype longest = 8000;
    const QString safe = harmlessText(text.left(longest));
    if (!safe.contains(u'<')) // without one nothing is taken for rich text
        return safe;
    return u"<p style='white-space:pre-wrap'>"_s + safe.toHtmlEscaped() + u"</p>"_s;
}

} // namespace rankwright::inline core
