// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/keyfile.h"

#include <QtEndian>

#include <algorithm>

namespace rankwright::inline cluster {

bool isEncryptedKey(const QByteArray& text)
{
    constexpr QByteArrayView begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
    if (!text.startsWith(begin)) // PEM, PKCS #8
        return text.contains("Proc-Type: 4,ENCRYPTED") || text.contains("BEGIN ENCRYPTED PRIVATE KEY");
    const qsizetype end = text.indexOf("-----END");
    const QByteArray blob = QByteArray::fromBase64(text.mid(begin.size(), end < 0 ? -1 : end - begin.size()));
    constexpr QByteArrayView magic("openssh-key-v1\0", 15);
    if (!blob.startsWith(magic) || blob.size() < magic.size() + 4)
        return false;
    const auto length = qFromBigEndian<quint32>(blob.constData() + magic.size());
    return blob.mid(magic.size() + 4, qsizetype(qMin<quint32>(length, 64))) != "none"; // the cipher's name
}

QString publicKeyType(const QByteArray& line)
{
    const QByteArrayList words = line.simplified().split(' ');
    const QByteArray blob = QByteArray::fromBase64(words.value(1));
    const QByteArray type = words.first();
    // RFC 4253, 6.6: a key's bytes begin with the length of its kind's name and that name.
    const bool isWhole = blob.size() > 4 + type.size() && qFromBigEndian<quint32>(blob.constData()) == type.size()
        && blob.mid(4, type.size()) == type;
    return isWhole ? QString::fromLatin1(type) : QString();
}

QString passphraseObjection(const char* typed, const char* again)
{
    constexpr qsizetype fewest = 8; // as CSC and LUMI advise
    constexpr qsizetype most = 1000; // ssh-keygen reads no longer ones
    const QByteArrayView text(typed);
    if (text != QByteArrayView(again))
        return QStringLiteral("The two passphrases differ.");
    const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
    if (characters < fewest)
        return QStringLiteral("A passphrase has at least 8 characters; several words are good.");
    return text.size() > most ? QStringLiteral("The passphrase is too long.") : QString();
}

} // namespace rankwright::inline cluster
