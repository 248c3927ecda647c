// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>
#include <QList>

namespace rankwright {

/// One message between a program and the connection agent (docs/ssh.md, "The connection agent"). On the wire: kind,
/// process (4 bytes, big endian), length (the same), body. What stands in a body: keepermessage.h; those of Input,
/// Output and Errors are bytes as they are.
struct KeeperFrame {
    enum Kind : char {
        // From both sides, first of all.
        Hello = 'H',
        // From the program.
        Open = 'O', ///< be connected to this endpoint
        Answer = 'A', ///< to a prompt
        Probe = 'P', ///< look whether the server is still there
        Start = 'S', ///< a command under a number that was not used before
        Dial = 'D', ///< a TCP connection, in the same way
        Input = 'I',
        InputEnd = 'E',
        Resize = 'Z',
        Grant = 'G', ///< bytes of output that were read: as many may be sent again
        Cancel = 'C',
        Ping = 'p',
        AskStatus = 'Q',
        Stop = 'X', ///< end, with all connections
        // From the agent.
        Refused = 'R', ///< this program is not served
        State = 'T', ///< of the connection
        Prompt = 'M',
        Banner = 'B',
        Hint = 'N',
        Connected = 'c', ///< of a dialled connection
        Output = 'o',
        Errors = 'e',
        OutputEnd = 'd', ///< of a dialled connection
        Taken = 't', ///< bytes of input that have been sent to the server so far
        Done = 'f', ///< how a command ended; its number is not used again
        Pong = 'q',
        Status = 's',
    };
    Kind kind = Ping;
    quint32 process = 0; ///< 0: of the connection as a whole
    QByteArray body = {};
    bool operator==(const KeeperFrame&) const = default;
};

inline constexpr int keeperVersion = 1; ///< of this protocol; another one is refused by both sides
inline constexpr qsizetype keeperLargest = 256 * 1024; ///< bytes of a body
inline constexpr qsizetype keeperPiece = 32 * 1024; ///< bytes of stdin, stdout or stderr that are sent in one frame
/// Bytes of one process in one direction that the far side has not taken yet.
inline constexpr qint64 keeperWindow = 256 * 1024;

/// As it is sent. A body beyond keeperLargest is a mistake of the caller's and ends the program.
QByteArray keeperBytes(const KeeperFrame& frame);

/// Frames out of pieces of any size. Holds at most one frame that is not whole yet; what has passed is wiped.
class KeeperReader {
    Q_DISABLE_COPY_MOVE(KeeperReader)
public:
    KeeperReader() = default;
    ~KeeperReader();
    /// The frames that are whole now. Error: the bytes are not a frame; nothing after them can be read.
    Result<QList<KeeperFrame>> feed(QByteArrayView bytes);

private:
    QByteArray m_bytes;
};

/// Overwrites what may have held a secret.
void wipe(QByteArray& bytes);
void wipe(char* bytes, qsizetype count);

} // namespace rankwright
