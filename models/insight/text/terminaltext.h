// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace rankwright::inline insight {

/// A colour that a program asked the terminal for (ECMA-48 SGR, ISO 8613-6): one of sixteen by number, whose look is
/// the theme's affair, or a fixed one.
struct TerminalColour {
    enum class Kind { Default, Palette, Rgb };
    Kind kind = Kind::Default;
    quint32 value = 0; ///< Palette: 0..15 (8..15 bright); Rgb: 0xrrggbb
    bool operator==(const TerminalColour&) const = default;
};

struct TextStyle {
    TerminalColour foreground, background;
    bool bold = false;
    bool faint = false;
    bool italic = false;
    bool underline = false;
    bool inverse = false;
    bool struck = false;
    bool operator==(const TextStyle&) const = default;
};

/// `length` characters (UTF-16) from `start` look different from plain text.
struct TextSpan {
    int start = 0;
    int length = 0;
    TextStyle style;
    bool operator==(const TextSpan&) const = default;
};

/// One line as it is safe to show: no escape sequence, no control character, no mark that turns the direction of
/// writing; tabs are four blanks; bytes that are not UTF-8 are U+FFFD.
struct TerminalLine {
    QString text;
    QList<TextSpan> spans; ///< in order, not overlapping; only where the look is not plain
};

/// Reads colours (SGR) and drops every other sequence: CSI, OSC with what it carries (titles, addresses of links), DCS,
/// and two-byte ones. A style ends with its line: a rank that forgets to reset colours no other's output.
TerminalLine terminalLine(QByteArrayView raw);

/// The text's bytes alone.
QByteArray withoutControls(QByteArrayView raw);

} // namespace rankwright::inline insight
