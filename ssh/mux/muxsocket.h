// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "ssh/sshposix.h"

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>

#include <deque>
#include <memory>
#include <vector>

namespace rankwright {

/// One end of a control socket: packets both ways (models/cluster/mux), and descriptors between them, each with one
/// byte of its own as OpenSSH passes them. Decides nothing. POSIX; lives on the GUI thread, never blocks.
class MuxSocket final : public QObject {
    Q_OBJECT
public:
    /// Takes a connected socket.
    explicit MuxSocket(Descriptor socket, QObject* parent = nullptr);
    ~MuxSocket() override;

    /// Connects to a master's socket. Fault::Offline: none listens there; Fault::Invalid: it is not this user's, or the
    /// path is none that a socket can have.
    static Result<Descriptor> connectTo(const QString& path);
    /// The longest path that a socket can have, in bytes.
    static qsizetype longestPath();
    /// Is whoever is at the other end a process of this user?
    static bool isOwnPeer(int socket);

    void send(const QByteArray& packet, std::vector<Descriptor> descriptors = {});
    /// In a slot of packetArrived(): number of descriptors that follow that packet.
    void expectDescriptors(int count) { m_expected = count; }
    std::vector<Descriptor> takeDescriptors() { return std::exchange(m_received, {}); }
    bool isOpen() const { return m_socket.isValid(); }
    /// ended() follows.
    void closeAfterSending();
    void close();

signals:
    void packetArrived(const QByteArray& body);
    /// As many as were expected.
    void descriptorsArrived();
    /// Once: the far side has gone, or what it sends is none of this protocol.
    void ended();

private:
    struct Outgoing {
        QByteArray bytes;
        std::vector<Descriptor> descriptors;
    };
    void read();
    bool readPacket();
    bool readDescriptor();
    void write();
    bool writeDescriptor(int descriptor);
    void end();

    Descriptor m_socket;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::deque<Outgoing> m_outgoing;
    QByteArray m_packet; ///< what has arrived of the packet that is being read, its length included
    int m_expected = 0;
    bool m_closing = false;
    std::vector<Descriptor> m_received;
};

} // namespace rankwright
