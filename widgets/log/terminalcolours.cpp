// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/terminalcolours.h"

#include "widgets/base/theme.h"

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
    case 7: return theme.colour(Token::Foreground);
    default:
        return theme.colour(colour.value == 8 ? Token::Foreground2
                                              : Token::Foreground); // black on a dark panel becomes the text colour
    }
}

QColor readable(QColor foreground, const QColor& background, const Theme& theme)
{
    const QColor plain = Theme::contrast(theme.colour(Token::Foreground), background) >= 4.5
        ? theme.colour(Token::Foreground)
        : Theme::foregroundOn(background);
    for (int step = 0; step < 8 && Theme::contrast(foreground, background) < 4.5; ++step)
        foreground = Theme::mix(plain, foreground, 0.3);
    return Theme::contrast(foreground, background) < 4.5 ? plain : foreground;
}

} // namespace

QTextCharFormat terminalFormat(const TextStyle& style, const Theme& theme)
{
    const QColor panel = theme.colour(Token::Panel);
    TextStyle shown = style;
    if (shown.inverse)
        std::swap(shown.foreground, shown.background);
    QTextCharFormat format;
    QColor background = panel;
    if (shown.background.kind != TerminalColour::Kind::Default || shown.inverse) {
        // a tint: a log is read, not painted
        background = Theme::mix(colourOf(shown.background, theme, Token::Foreground), panel, 0.3);
        format.setBackground(background);
    }
    QColor foreground = colourOf(shown.foreground, theme, Token::Foreground);
    if (shown.faint)
        foreground = Theme::mix(foreground, background, 0.7);
    format.setForeground(readable(foreground, background, theme));
    if (shown.bold)
        format.setFontWeight(QFont::DemiBold);
    format.setFontItalic(shown.italic);
    format.setFontUnderline(shown.underline);
    format.setFontStrikeOut(shown.struck);
    return format;
}

} // namespace rankwright
