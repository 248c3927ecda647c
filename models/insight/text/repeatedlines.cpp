// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/repeatedlines.h"

#include <array>

namespace rankwright::inline insight {

namespace {

constexpr size_t heldLines = 256;
constexpr int rareCount = 16; ///< lines of one shape that are read before any is left out
constexpr qsizetype mostShapes = 512;
constexpr quint64 hashStart = 0xcbf29ce484222325ULL; // FNV-1a
constexpr quint64 hashStep = 0x100000001b3ULL;

enum ByteKind : quint8 { Other, Digit, Joint, Blank, Filler, Slash };

constexpr std::array<quint8, 256> byteKinds = [] {
    std::array<quint8, 256> table{};
    for (int byte = '0'; byte <= '9'; ++byte)
        table[size_t(byte)] = Digit;
    for (const char byte : {'.', ',', ':', 'e', 'E', '+', '-'})
        table[size_t(byte)] = Joint; // inside of a number they belong to it
    table[' '] = Blank;
    table['/'] = Slash;
    for (const char byte : {'#', '=', '>', '<', '_', '~'})
        table[size_t(byte)] = Filler; // a bar grows
    for (int byte = 0x80; byte < 256; ++byte)
        table[size_t(byte)] = Filler;
    return table;
}();

} // namespace

quint64 RepeatedLines::shapeOf(QByteArrayView bytes)
{
    quint64 hash = hashStart;
    const auto put = [&hash](quint8 byte) { hash = (hash ^ byte) * hashStep; };
    bool inNumber = false;
    bool behindSlash = false;
    quint8 last = 0;
    for (const char symbol : bytes) {
        const auto byte = quint8(symbol);
        const quint8 kind = byteKinds[byte];
        if (kind == Digit) {
            if (behindSlash)
                put(byte);
            else if (!inNumber)
                put('0');
            inNumber = true;
            last = '0';
            continue;
        }
        if (kind == Joint && inNumber && !behindSlash)
            continue;
        if (kind == Blank && last == ' ')
            continue;
        behindSlash = kind == Slash || (behindSlash && kind == Blank && !inNumber);
        inNumber = false;
        const quint8 shown = kind == Filler ? quint8('#') : byte;
        if (kind == Filler && last == '#')
            continue;
        put(shown);
        last = shown;
    }
    return hash;
}

void RepeatedLines::add(QByteArrayView bytes, LineEnd end, const Reader& read)
{
    const quint64 shape = shapeOf(bytes);
    auto seen = m_seen.find(shape);
    if (seen == m_seen.end()) {
        if (m_seen.size() >= mostShapes)
            m_seen.clear(); // a log of ever new shapes: it is read line by line
        seen = m_seen.insert(shape, {});
    }
    ++m_number;
    seen->last = m_number;
    if (++seen->count <= rareCount) {
        flush(read);
        read(bytes.toByteArray(), end);
        return;
    }
    if (m_ring.empty())
        m_ring.resize(heldLines);
    if (m_held == heldLines) {
        leave(m_ring[m_first], read);
        m_first = (m_first + 1) % heldLines;
        --m_held;
    }
    Line& line = m_ring[(m_first + m_held) % heldLines];
    ++m_held;
    line.bytes.resize(bytes.size());
    std::copy(bytes.begin(), bytes.end(), line.bytes.begin());
    line.end = end;
    line.shape = shape;
    line.number = m_number;
}

void RepeatedLines::leave(const Line& line, const Reader& read) const
{
    const auto seen = m_seen.constFind(line.shape);
    const bool hasSuccessor = seen != m_seen.constEnd() && seen->last > line.number;
    if (!hasSuccessor)
        read(line.bytes, line.end);
}

void RepeatedLines::flush(const Reader& read)
{
    for (; m_held > 0; --m_held) {
        const Line& line = m_ring[m_first];
        read(line.bytes, line.end);
        m_first = (m_first + 1) % heldLines;
    }
}

} // namespace rankwright::inline insight
