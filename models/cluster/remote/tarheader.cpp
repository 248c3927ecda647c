// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/tarheader.h"

#include <numeric>

namespace rankwright::inline cluster {

namespace {

constexpr int blockSize = 512;
constexpr int nameSize = 100;

void put(QByteArray& block, int at, const QByteArray& text) { block.replace(at, text.size(), text); }

QByteArray octal(qint64 value, int digits) { return QByteArray::number(value, 8).rightJustified(digits, '0') + '\0'; }

/// Eight GiB and more do not fit eleven octal digits: a set first bit, then the number in base 256.
QByteArray sizeField(qint64 size)
{
    constexpr qint64 mostOctal = qint64(1) << 33;
    if (size < mostOctal)
        return octal(size, 11);
    QByteArray field(12, '\0');
    field[0] = char(0x80);
    for (int i = 11; i > 3; --i, size >>= 8)
        field[i] = char(size & 0xff);
    return field;
}

QByteArray block(const QByteArray& name, char kind, int mode, qint64 size, qint64 modified)
{
    QByteArray header(blockSize, '\0');
    put(header, 0, name.left(nameSize));
    put(header, 100, octal(mode, 7));
    put(header, 108, octal(0, 7)); // owner and group: whoever unpacks it
    put(header, 116, octal(0, 7));
    put(header, 124, sizeField(size));
    put(header, 136, octal(qMax<qint64>(0, modified), 11));
    put(header, 148, QByteArray(8, ' ')); // the sum counts its own field as blanks
    header[156] = kind;
    put(header, 257, QByteArray("ustar\00000", 8));
    const int sum = std::accumulate(header.cbegin(), header.cend(), 0,
        [](int total, char byte) { return total + static_cast<unsigned char>(byte); });
    put(header, 148, QByteArray::number(sum, 8).rightJustified(6, '0') + QByteArray("\0 ", 2));
    return header;
}

} // namespace

qint64 tarPadding(qint64 size) { return (blockSize - size % blockSize) % blockSize; }

QByteArray tarEnd() { return QByteArray(2 * blockSize, '\0'); }

QByteArray tarHeader(const TarEntry& entry)
{
    QByteArray name = entry.path.toUtf8();
    if (entry.isFolder && !name.endsWith('/'))
        name += '/';
    QByteArray header;
    if (name.size() > nameSize) { // GNU's long name: an entry of its own in front
        const QByteArray longName = name + '\0';
        header += block("././@LongLink", 'L', 0644, longName.size(), 0) + longName
            + QByteArray(int(tarPadding(longName.size())), '\0');
    }
    return header
        + block(name, entry.isFolder ? '5' : '0', entry.mode & 0777, entry.isFolder ? 0 : entry.size, entry.modified);
}

} // namespace rankwright::inline cluster
