// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/terminalcolours.h"

#include "widgets/theme.h"

#include <utility>

namespace rankwright {

namespace {

using Token = Theme::Token;

QColor colourOf(const TerminalColour& colour, const Theme& theme, Token otherwise)
{
    if (colour.kind == TerminalColour::Kind::Default)
        return theme.colour(otherwise);
    if (colour.kind == TerminalColour::Kind::Rgb)
        return QColor::fromRgb(QRgb(colour.value));
    switch (colour.value % 8) {
    case 1: return theme.colour(Token::Bad);
    case 2: return theme.colour(Token::Good);
    case 3: return theme.colour(Token::Warn);
    case 4: return theme.colour(Token::Accent);
    case 5: return Theme::category(3); // reddish purple
    case 6: return Theme::category(4); // sky blue
    case 7: return theme.colour(Token::Ink);
    default: return theme.colour(colour.value == 8 ? Token::Ink2 : Token::Ink); // black on a dark panel is ink
    }
}

QColor readable(QColor ink, const QColor& ground, const Theme& theme)
{
    const QColor plain
        = Theme::contrast(theme.colour(Token::Ink), ground) >= 4.5 ? theme.colour(Token::Ink) : Theme::inkOn(ground);
    for (int step = 0; step < 8 && Theme::contrast(ink, ground) < 4.5; ++step)
        ink = Theme::mix(plain, ink, 0.3);
    return Theme::contrast(ink, ground) < 4.5 ? plain : ink;
}

} // namespace

QTextCharFormat terminalFormat(const TextStyle& style, const Theme& theme)
{
    const QColor panel = theme.colour(Token::Panel);
    TextStyle shown = style;
    if (shown.inverse)
        std::swap(shown.ink, shown.ground);
    QTextCharFormat format;
    QColor ground = panel;
    if (shown.ground.kind != TerminalColour::Kind::Default || shown.inverse) {
        // a tint: a log is read, not painted
        ground = Theme::mix(colourOf(shown.ground, theme, Token::Ink), panel, 0.3);
        format.setBackground(ground);
    }
    QColor ink = colourOf(shown.ink, theme, Token::Ink);
    if (shown.faint)
        ink = Theme::mix(ink, ground, 0.7);
    format.setForeground(readable(ink, ground, theme));
    if (shown.bold)
        format.setFontWeight(QFont::DemiBold);
    format.setFontItalic(shown.italic);
    format.setFontUnderline(shown.underline);
    format.setFontStrikeOut(shown.struck);
    return format;
}

} // namespace rankwright
