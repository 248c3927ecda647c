// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshendpoint.h"
#include "ssh/sshposix.h"

#include <QByteArray>
#include <QTemporaryDir>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace rankwright::test {

/// What SSH's messages are made of (RFC 4251, section 5).
namespace wire {
QByteArray number(quint32 value);
QByteArray text(const QByteArray& bytes);
inline QByteArray message(quint8 kind, const QByteArray& rest = {}) { return QByteArray(1, char(kind)) + rest; }
} // namespace wire

/// The server's end of one connection, packet by packet: nothing stands between a test and the bytes. Before
/// exchangeKeys() packets are plain, after it encrypted (curve25519-sha256, ssh-ed25519, aes128-ctr, hmac-sha2-256).
class PacketPeer {
    Q_DISABLE_COPY_MOVE(PacketPeer)
public:
    PacketPeer(Descriptor socket, const struct PacketKeys& keys, const std::atomic<bool>& quit);
    ~PacketPeer();

    /// The bytes as they are. False: the client has gone, or the server ends.
    bool sendRaw(const QByteArray& bytes);
    /// One packet. After `packetsLeft` of them the connection is reset instead.
    bool send(const QByteArray& payload);
    /// The next packet's payload; empty: the client has gone, or waited longer than 5 s.
    QByteArray receive();
    /// Reads on until a message of this kind, and returns it.
    QByteArray receive(quint8 kind);
    int packetsLeft = -1;

    bool greet();
    /// Plain key exchange, up to and with NEWKEYS. `step` may do something else instead of one of its own messages:
    /// called before each with its kind; true: done, go on without it.
    bool exchangeKeys(const std::function<bool(quint8 kind)>& step = {});
    /// Greets, exchanges keys, accepts the service and takes the first login request, whatever it is.
    bool untilLogin();
    /// And accepts it.
    bool untilOnline();
    /// And takes the first channel with this window, then the command. Returns the client's number of the channel.
    std::optional<quint32> untilCommand(quint32 window = 1 << 20);
    void reset();
    /// From the next exchange on.
    void changeHostKey();
    /// Throws away what comes until the client goes.
    void drain();
    /// Waits, unless the server ends; false then.
    bool pause(int ms) const;

private:
    bool readExactly(qsizetype count, QByteArray* into);
    QByteArray readLine();
    QByteArray readPacket();

    struct Private;
    std::unique_ptr<Private> d;
};

/// Listens on a free loopback port, on a thread of its own, and plays `script` to each caller in turn.
class PacketServer {
    Q_DISABLE_COPY_MOVE(PacketServer)
public:
    explicit PacketServer(std::function<void(PacketPeer&)> script);
    ~PacketServer();
    /// With its host key on record, no agent, no keys.
    SshEndpoint endpoint() const;

private:
    void serve();

    std::function<void(PacketPeer&)> m_script;
    QTemporaryDir m_folder;
    std::unique_ptr<struct PacketKeys> m_keys;
    Descriptor m_listener;
    int m_port = 0;
    std::atomic<bool> m_quit = false;
    std::thread m_thread;
};

} // namespace rankwright::test
