// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QList>

namespace rankwright::inline cluster {

/// One message between us and the relay on a node (resources/remote/node-relay.py).
struct RelayFrame {
    enum Kind : char {
        Open = 'O',
        Opened = 'K',
        NotOpened = 'F',
        Data = 'D',
        End = 'E',
        Close = 'C',
        Grant = 'W',
        Alive = 'P',
    };
    Kind kind = Alive;
    quint32 connection = 0;
    QByteArray body = {};
    bool operator==(const RelayFrame&) const = default;
};

inline constexpr quint32 relayWindow = 262144; ///< bytes of a connection in one direction that are not acknowledged yet
inline constexpr qsizetype relayPiece = 32768; ///< of a Data frame that we send

/// As it is sent to the relay.
QByteArray relayBytes(const RelayFrame& frame);
/// "this many bytes may be sent again".
RelayFrame relayGrant(quint32 connection, quint32 bytes);
/// Of a Grant; 0: it is none.
quint32 grantedBytes(const RelayFrame& frame);

/// What a relay says, read from pieces of any size: first a line that says who it is, behind whatever was printed
/// before it, then frames. Constant memory.
class RelayReader {
public:
    enum class Greeting { None, Relay, NoPython };

    /// Complete frames in these bytes and those before. Error: the bytes do not come from a relay.
    Result<QList<RelayFrame>> feed(const QByteArray& bytes);
    Greeting greeting() const { return m_greeting; }
    /// What was printed in place of a greeting, at most a few KiB: the only hint of why none came.
    QByteArray noise() const;

private:
    bool readGreeting();

    Greeting m_greeting = Greeting::None;
    QByteArray m_bytes;
};

} // namespace rankwright::inline cluster
