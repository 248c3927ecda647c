// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperframe.h"

#include <QtEndian>

#include <cstring>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype headBytes = 9;

bool isKind(char byte) { return byte != '\0' && std::strchr("HOAPSDIEZGCpQXRTMBNcoedtfqs", byte) != nullptr; }

} // namespace

void wipe(char* bytes, qsizetype count)
{
    // volatile: a store to memory that is freed next must not be optimised away
    static void* (*const volatile fill)(void*, int, size_t) = std::memset;
    fill(bytes, 0, size_t(count));
}

void wipe(QByteArray& bytes)
{
    if (!bytes.isEmpty())
        wipe(bytes.data(), bytes.size());
    bytes.clear();
}

QByteArray keeperBytes(const KeeperFrame& frame)
{
    if (frame.body.size() > keeperLargest)
        qFatal("a frame of %lld bytes", static_cast<long long>(frame.body.size()));
    char head[headBytes];
    head[0] = char(frame.kind);
    qToBigEndian(frame.process, head + 1);
    qToBigEndian(static_cast<quint32>(frame.body.size()), head + 5);
    QByteArray bytes;
    bytes.reserve(headBytes + frame.body.size());
    bytes.append(head, headBytes);
    bytes.append(frame.body);
    return bytes;
}

KeeperReader::~KeeperReader() { wipe(m_bytes); }

Result<QList<KeeperFrame>> KeeperReader::feed(QByteArrayView bytes)
{
    QByteArray all;
    all.reserve(m_bytes.size() + bytes.size());
    all.append(m_bytes);
    all.append(bytes);
    wipe(m_bytes);
    QList<KeeperFrame> frames;
    qsizetype at = 0;
    while (all.size() - at >= headBytes) {
        const char* head = all.constData() + at;
        const auto length = qFromBigEndian<quint32>(head + 5);
        if (!isKind(*head) || length > quint32(keeperLargest)) {
            wipe(all);
            return fail(Fault::Unreadable, u"What was received is not from a connection agent."_s, {},
                u"Stop the agent and try again: rankwright-cli agent stop"_s);
        }
        if (all.size() - at < headBytes + qsizetype(length))
            break;
        frames.append(
            {KeeperFrame::Kind(*head), qFromBigEndian<quint32>(head + 1), all.mid(at + headBytes, qsizetype(length))});
        at += headBytes + qsizetype(length);
    }
    m_bytes = all.mid(at);
    m_bytes.detach();
    wipe(all);
    return frames;
}

} // namespace rankwright
