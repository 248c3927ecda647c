// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/kexproposal.h"

#include "models/core/harmlesstext.h"

#include <QtEndian>

#include <algorithm>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr char kexInit = 20; // SSH_MSG_KEXINIT
constexpr qsizetype cookieSize = 16;
constexpr qsizetype headSize = 4 + 1 + 1; // length, padding, kind
constexpr quint32 longestPacket = 35000; // RFC 4253, 6.1
constexpr int mostShown = 12;

/// Where what follows the greeting line begins; -1: that line has not ended.
qsizetype behindGreeting(const QByteArray& begin)
{
    for (qsizetype at = 0; at < begin.size();) {
        const qsizetype end = begin.indexOf('\n', at);
        if (end < 0)
            return -1;
        if (QByteArrayView(begin).sliced(at).startsWith("SSH-"))
            return end + 1;
        at = end + 1;
    }
    return -1;
}

/// Not algorithms, but what a side understands besides.
bool isMark(const QByteArray& name) { return name.startsWith("ext-info-") || name.startsWith("kex-strict-"); }

/// The client's first that the server has (RFC 4253, 7.1); empty: none.
QByteArray agreed(const QByteArrayList& server, const QByteArrayList& client)
{
    const auto found = std::find_if(client.cbegin(), client.cend(),
        [&server](const QByteArray& name) { return !isMark(name) && server.contains(name); });
    return found == client.cend() ? QByteArray() : *found;
}

bool authenticatesItself(const QByteArray& cipher)
{
    return cipher.contains("-gcm") || cipher.startsWith("chacha20-poly1305");
}

QString shown(const QByteArrayList& names)
{
    QStringList words;
    for (const QByteArray& name : names) {
        if (!isMark(name))
            words.append(harmlessLine(QString::fromLatin1(name), 80));
    }
    const bool isCut = words.size() > mostShown;
    words = words.mid(0, mostShown);
    return words.isEmpty() ? u"nothing"_s : words.join(u", "_s) + (isCut ? u", …"_s : QString());
}

} // namespace

std::optional<KexProposal> readKexProposal(const QByteArray& begin)
{
    const qsizetype at = behindGreeting(begin);
    if (at < 0 || begin.size() - at < headSize)
        return std::nullopt;
    const auto length = qFromBigEndian<quint32>(begin.constData() + at);
    if (length > longestPacket || begin.size() - at < 4 + qsizetype(length) || begin.at(at + headSize - 1) != kexInit)
        return std::nullopt;
    QByteArrayView rest = QByteArrayView(begin).sliced(at + 4, qsizetype(length));
    if (rest.size() < 2 + cookieSize)
        return std::nullopt;
    rest = rest.sliced(2 + cookieSize);
    KexProposal proposal;
    for (QByteArrayList& names : proposal.names) {
        if (rest.size() < 4)
            return std::nullopt;
        const auto count = qFromBigEndian<quint32>(rest.data());
        rest = rest.sliced(4);
        if (count > quint32(rest.size()))
            return std::nullopt;
        if (count > 0)
            names = rest.first(qsizetype(count)).toByteArray().split(',');
        rest = rest.sliced(qsizetype(count));
    }
    return proposal;
}

QString nothingInCommon(const KexProposal& server, const KexProposal& client)
{
    static constexpr const char* words[KexProposal::lists]
        = {"key exchange", "host key", "cipher to the server", "cipher from the server", "MAC to the server",
            "MAC from the server", "compression to the server", "compression from the server"};
    constexpr size_t ciphers = 2;
    constexpr size_t macs = 4;
    for (size_t i = 0; i < KexProposal::lists; ++i) {
        const bool isMac = i == macs || i == macs + 1;
        if (isMac && authenticatesItself(agreed(server.names[i - macs + ciphers], client.names[i - macs + ciphers])))
            continue;
        if (agreed(server.names[i], client.names[i]).isEmpty())
            return u"%1: the server takes %2; this program offers %3"_s.arg(
                QLatin1String(words[i]), shown(server.names[i]), shown(client.names[i]));
    }
    return {};
}

} // namespace rankwright::inline cluster
