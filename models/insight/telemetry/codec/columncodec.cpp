// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/codec/columncodec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

enum Kind : int {
    Nothing = 0, ///< no value is known
    Constant = 1, ///< all are known and the same
    Complete = 2, ///< all are known
    Partial = 3, ///< a bit for each value, then those that are known
    RawComplete = 4, ///< the bits of doubles that no few decimal places express
    RawPartial = 5,
};
constexpr int kinds = 6;
constexpr std::array<double, 5> powersOfTen = {1, 10, 100, 1000, 10000};
constexpr double largestWhole = 9007199254740992.0; // 2^53: beyond it a double skips whole numbers
constexpr quint32 largestPayload = 64U * 1024 * 1024;
constexpr quint64 mostZlibShrinks = 1100; // deflate's limit is 1032
constexpr char version = 1;
constexpr qsizetype headSize = 4;

quint64 folded(quint64 difference) { return (difference << 1) ^ (difference >> 63 ? ~quint64(0) : quint64(0)); }

quint64 unfolded(quint64 number) { return (number >> 1) ^ (number & 1 ? ~quint64(0) : quint64(0)); }

/// Kind, scale, presence, then first value and differences.
template <typename Known>
QByteArray columnOf(const std::vector<Known>& values, const std::vector<quint64>& known, int scale, bool raw)
{
    ColumnWriter body;
    const bool complete = known.size() == values.size();
    const bool constant = complete && !raw
        && std::all_of(known.cbegin(), known.cend(), [&known](quint64 one) { return one == known.front(); });
    const int kind = known.empty() ? Nothing
        : constant                 ? Constant
        : raw                      ? (complete ? RawComplete : RawPartial)
                                   : (complete ? Complete : Partial);
    body.number(quint64(kind));
    if (kind == Nothing)
        return body.bytes();
    body.number(quint64(scale));
    QByteArray presence;
    if (!complete) {
        presence.resize(qsizetype((values.size() + 7) / 8), 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i])
                presence[qsizetype(i / 8)] = char(presence.at(qsizetype(i / 8)) | (1 << (i % 8)));
        }
    }
    ColumnWriter rest;
    quint64 before = 0;
    for (const quint64 one : known) {
        rest.number(raw ? one : folded(one - before));
        before = one;
        if (constant)
            break;
    }
    return body.bytes() + presence + rest.bytes();
}

/// Decimal places that express every value exactly; -1: none of few do.
int decimalsOf(const std::vector<double>& values)
{
    for (int decimals = 0; decimals < int(powersOfTen.size()); ++decimals) {
        const double scale = powersOfTen[std::size_t(decimals)];
        const bool exact = std::all_of(values.cbegin(), values.cend(), [scale](double value) {
            const double scaled = std::round(value * scale);
            return std::abs(scaled) < largestWhole && scaled / scale == value;
        });
        if (exact)
            return decimals;
    }
    return -1;
}

} // namespace

void ColumnWriter::number(quint64 value)
{
    while (value >= 0x80) {
        m_bytes.append(char(value | 0x80));
        value >>= 7;
    }
    m_bytes.append(char(value));
}

void ColumnWriter::signedNumber(qint64 value) { number(folded(quint64(value))); }

void ColumnWriter::text(const QByteArray& utf8)
{
    number(quint64(utf8.size()));
    m_bytes.append(utf8);
}

void ColumnWriter::column(const std::vector<std::optional<qint64>>& values)
{
    std::vector<quint64> known;
    quint64 bits = 0;
    for (const auto& value : values) {
        if (value) {
            known.push_back(quint64(*value));
            bits |= quint64(*value);
        }
    }
    const int shift = bits ? std::countr_zero(bits) : 0;
    for (quint64& value : known)
        value = quint64(qint64(value) >> shift);
    text(columnOf(values, known, shift, false));
}

void ColumnWriter::column(const std::vector<std::optional<double>>& values)
{
    std::vector<std::optional<double>> reported = values;
    std::vector<double> known;
    for (auto& value : reported) {
        if (value && std::isnan(*value))
            value.reset();
        if (value)
            known.push_back(*value);
    }
    const int decimals = decimalsOf(known);
    std::vector<quint64> coded;
    coded.reserve(std::size_t(known.size()));
    for (const double value : known) {
        coded.push_back(decimals < 0 ? std::bit_cast<quint64>(value)
                                     : quint64(qint64(std::round(value * powersOfTen[std::size_t(decimals)]))));
    }
    text(columnOf(reported, coded, qMax(0, decimals), decimals < 0));
}

QByteArrayView ColumnReader::readBytes(qsizetype size)
{
    if (m_failed || size < 0 || size > m_left.size()) {
        m_failed = true;
        m_left = {};
        return {};
    }
    const QByteArrayView taken = m_left.first(size);
    m_left = m_left.sliced(size);
    return taken;
}

quint64 ColumnReader::number()
{
    constexpr qsizetype longest = 10; // bytes of a number
    const qsizetype room = qMin(m_left.size(), longest);
    quint64 value = 0;
    for (qsizetype at = 0; at < room; ++at) {
        const auto byte = quint8(m_left[at]);
        value |= quint64(byte & 0x7f) << (7 * at);
        if (!(byte & 0x80)) {
            m_left = m_left.sliced(at + 1);
            return value;
        }
    }
    m_failed = true;
    m_left = {};
    return 0;
}

qint64 ColumnReader::signedNumber() { return qint64(unfolded(number())); }

int ColumnReader::count(int most)
{
    const quint64 value = number();
    if (value > quint64(most))
        m_failed = true;
    return m_failed ? 0 : int(value);
}

QByteArray ColumnReader::text() { return column().toByteArray(); }

QByteArrayView ColumnReader::column()
{
    const quint64 size = number();
    return readBytes(size > quint64(std::numeric_limits<int>::max()) ? -1 : qsizetype(size));
}

ColumnCursor::ColumnCursor(QByteArrayView column, qsizetype count) : m_reader(column), m_count(count)
{
    m_kind = m_reader.count(kinds - 1);
    if (m_kind != Nothing)
        m_scale = m_reader.count(63);
    if (m_kind == Partial || m_kind == RawPartial) {
        // The presence bits are between the head and the values: one byte after another.
        const qsizetype size = (count + 7) / 8;
        qsizetype head = 2; // kind and scale are below 128
        if (column.size() < head + size) {
            m_failed = true;
            return;
        }
        m_presence = column.sliced(head, size);
        m_reader = ColumnReader(column.sliced(head + size));
    }
    m_failed = m_reader.failed();
}

bool ColumnCursor::step()
{
    const bool raw = m_kind == RawComplete || m_kind == RawPartial;
    if (m_kind != Constant || !m_begun) {
        const quint64 coded = m_reader.number();
        m_value = raw ? coded : m_value + unfolded(coded);
    }
    m_known = !raw || !std::isnan(std::bit_cast<double>(m_value)); // no reading, whoever wrote it
    m_begun = true;
    m_failed = m_failed || m_reader.failed();
    return !m_failed;
}

bool ColumnCursor::next()
{
    if (m_failed || m_passed >= m_count)
        return false;
    const qsizetype at = m_passed++;
    m_known = m_kind != Nothing && (m_presence.isEmpty() || (quint8(m_presence.at(at / 8)) >> (at % 8) & 1) != 0);
    return !m_known || step();
}

bool ColumnCursor::skip(qsizetype count)
{
    if (m_kind == Nothing || (m_kind == Constant && m_begun)) {
        m_passed = qMin(m_count, m_passed + count);
        return !m_failed;
    }
    for (qsizetype i = 0; i < count; ++i) {
        if (!next())
            return false;
    }
    return true;
}

qint64 ColumnCursor::whole() const { return qint64(m_value << m_scale); }

double ColumnCursor::real() const
{
    if (m_kind == RawComplete || m_kind == RawPartial)
        return std::bit_cast<double>(m_value);
    if (m_scale == 0)
        return double(qint64(m_value));
    return double(qint64(m_value)) / powersOfTen[std::size_t(qMin(m_scale, int(powersOfTen.size()) - 1))];
}

bool isWhole(QByteArrayView column, qsizetype count)
{
    ColumnCursor cursor(column, count);
    return cursor.skip(count) && !cursor.failed();
}

QByteArray packBlob(char kind, const QByteArray& payload)
{
    const QByteArray packed = qCompress(payload);
    const quint16 sum = qChecksum(packed);
    QByteArray blob;
    blob.reserve(packed.size() + headSize);
    blob.append(kind).append(version).append(char(sum & 0xff)).append(char(sum >> 8));
    return blob + packed;
}

Result<QByteArray> unpackBlob(char kind, const QByteArray& blob)
{
    const auto damaged = [&](const QString& why) {
        return fail(Fault::Unreadable, u"A piece of the recording is damaged."_s, why,
            u"The rest of the recording can still be read."_s);
    };
    // zlib's part begins with the payload's size, most significant byte first
    if (blob.size() < headSize + 6 || blob.at(0) != kind)
        return damaged(u"Not a piece of this kind."_s);
    if (blob.at(1) != version)
        return fail(Fault::Invalid, u"A piece of the recording was written by a newer Rankwright."_s,
            u"Version %1."_s.arg(int(blob.at(1))), u"Open it with the newer program."_s);
    const QByteArrayView packed = QByteArrayView(blob).sliced(headSize);
    const quint16 sum = quint16(quint8(blob.at(2))) | quint16(quint16(quint8(blob.at(3))) << 8);
    if (qChecksum(packed) != sum)
        return damaged(u"Its checksum is wrong."_s);
    quint32 size = 0;
    for (int i = 0; i < 4; ++i)
        size = size << 8 | quint8(packed.at(i));
    if (size > largestPayload || size > quint64(packed.size()) * mostZlibShrinks)
        return damaged(u"It claims to hold %1 bytes."_s.arg(size));
    const QByteArray payload = qUncompress(reinterpret_cast<const uchar*>(packed.data()), packed.size());
    if (quint32(payload.size()) != size)
        return damaged(u"zlib cannot read it."_s);
    return payload;
}

} // namespace rankwright::inline insight
