// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classkey.h"

#include <algorithm>
#include <array>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype keyBytes = 32;

/// y of the eight points of small order, little-endian, without the sign of x in the highest bit: two of order 8, then
/// 0 (order 4), 1 (order 1), p - 1 (order 2).
const std::array<QByteArray, 5> smallOrder{
    QByteArray::fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    QByteArray::fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    QByteArray(keyBytes, '\0'),
    QByteArray(1, '\1') + QByteArray(keyBytes - 1, '\0'),
    QByteArray(1, '\xec') + QByteArray(keyBytes - 2, '\xff') + QByteArray(1, '\x7f'),
};

/// y is p = 2^255 - 19 or more: another way to write y - p.
bool isLong(const QByteArray& y)
{
    return quint8(y.front()) >= 0xed && quint8(y.back()) == 0x7f
        && std::all_of(y.cbegin() + 1, y.cend() - 1, [](char byte) { return quint8(byte) == 0xff; });
}

} // namespace

std::optional<QByteArray> ed25519Key(const QString& publicKey)
{
    // Two texts, each with its length in four bytes before it.
    static const QByteArray head = QByteArray::fromHex("0000000b") + "ssh-ed25519" + QByteArray::fromHex("00000020");
    const QString name = u"ssh-ed25519 "_s;
    if (!publicKey.startsWith(name))
        return {};
    const QByteArray text = publicKey.mid(name.size()).toLatin1();
    const auto read = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    if (!read)
        return {};
    const QByteArray& blob = *read;
    if (blob.toBase64() != text || !blob.startsWith(head) || blob.size() != head.size() + keyBytes)
        return {};
    return blob.mid(head.size());
}

bool isWeakEd25519(const QByteArray& key)
{
    if (key.size() != keyBytes)
        return true;
    QByteArray y = key;
    y.back() = char(quint8(y.back()) & 0x7f);
    return isLong(y) || std::find(smallOrder.cbegin(), smallOrder.cend(), y) != smallOrder.cend();
}

QString classKeyFault(const QString& publicKey)
{
    const auto key = ed25519Key(publicKey);
    if (!key)
        return u"this is not an ed25519 public key"_s;
    return isWeakEd25519(*key) ? u"anybody can sign with this key"_s : QString();
}

} // namespace rankwright::inline teaching
