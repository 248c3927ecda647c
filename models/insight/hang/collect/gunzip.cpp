// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/gunzip.h"

#include <array>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestCode = 15; // bits

/// The bits of a text, the lowest of each byte first. Behind its end come zeros, and isOver() is true.
class Bits {
public:
    explicit Bits(QByteArrayView bytes) : m_bytes(bytes) { }

    quint32 readBits(int count)
    {
        quint32 value = 0;
        for (int bit = 0; bit < count; ++bit)
            value |= readBits() << bit;
        return value;
    }
    quint32 readBits()
    {
        if (m_left == 0) {
            m_isOver = m_isOver || m_at >= m_bytes.size();
            m_current = m_at < m_bytes.size() ? static_cast<unsigned char>(m_bytes[m_at++]) : 0;
            m_left = 8;
        }
        const quint32 bit = m_current & 1U;
        m_current >>= 1;
        --m_left;
        return bit;
    }
    /// The bytes behind the one that is being read.
    QByteArrayView readBytes(qsizetype count)
    {
        m_left = 0;
        if (m_bytes.size() - m_at < count) {
            m_isOver = true;
            return {};
        }
        m_at += count;
        return m_bytes.sliced(m_at - count, count);
    }
    bool isOver() const { return m_isOver; }

private:
    QByteArrayView m_bytes;
    qsizetype m_at = 0;
    quint32 m_current = 0;
    int m_left = 0;
    bool m_isOver = false;
};

/// A canonical prefix code: of each length how many, and their symbols in order.
class PrefixCode {
public:
    /// `lengths`: bits of each symbol's code, 0: it has none. False: more codes than there can be.
    bool build(const quint8* lengths, int count)
    {
        m_counts.fill(0);
        for (int symbol = 0; symbol < count; ++symbol)
            ++m_counts.at(lengths[symbol]);
        m_counts[0] = 0;
        int room = 1;
        std::array<int, longestCode + 2> next{};
        for (std::size_t length = 1; length <= longestCode; ++length) {
            room = 2 * room - m_counts.at(length);
            if (room < 0)
                return false;
            next.at(length + 1) = next.at(length) + m_counts.at(length);
        }
        for (int symbol = 0; symbol < count; ++symbol) {
            if (lengths[symbol] > 0)
                m_symbols.at(static_cast<std::size_t>(next.at(lengths[symbol])++)) = quint16(symbol);
        }
        return true;
    }
    /// The next symbol; -1: no code begins so.
    int read(Bits& bits) const
    {
        int code = 0, first = 0, at = 0;
        for (std::size_t length = 1; length <= longestCode; ++length) {
            code |= int(bits.readBits());
            const int count = m_counts.at(length);
            if (code - first < count)
                return m_symbols.at(static_cast<std::size_t>(at + code - first));
            at += count;
            first = 2 * (first + count);
            code *= 2;
        }
        return -1;
    }

private:
    std::array<int, longestCode + 1> m_counts{};
    std::array<quint16, 288> m_symbols{};
};

/// Reads the blocks of RFC 1951.
class Inflation {
public:
    Inflation(QByteArrayView packed, qsizetype most) : m_bits(packed), m_most(most) { }

    /// Empty: all went well; else why not.
    QString run()
    {
        for (bool isLast = false; !isLast;) {
            isLast = m_bits.readBits() != 0;
            switch (m_bits.readBits(2)) {
            case 0: copyBlock(); break;
            case 1: readFixed(); break;
            case 2: readDynamic(); break;
            default: m_isBad = true;
            }
            if (m_isBad || m_bits.isOver())
                return u"The packed text is damaged or cut."_s;
            if (m_isTooLarge)
                return u"The packed text is larger than %1 MiB."_s.arg(m_most >> 20);
        }
        return {};
    }
    const QByteArray& output() const { return m_output; }
    /// The bytes behind the last block: `count` of them, or none.
    QByteArrayView trailer(qsizetype count) { return m_bits.readBytes(count); }

private:
    void copyBlock()
    {
        const QByteArrayView head = m_bits.readBytes(4);
        if (head.isEmpty())
            return;
        const auto byte = [head](qsizetype at) { return static_cast<unsigned char>(head[at]); };
        const int length = byte(0) | byte(1) << 8;
        m_isBad = (length ^ 0xffff) != (byte(2) | byte(3) << 8);
        m_isTooLarge = m_output.size() + length > m_most;
        if (!m_isBad && !m_isTooLarge)
            m_output.append(m_bits.readBytes(length));
    }

    void readFixed()
    {
        std::array<quint8, 288> lengths{};
        for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
            lengths.at(symbol) = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
        std::array<quint8, 30> distances{};
        distances.fill(5);
        PrefixCode literals, spans;
        literals.build(lengths.data(), int(lengths.size()));
        spans.build(distances.data(), int(distances.size()));
        readSymbols(literals, spans);
    }

    void readDynamic()
    {
        static constexpr std::array<quint8, 19> order{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const int literalCount = int(m_bits.readBits(5)) + 257;
        const int spanCount = int(m_bits.readBits(5)) + 1;
        const int lengthCount = int(m_bits.readBits(4)) + 4;
        std::array<quint8, 19> ofLengths{};
        for (int at = 0; at < lengthCount; ++at)
            ofLengths.at(order.at(static_cast<std::size_t>(at))) = quint8(m_bits.readBits(3));
        PrefixCode code;
        std::array<quint8, 320> lengths{};
        const int all = literalCount + spanCount;
        m_isBad = literalCount > 286 || spanCount > 30 || !code.build(ofLengths.data(), int(ofLengths.size()));
        for (int at = 0; at < all && !m_isBad && !m_bits.isOver();) {
            const int symbol = code.read(m_bits);
            quint8 length = 0;
            int times = 1;
            if (symbol < 0 || (symbol == 16 && at == 0)) {
                m_isBad = true;
                return;
            }
            if (symbol < 16) {
                length = quint8(symbol);
            } else if (symbol == 16) {
                length = lengths.at(static_cast<std::size_t>(at - 1));
                times = 3 + int(m_bits.readBits(2));
            } else {
                times = symbol == 17 ? 3 + int(m_bits.readBits(3)) : 11 + int(m_bits.readBits(7));
            }
            m_isBad = at + times > all;
            for (; times > 0 && !m_isBad; --times)
                lengths.at(static_cast<std::size_t>(at++)) = length;
        }
        PrefixCode literals, spans;
        m_isBad = m_isBad || lengths[256] == 0 || !literals.build(lengths.data(), literalCount)
            || !spans.build(lengths.data() + literalCount, spanCount);
        if (!m_isBad)
            readSymbols(literals, spans);
    }

    void readSymbols(const PrefixCode& literals, const PrefixCode& spans)
    {
        static constexpr int endOfBlock = 256;
        while (!m_bits.isOver()) {
            const int symbol = literals.read(m_bits);
            if (symbol == endOfBlock)
                return;
            if (symbol < 0 || symbol > 285) {
                m_isBad = true;
                return;
            }
            const int length = symbol < endOfBlock ? 1 : lengthOf(symbol - endOfBlock - 1);
            if (m_output.size() + length > m_most) {
                m_isTooLarge = true;
                return;
            }
            if (symbol < endOfBlock) {
                m_output.append(char(symbol));
                continue;
            }
            const int spanSymbol = spans.read(m_bits);
            const qsizetype distance = spanSymbol < 0 || spanSymbol > 29 ? 0 : distanceOf(spanSymbol);
            if (distance < 1 || distance > m_output.size()) {
                m_isBad = true;
                return;
            }
            for (int at = 0; at < length; ++at) // what is copied may overlap what it becomes
                m_output.append(m_output.at(m_output.size() - distance));
        }
    }

    /// RFC 1951, 3.2.5: groups of four, of two for distances, each with one more extra bit.
    int lengthOf(int number)
    {
        if (number == 28)
            return 258;
        const int extra = number < 8 ? 0 : number / 4 - 1;
        const int base = number < 8 ? 3 + number : 3 + ((4 + number % 4) << extra);
        return base + int(m_bits.readBits(extra));
    }
    qsizetype distanceOf(int number)
    {
        const int extra = number < 4 ? 0 : number / 2 - 1;
        const qsizetype base = number < 4 ? 1 + number : 1 + (qsizetype(2 + number % 2) << extra);
        return base + qsizetype(m_bits.readBits(extra));
    }

    Bits m_bits;
    QByteArray m_output;
    qsizetype m_most;
    bool m_isBad = false;
    bool m_isTooLarge = false;
};

quint32 checksumOf(const QByteArray& text)
{
    static const std::array<quint32, 256> table = [] {
        std::array<quint32, 256> made{};
        for (quint32 byte = 0; byte < 256; ++byte) {
            quint32 value = byte;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1U) != 0 ? value >> 1 ^ 0xedb88320U : value >> 1;
            made.at(byte) = value;
        }
        return made;
    }();
    quint32 sum = 0xffffffffU;
    for (const char letter : text)
        sum = table.at((sum ^ static_cast<unsigned char>(letter)) & 0xffU) ^ sum >> 8;
    return ~sum;
}

quint32 numberAt(QByteArrayView bytes, qsizetype at)
{
    quint32 value = 0;
    for (qsizetype i = 3; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

} // namespace

Result<QByteArray> gunzip(QByteArrayView packed, qsizetype most)
{
    constexpr qsizetype head = 10, trailer = 8;
    // no flags: gzip -n writes neither a name nor a time
    if (packed.size() < head + trailer || !packed.startsWith("\x1f\x8b\x08") || packed[3] != 0)
        return fail(Fault::Unreadable, u"This is not packed text."_s);
    Inflation inflation(packed.sliced(head), most);
    if (const QString why = inflation.run(); !why.isEmpty())
        return fail(Fault::Unreadable, why);
    const QByteArrayView end = inflation.trailer(trailer);
    const QByteArray& text = inflation.output();
    if (end.isEmpty() || numberAt(end, 0) != checksumOf(text) || numberAt(end, 4) != quint32(text.size()))
        return fail(Fault::Unreadable, u"The packed text is damaged or cut."_s);
    return text;
}

} // namespace rankwright::inline insight
