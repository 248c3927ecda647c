// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/tarstream.h"

#include "models/cluster/remote/tarheader.h"
#include "models/cluster/transfer/filenames.h"

#include <numeric>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr int blockSize = 512;
constexpr int nameSize = 100;
constexpr qint64 longestName = 4097;

void put(QByteArray& block, int at, const QByteArray& text) { block.replace(at, text.size(), text); }

QByteArray octal(qint64 value, int digits) { return QByteArray::number(value, 8).rightJustified(digits, '0') + '\0'; }

int sumOf(QByteArray header)
{
    put(header, 148, QByteArray(8, ' ')); // its own field counts as blanks
    return std::accumulate(
        header.cbegin(), header.cend(), 0, [](int total, char byte) { return total + static_cast<uchar>(byte); });
}

/// Eight GiB and more do not fit eleven octal digits: a set first bit, then the number in base 256.
QByteArray numberField(qint64 value)
{
    if (value >= 0 && value < (qint64(1) << 33))
        return octal(value, 11);
    QByteArray field(12, '\0');
    field[0] = char(0x80);
    for (int i = 11; i > 3; --i, value >>= 8)
        field[i] = char(value & 0xff);
    return field;
}

QByteArray block(const QByteArray& name, char kind, const FileEntry& entry, qint64 size)
{
    QByteArray header(blockSize, '\0');
    put(header, 0, name.left(nameSize));
    put(header, 100, octal(entry.mode & 0777, 7));
    put(header, 108, octal(0, 7)); // owner and group: whoever unpacks it
    put(header, 116, octal(0, 7));
    put(header, 124, numberField(size));
    put(header, 136, octal(qBound<qint64>(0, entry.modified, (qint64(1) << 33) - 1), 11));
    header[156] = kind;
    put(header, 157, kind == '2' ? entry.target.left(nameSize) : QByteArray());
    put(header, 257, QByteArray("ustar\00000", 8));
    put(header, 148, QByteArray::number(sumOf(header), 8).rightJustified(6, '0') + QByteArray("\0 ", 2));
    return header;
}

QByteArray longField(char kind, const QByteArray& text)
{
    const QByteArray ended = text + '\0';
    return block("././@LongLink", kind, FileEntry(), ended.size()) + ended
        + QByteArray(qsizetype(tarPadding(ended.size())), '\0');
}

QByteArray textField(const QByteArray& block, int at, int size)
{
    const QByteArray field = block.mid(at, size);
    const qsizetype end = field.indexOf('\0');
    return end < 0 ? field : field.left(end);
}

/// -1: no number.
qint64 numberOf(const QByteArray& block, int at, int size)
{
    const QByteArray field = block.mid(at, size);
    if (uchar(field.at(0)) == 0x80) {
        qint64 value = 0;
        for (int i = 1; i < size; ++i) {
            if (value >> 54)
                return -1;
            value = (value << 8) | uchar(field.at(i));
        }
        return value;
    }
    const QByteArray digits = textField(block, at, size).trimmed();
    bool isNumber = false;
    const qint64 value = digits.isEmpty() ? 0 : digits.toLongLong(&isNumber, 8);
    return digits.isEmpty() || (isNumber && value >= 0) ? value : -1;
}

Unexpected<Error> noTar(const QString& why)
{
    return fail(Fault::Unreadable, u"What the cluster sent is not a tar stream."_s, why, u"Try again."_s);
}

} // namespace

QByteArray tarHeaderOf(const FileEntry& entry)
{
    const bool isLink = entry.kind == FileEntry::Kind::Link;
    const bool isFolder = entry.kind == FileEntry::Kind::Folder;
    const QByteArray name = isFolder ? entry.path + '/' : entry.path;
    QByteArray header;
    if (isLink && entry.target.size() > nameSize)
        header += longField('K', entry.target);
    if (name.size() > nameSize)
        header += longField('L', name);
    return header + block(name, isFolder ? '5' : isLink ? '2' : '0', entry, isFolder || isLink ? 0 : entry.size);
}

Result<void> TarReader::feed(const QByteArray& bytes)
{
    qsizetype at = 0;
    while (at < bytes.size() && !m_isOver) {
        const qsizetype rest = bytes.size() - at;
        if (m_left > 0) {
            const QByteArray piece = bytes.mid(at, qMin<qint64>(m_left, rest));
            at += piece.size();
            m_left -= piece.size();
            if (m_longKind != 0)
                m_long += piece;
            else if (const auto taken = m_listener.data(piece); !taken)
                return taken;
        } else if (m_padding > 0) {
            const qint64 skipped = qMin<qint64>(m_padding, rest);
            at += skipped;
            m_padding -= skipped;
        } else {
            const QByteArray piece = bytes.mid(at, blockSize - m_block.size());
            at += piece.size();
            m_block += piece;
            if (m_block.size() < blockSize)
                return {};
            const QByteArray header = std::exchange(m_block, {});
            if (const auto read = readHeader(header); !read)
                return read;
        }
        if (m_left > 0 || (!m_isInFile && m_longKind == 0))
            continue;
        if (m_longKind != 0) {
            const QByteArray text = m_long.left(m_long.indexOf('\0') < 0 ? m_long.size() : m_long.indexOf('\0'));
            (m_longKind == 'L' ? m_longName : m_longTarget) = text;
            m_long.clear();
            m_longKind = 0;
        } else if (std::exchange(m_isInFile, false)) {
            if (const auto ended = m_listener.end(); !ended)
                return ended;
        }
    }
    return {};
}

Result<void> TarReader::readHeader(const QByteArray& header)
{
    if (header == QByteArray(blockSize, '\0')) {
        m_isOver = std::exchange(m_isZero, true);
        return {};
    }
    m_isZero = false;
    if (numberOf(header, 148, 8) != sumOf(header))
        return noTar(u"the checksum of a header is wrong"_s);
    const qint64 size = numberOf(header, 124, 12);
    const char kind = header.at(156);
    if (size < 0)
        return noTar(u"a file without a size"_s);
    m_padding = tarPadding(size);
    m_left = size;
    if (kind == 'L' || kind == 'K') {
        if (size > longestName || size == 0)
            return noTar(u"a name of %1 bytes"_s.arg(size));
        m_longKind = kind;
        return {};
    }
    FileEntry entry;
    entry.path = m_longName.isEmpty() ? textField(header, 0, nameSize) : std::exchange(m_longName, {});
    if (entry.path.startsWith("./"))
        entry.path.remove(0, 2);
    if (kind == '5') {
        entry.kind = FileEntry::Kind::Folder;
        while (entry.path.endsWith('/'))
            entry.path.chop(1);
    } else if (kind == '2') {
        entry.kind = FileEntry::Kind::Link;
        entry.target = m_longTarget.isEmpty() ? textField(header, 157, nameSize) : std::exchange(m_longTarget, {});
    } else if (kind != '0' && kind != '\0')
        entry.kind = FileEntry::Kind::Other;
    m_longName.clear();
    m_longTarget.clear();
    entry.size = size;
    entry.mode = int(qMax<qint64>(0, numberOf(header, 100, 8))) & 07777;
    entry.modified = qMax<qint64>(0, numberOf(header, 136, 12));
    if (entry.kind != FileEntry::Kind::File && size > 0)
        return noTar(u"%1 has bytes but is not a file"_s.arg(shownName(entry.path)));
    if (const auto begun = m_listener.begin(entry); !begun)
        return begun;
    m_isInFile = true;
    return {};
}

} // namespace rankwright::inline cluster
