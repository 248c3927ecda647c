// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

#include <optional>
#include <variant>

namespace rankwright::inline cluster {

// What passes over the control socket of a shared SSH connection (ssh_config(5), ControlPath): version 4 of the
// protocol that OpenSSH describes in its PROTOCOL.mux. A packet is its length in four bytes and a body; numbers are
// big-endian.

constexpr quint32 muxVersion = 4;
constexpr quint32 muxLongest = 256 * 1024; ///< bytes of a body, here and in OpenSSH's mux.c
constexpr quint32 muxNoEscape = 0xffffffff;
constexpr quint32 muxLocalSocket = 0xfffffffe; ///< in place of a port: the host is a path

enum class MuxType : quint32 {
    Hello = 0x00000001,
    NewSession = 0x10000002,
    AliveCheck = 0x10000004,
    Terminate = 0x10000005,
    OpenForward = 0x10000006,
    CloseForward = 0x10000007,
    NewStdioForward = 0x10000008,
    StopListening = 0x10000009,
    Proxy = 0x1000000f,
    Ok = 0x80000001,
    PermissionDenied = 0x80000002,
    Failure = 0x80000003,
    ExitMessage = 0x80000004,
    Alive = 0x80000005,
    SessionOpened = 0x80000006,
    RemotePort = 0x80000007,
    TerminalFailed = 0x80000008,
};

struct MuxHello {
    quint32 version = muxVersion;
    bool operator==(const MuxHello&) const = default;
};

/// Followed by three descriptors: standard input, output, errors.
struct MuxSession {
    quint32 id = 0;
    bool terminal = false;
    bool x11 = false;
    bool agent = false;
    bool subsystem = false; ///< `command` is its name
    quint32 escape = muxNoEscape;
    QByteArray terminalType; ///< $TERM
    QByteArray command; ///< empty: the login shell
    QList<QByteArray> environment = {}; ///< "NAME=value"
    bool operator==(const MuxSession&) const = default;
};

/// Followed by two descriptors: standard input, output.
struct MuxStdioForward {
    quint32 id = 0;
    QByteArray host;
    quint32 port = 0;
    bool operator==(const MuxStdioForward&) const = default;
};

struct MuxForward {
    enum Way : quint32 { Local = 1, Remote = 2, Dynamic = 3 };
    quint32 id = 0;
    bool closes = false; ///< one that was opened before
    quint32 way = Local;
    QByteArray listenHost;
    quint32 listenPort = 0;
    QByteArray connectHost;
    quint32 connectPort = 0;
    bool operator==(const MuxForward&) const = default;
};

/// AliveCheck, Terminate, StopListening, Proxy, and whatever else a client may ask that has a number.
struct MuxPlain {
    MuxType type = MuxType::AliveCheck;
    quint32 id = 0;
    bool operator==(const MuxPlain&) const = default;
};

using MuxRequest = std::variant<MuxHello, MuxSession, MuxStdioForward, MuxForward, MuxPlain>;

/// What a master says.
struct MuxReply {
    MuxType type = MuxType::Ok;
    quint32 id = 0; ///< of the request; of ExitMessage and TerminalFailed the session; of Hello the version
    quint32 value = 0; ///< exit status, process id, session id or port
    QByteArray reason; ///< of PermissionDenied and Failure
    bool operator==(const MuxReply&) const = default;
};

/// With the length in front.
QByteArray muxPacket(const MuxRequest& request);
QByteArray muxPacket(const MuxReply& reply);
/// Of a body, without the length; empty: it is cut short or otherwise none.
std::optional<MuxRequest> readMuxRequest(const QByteArray& body);
std::optional<MuxReply> readMuxReply(const QByteArray& body);

} // namespace rankwright::inline cluster
