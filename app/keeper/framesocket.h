// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/keeperframe.h"
#include "ssh/sshposix.h"

#include <QObject>

#include <memory>

class QSocketNotifier;

namespace rankwright {

/// One end of a local socket that carries KeeperFrames. Not Qt's own socket: what passes through is wiped, and what is
/// read waits while too much is unsent. Lives on the thread that made it; never blocks.
class FrameSocket final : public QObject {
    Q_OBJECT
public:
    explicit FrameSocket(Descriptor socket, QObject* parent = nullptr);
    ~FrameSocket() override;

    int descriptor() const { return m_socket.get(); }
    bool isOpen() const { return m_socket.isValid(); }
    void send(const KeeperFrame& frame);
    /// Closes; nothing is signalled afterwards.
    void hangUp();
    /// Bytes that were sent and have not gone yet.
    qsizetype unsent() const { return m_out.size() - m_gone; }
    /// While more than this is unsent, nothing is read. 0: no such bound.
    void setMostUnsent(qsizetype most) { m_mostUnsent = most; }

signals:
    void frameArrived(const rankwright::KeeperFrame& frame);
    /// Once, last, from the event loop: the other end has gone, or sent bytes that are not a frame.
    void ended(const rankwright::Error& why);

private:
    void readSome();
    void flush();
    void end(const Error& why);
    void updateNotifiers();

    Descriptor m_socket;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    KeeperReader m_reader;
    QByteArray m_out;
    qsizetype m_gone = 0; ///< of m_out
    qsizetype m_mostUnsent = 0;
};

} // namespace rankwright
