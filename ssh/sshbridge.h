// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshhandles.h"
#include "ssh/sshposix.h"

#include <libssh/callbacks.h>

namespace rankwright {

/// The way from a jump host to the next one: a forward channel of the jump's session on one side, one end of a socket
/// pair on the other; the session behind the jump uses the other end as its socket. Lives on the connection's thread.
///
/// Copies the bytes itself instead of using libssh's connectors: in 0.10 a connector that finds the channel's window
/// at zero reads nothing, takes that for the end of the stream and closes it (connector.c, ssh_connector_fd_in_cb), so
/// a large upload through a jump dies; and it writes from within callbacks, in a loop that never yields.
class SshBridge {
    Q_DISABLE_COPY_MOVE(SshBridge)
public:
    enum class Step { Busy, Open, Failed };

    SshBridge(ssh_session jump, ssh_event event, const QString& host, int port);
    ~SshBridge();

    /// Opens the channel, then copies what can be copied now.
    Step advance();
    /// Once, when Open: the descriptor for the next session.
    Descriptor takeFarEnd() { return std::move(m_far); }
    bool isOpen() const { return m_open; }
    const QString& failure() const { return m_failure; }

private:
    static int onData(ssh_session, ssh_channel, void* data, uint32_t length, int isError, void* self);
    static void onEnd(ssh_session, ssh_channel, void* self);

    Step openChannel();
    void moveInward();
    void readHeld();
    void moveOutward();
    bool readNear();
    void watchSocket(short events);
    void hangUp();

    ssh_session m_session;
    ssh_event m_event;
    QByteArray m_host;
    int m_port;
    QString m_failure;
    Descriptor m_near;
    Descriptor m_far;
    short m_watched = 0;
    QByteArray m_incoming; ///< from the channel, not yet in the socket
    QByteArray m_outgoing; ///< from the socket, not yet in the channel
    bool m_held = false; ///< libssh holds bytes that we did not accept
    bool m_remoteEnded = false; ///< the channel brings nothing more
    bool m_localEnded = false; ///< the session behind has closed its end
    bool m_open = false;
    ssh_channel_callbacks_struct m_callbacks = {};
    SshChannelHandle m_channel;
};

} // namespace rankwright
