// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "ssh/sshposix.h"

class QSocketNotifier;

namespace rankwright {

/// One forwarded connection: copies between a socket of this computer and a far stream (RemoteShell::dial() or a
/// relay's), each direction until its own end, at most some 100 KB of either waiting in here. Lives on the GUI thread.
class PortPipe final : public QObject {
    Q_OBJECT
public:
    explicit PortPipe(Descriptor near, QObject* parent = nullptr);
    ~PortPipe() override;

    /// The far side, which has just connected. Nothing was read of the near one before.
    void attach(std::unique_ptr<RemoteProcess> far);
    /// Ends both sides at once.
    void abort();
    qint64 bytesIn() const { return m_bytesIn; } ///< from the far side
    qint64 bytesOut() const { return m_bytesOut; }
    bool hasFar() const { return m_isAttached; }

signals:
    void bytesMoved(); ///< bytes went through
    void ended(); ///< once; both sides are closed

private:
    void readNear();
    void flush();
    void watchNear();
    void handleFarEnd(const Result<CommandOutcome>& outcome);
    void finish();

    Descriptor m_near;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;
    std::unique_ptr<RemoteProcess> m_far;
    QByteArray m_pending; ///< from the far side, not yet in the socket
    qsizetype m_offset = 0; ///< of it, already in the socket
    qint64 m_bytesIn = 0;
    qint64 m_bytesOut = 0;
    qint64 m_sent = 0; ///< of m_bytesOut, taken by the far side
    bool m_isAttached = false;
    bool m_isHeld = false;
    bool m_nearEnded = false;
    bool m_farEnded = false; ///< sends nothing more
    bool m_farGone = false;
    bool m_shut = false; ///< the near side was told that nothing more comes
    bool m_finished = false;
};

} // namespace rankwright
