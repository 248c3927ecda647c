// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/terminaltext.h"

#include <array>
#include <utility>

namespace rankwright::inline insight {

namespace {

quint8 byteAt(QByteArrayView raw, qsizetype at) { return at < raw.size() ? quint8(raw.at(at)) : quint8(0); }

/// One behind an OSC, DCS, APC, PM or SOS string: it ends with BEL or ESC backslash; one that never ends takes all.
qsizetype behindString(QByteArrayView raw, qsizetype at)
{
    while (at < raw.size() && byteAt(raw, at) != 0x07 && byteAt(raw, at) != 0x1b)
        ++at;
    if (byteAt(raw, at) == 0x1b && byteAt(raw, at + 1) == '\\')
        return at + 2;
    return byteAt(raw, at) == 0x07 ? at + 1 : at;
}

/// One behind a control sequence whose parameters begin at `at`; `parameters` gets those of SGR.
qsizetype behindCsi(QByteArrayView raw, qsizetype at, QByteArrayView* parameters)
{
    const qsizetype begin = at;
    while (at < raw.size() && byteAt(raw, at) >= 0x20 && byteAt(raw, at) < 0x40)
        ++at;
    const quint8 last = byteAt(raw, at);
    if (last < 0x40 || last > 0x7e)
        return at; // cut: what follows is text again
    if (last == 'm' && parameters)
        *parameters = raw.sliced(begin, at - begin);
    return at + 1;
}

qsizetype behindEscape(QByteArrayView raw, qsizetype at, QByteArrayView* parameters)
{
    const quint8 kind = byteAt(raw, at + 1);
    switch (kind) {
    case '[': return behindCsi(raw, at + 2, parameters);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': return behindString(raw, at + 2);
    default: break;
    }
    qsizetype end = at + 1;
    while (byteAt(raw, end) >= 0x20 && byteAt(raw, end) < 0x30)
        ++end; // intermediate bytes: ESC ( B
    return byteAt(raw, end) >= 0x30 && byteAt(raw, end) < 0x7f ? end + 1 : end;
}

/// How many bytes of something that may not be shown begin here; 0: a character of the text.
qsizetype hiddenAt(QByteArrayView raw, qsizetype at, QByteArrayView* parameters)
{
    const quint8 byte = byteAt(raw, at);
    if (byte == 0x1b)
        return behindEscape(raw, at, parameters) - at;
    if (byte < 0x20 || byte == 0x7f)
        return byte == '\t' ? 0 : 1;
    if (byte == 0xc2 && byteAt(raw, at + 1) >= 0x80 && byteAt(raw, at + 1) < 0xa0) // C1 controls
        return byteAt(raw, at + 1) == 0x9b ? behindCsi(raw, at + 2, parameters) - at : 2;
    if (byte == 0xe2) {
        // U+200E..200F, U+202A..202E, U+2066..2069 turn the direction: text could be made to read as another
        const quint8 second = byteAt(raw, at + 1);
        const quint8 third = byteAt(raw, at + 2);
        const bool turns = (second == 0x80 && ((third >= 0x8e && third <= 0x8f) || (third >= 0xaa && third <= 0xae)))
            || (second == 0x81 && third >= 0xa6 && third <= 0xa9);
        return turns ? 3 : 0;
    }
    return 0;
}

/// One behind the characters from `at` on of which none can be hidden, nor is a tab.
qsizetype behindPlain(QByteArrayView raw, qsizetype at)
{
    while (at < raw.size()) {
        const quint8 byte = quint8(raw[at]);
        if (byte < 0x20 || byte == 0x7f || byte == 0xc2 || byte == 0xe2)
            break;
        ++at;
    }
    return at;
}

/// Colours 16..255 of xterm: a cube of 6 x 6 x 6, then 24 greys.
TerminalColour indexedColour(int index)
{
    if (index < 0 || index > 255)
        return {};
    if (index < 16)
        return {TerminalColour::Kind::Palette, quint32(index)};
    if (index >= 232) {
        const auto grey = quint32(8 + 10 * (index - 232));
        return {TerminalColour::Kind::Rgb, (grey << 16) | (grey << 8) | grey};
    }
    static constexpr std::array<quint32, 6> levels{0, 95, 135, 175, 215, 255};
    const auto place = size_t(index - 16);
    return {TerminalColour::Kind::Rgb,
        (levels.at(place / 36) << 16) | (levels.at(place / 6 % 6) << 8) | levels.at(place % 6)};
}

/// "38;5;N", "38;2;R;G;B", and the same separated by colons; `at` goes on to the last number used.
TerminalColour longColour(const QList<int>& numbers, qsizetype& at)
{
    const int kind = numbers.value(at + 1, -1);
    if (kind == 5) {
        at += 2;
        return indexedColour(numbers.value(at, -1));
    }
    if (kind == 2) {
        const auto part = [&](int which) { return quint32(qBound(0, numbers.value(at + 1 + which), 255)); };
        const TerminalColour colour{TerminalColour::Kind::Rgb, (part(1) << 16) | (part(2) << 8) | part(3)};
        at += 4;
        return colour;
    }
    return {};
}

void applyFlag(int number, TextStyle& style)
{
    switch (number) {
    case 1: style.bold = true; break;
    case 2: style.faint = true; break;
    case 3: style.italic = true; break;
    case 4: style.underline = true; break;
    case 7: style.inverse = true; break;
    case 9: style.struck = true; break;
    case 22: style.bold = style.faint = false; break;
    case 23: style.italic = false; break;
    case 24: style.underline = false; break;
    case 27: style.inverse = false; break;
    case 29: style.struck = false; break;
    case 39: style.foreground = {}; break;
    case 49: style.background = {}; break;
    default: break;
    }
}

void applySgr(QByteArrayView parameters, TextStyle& style)
{
    QList<int> numbers;
    int number = 0;
    for (const char symbol : parameters) {
        if (symbol >= '0' && symbol <= '9')
            number = qMin(number * 10 + (symbol - '0'), 9999);
        else if (symbol == ';' || symbol == ':')
            numbers.append(std::exchange(number, 0));
        else
            return; // a private sequence that ends in m
    }
    numbers.append(number);
    for (qsizetype i = 0; i < numbers.size() && i < 32; ++i) {
        const int code = numbers.at(i);
        using Kind = TerminalColour::Kind;
        if (code == 0)
            style = {};
        else if (code == 38)
            style.foreground = longColour(numbers, i);
        else if (code == 48)
            style.background = longColour(numbers, i);
        else if (code >= 30 && code <= 37)
            style.foreground = {Kind::Palette, quint32(code - 30)};
        else if (code >= 40 && code <= 47)
            style.background = {Kind::Palette, quint32(code - 40)};
        else if (code >= 90 && code <= 97)
            style.foreground = {Kind::Palette, quint32(code - 82)};
        else if (code >= 100 && code <= 107)
            style.background = {Kind::Palette, quint32(code - 92)};
        else
            applyFlag(code, style);
    }
}

} // namespace

TerminalLine terminalLine(QByteArrayView raw)
{
    TerminalLine line;
    TextStyle style;
    QByteArray run;
    const auto endRun = [&] {
        if (run.isEmpty())
            return;
        const QString text = QString::fromUtf8(run);
        run.clear();
        if (!(style == TextStyle()) && line.spans.size() < 512) {
            const bool goesOn = !line.spans.isEmpty() && line.spans.last().style == style
                && line.spans.last().start + line.spans.last().length == line.text.size();
            if (goesOn)
                line.spans.last().length += int(text.size());
            else
                line.spans.append({int(line.text.size()), int(text.size()), style});
        }
        line.text += text;
    };
    for (qsizetype at = 0; at < raw.size();) {
        QByteArrayView parameters;
        const qsizetype hidden = hiddenAt(raw, at, &parameters);
        if (hidden > 0) {
            if (!parameters.isNull()) {
                endRun();
                applySgr(parameters, style);
            }
            at += hidden;
            continue;
        }
        if (raw.at(at) == '\t')
            run += "    ";
        else
            run += raw.at(at);
        ++at;
        const qsizetype plain = behindPlain(raw, at);
        run += raw.sliced(at, plain - at);
        at = plain;
    }
    endRun();
    return line;
}

QByteArray withoutControls(QByteArrayView raw)
{
    QByteArray clean;
    clean.reserve(raw.size());
    for (qsizetype at = 0; at < raw.size();) {
        if (const qsizetype hidden = hiddenAt(raw, at, nullptr)) {
            at += hidden;
            continue;
        }
        if (raw.at(at) == '\t')
            clean += "    ";
        else
            clean += raw.at(at);
        ++at;
        const qsizetype plain = behindPlain(raw, at);
        clean += raw.sliced(at, plain - at);
        at = plain;
    }
    return clean;
}

} // namespace rankwright::inline insight
