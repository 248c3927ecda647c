// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/sbatchlexer.h"

#include "widgets/base/theme.h"
#include "widgets/script/sbatchtokens.h"

#include <QFontInfo>

#include <Qsci/qsciscintilla.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Every style exists twice in Scintilla's table: a code font draws "--" or "!=" as one glyph, which hides what is
// typed. Bytes that could melt together take turns, since no glyph reaches over a change of style.
constexpr int twin = 16;
constexpr int styles = int(SbatchStyle::Inert) + 1;
static_assert(styles <= twin);

bool melts(char c) { return c != '\0' && QByteArrayView("-=!&|<>#/.:+*~$^?%@\\_").contains(c); }

} // namespace

SbatchLexer::SbatchLexer(QObject* parent) : QsciLexerCustom(parent) { }

QString SbatchLexer::description(int style) const
{
    // An empty description ends QScintilla's list of styles.
    static const QStringList names{u"Plain"_s, u"Comment"_s, u"Directive"_s, u"Keyword"_s, u"Command"_s, u"Variable"_s,
        u"String"_s, u"Option"_s, u"Directive option"_s, u"Directive value"_s, u"Here-document"_s, u"Not read"_s};
    return style >= 0 && style < 2 * twin ? names.value(style % twin, u"Unused"_s) : QString();
}

QColor SbatchLexer::defaultColor(int style) const
{
    using T = Theme::Token;
    const Theme& theme = themeOf(this);
    switch (SbatchStyle(style % twin)) {
    case SbatchStyle::Comment: return theme.colour(T::CodeComment);
    case SbatchStyle::Inert: return theme.colour(T::Foreground3);
    case SbatchStyle::Directive: return theme.colour(T::CodeComment);
    case SbatchStyle::DirectiveOption: return theme.colour(T::CodeDirective);
    case SbatchStyle::Keyword: return theme.colour(T::CodeKeyword);
    case SbatchStyle::Variable: return theme.colour(T::CodeVariable);
    case SbatchStyle::String:
    case SbatchStyle::HereDocument: return theme.colour(T::CodeString);
    case SbatchStyle::Command: return theme.colour(T::Accent);
    case SbatchStyle::Plain:
    case SbatchStyle::Option:
    case SbatchStyle::DirectiveValue: break;
    }
    return theme.colour(T::Foreground);
}

QColor SbatchLexer::defaultPaper(int) const { return themeOf(this).colour(Theme::Token::Panel); }

QFont SbatchLexer::defaultFont(int style) const
{
    // Scintilla reads a font's size in points only.
    QFont font = Theme::codeFont();
    font.setPointSizeF(QFontInfo(font).pointSizeF());
    font.setItalic(style % twin == int(SbatchStyle::Inert));
    return font;
}

void SbatchLexer::styleText(int, int)
{
    if (!editor())
        return;
    // Batch scripts are a few dozen lines: styled whole, so that an open quote needs no bookkeeping.
    const QByteArray text = editor()->text().toUtf8();
    QByteArray styles(text.size(), '\0');
    qsizetype at = 0;
    for (const SbatchRun& run : sbatchRuns(text)) {
        const qsizetype end = at + run.length;
        int other = 0;
        for (qsizetype from = at; at < end; from = at) {
            for (++at; at < end && !(melts(text.at(at - 1)) && melts(text.at(at)));)
                ++at;
            std::fill(styles.begin() + from, styles.begin() + at, char(int(run.style) + other));
            other = at < end && other == 0 ? twin : 0;
        }
    }
    startStyling(0); // at once: a message for each run is what a long script would spend its time on
    editor()->SendScintilla(QsciScintillaBase::SCI_SETSTYLINGEX, static_cast<unsigned long>(at), styles.constData());
}

void SbatchLexer::applyTheme()
{
    for (int style = 0; style < 2 * twin; ++style) {
        setColor(defaultColor(style), style);
        setPaper(defaultPaper(style), style);
        setFont(defaultFont(style), style);
    }
    setDefaultColor(defaultColor(0));
    setDefaultPaper(defaultPaper(0));
    setDefaultFont(defaultFont(0));
}

} // namespace rankwright
