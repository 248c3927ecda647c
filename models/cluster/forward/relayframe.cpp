// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/relayframe.h"

#include <QtEndian>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype headBytes = 9;
constexpr quint32 largestBody = 65536;
constexpr qsizetype mostNoise = 8192;
const QByteArray greetingStart = "\nRANKWRIGHT-RELAY ";

bool isKind(char byte) { return QByteArrayView("OKFDECWP").contains(byte); }

void addNumber(QByteArray& bytes, quint32 number)
{
    char order[4];
    qToBigEndian(number, order);
    bytes.append(order, 4);
}

} // namespace

QByteArray relayBytes(const RelayFrame& frame)
{
    QByteArray bytes;
    bytes.reserve(headBytes + frame.body.size());
    bytes += char(frame.kind);
    addNumber(bytes, frame.connection);
    addNumber(bytes, static_cast<quint32>(frame.body.size()));
    return bytes + frame.body;
}

RelayFrame relayGrant(quint32 connection, quint32 bytes)
{
    RelayFrame frame{RelayFrame::Grant, connection, {}};
    addNumber(frame.body, bytes);
    return frame;
}

quint32 grantedBytes(const RelayFrame& frame)
{
    return frame.kind == RelayFrame::Grant && frame.body.size() == 4 ? qFromBigEndian<quint32>(frame.body.constData())
                                                                     : 0;
}

/// False: the greeting's line has not come yet.
bool RelayReader::readGreeting()
{
    // What has no line feed in front of it is ours as well: a stream that begins with it.
    const QByteArray behind = '\n' + m_bytes;
    const qsizetype at = behind.indexOf(greetingStart);
    const qsizetype end = at < 0 ? -1 : behind.indexOf('\n', at + 1);
    if (end < 0) {
        if (m_bytes.size() > mostNoise)
            m_bytes.remove(0, m_bytes.size() - mostNoise);
        return false;
    }
    const QByteArray word = behind.mid(at + greetingStart.size(), end - at - greetingStart.size()).trimmed();
    m_greeting = word == "1" ? Greeting::Relay : Greeting::NoPython;
    m_bytes = behind.mid(end + 1);
    return true;
}

Result<QList<RelayFrame>> RelayReader::feed(const QByteArray& bytes)
{
    m_bytes += bytes;
    if (m_greeting == Greeting::None && !readGreeting())
        return QList<RelayFrame>();
    if (m_greeting == Greeting::NoPython)
        return QList<RelayFrame>();
    QList<RelayFrame> frames;
    qsizetype at = 0;
    const auto broken = [] {
        return fail(Fault::Unreadable, u"The relay on the node sent data that cannot be read."_s, {},
            u"Stop the forwarding and begin it again."_s);
    };
    while (m_bytes.size() - at >= headBytes) {
        const char* head = m_bytes.constData() + at;
        const auto length = qFromBigEndian<quint32>(head + 5);
        if (!isKind(*head) || length > largestBody)
            return broken();
        if (m_bytes.size() - at < headBytes + qsizetype(length) + 1)
            break;
        RelayFrame frame{RelayFrame::Kind(*head), qFromBigEndian<quint32>(head + 1), {}};
        frame.body = m_bytes.mid(at + headBytes, length);
        at += headBytes + qsizetype(length);
        if (m_bytes.at(at++) != '\n')
            return broken();
        frames.append(frame);
    }
    m_bytes.remove(0, at);
    return frames;
}

QByteArray RelayReader::noise() const { return m_greeting == Greeting::None ? m_bytes.trimmed() : QByteArray(); }

} // namespace rankwright::inline cluster
