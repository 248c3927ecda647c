// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshhandles.h"
#include "ssh/sshposix.h"

#include <libssh/callbacks.h>

#include <atomic>

#include <sys/types.h>

namespace rankwright::test {

/// The server's side of one channel: a /bin/sh process or a TCP connection behind it. Server's thread.
class ServerChannel {
    Q_DISABLE_COPY_MOVE(ServerChannel)
public:
    ServerChannel(ssh_session session, ssh_event event, ssh_channel channel, std::atomic<qint64>& bytesOut);
    ~ServerChannel();

    /// Started by an exec request; `noise` is printed before, without a newline.
    QByteArray noise;
    bool reportsExit = true;
    bool refusesExec = false;

    /// A connection to a port of this machine's loopback address; invalid when nobody listens there.
    static Descriptor connectTo(int port, const QString& address = QStringLiteral("127.0.0.1"));
    /// Copies between the channel and that connection.
    void forward(Descriptor target);
    /// Copies what can be copied; false once both sides have closed.
    bool advance();
    ssh_channel handle() const { return m_channel.get(); }

private:
    struct Stream {
        Descriptor fd;
        short watched = 0;
    };
    static int onExec(ssh_session, ssh_channel, const char* command, void* self);
    static int onData(ssh_session, ssh_channel, void* data, uint32_t length, int isError, void* self);
    static void onEof(ssh_session, ssh_channel, void* self);
    static void onClose(ssh_session, ssh_channel, void* self);
    static void onSignal(ssh_session, ssh_channel, const char* signal, void* self);

    bool spawn(const QByteArray& command);
    void feed();
    void drain(Stream& stream, bool isError);
    void watch(Stream& stream, short events);
    void shut(Stream& stream);
    bool farewell();

    ssh_session m_session;
    ssh_event m_event;
    std::atomic<qint64>& m_bytesOut;
    Stream m_in;
    Stream m_out;
    Stream m_err;
    QByteArray m_pending;
    pid_t m_pid = 0;
    int m_status = 0;
    bool m_forward = false;
    bool m_begun = false;
    bool m_inputEnded = false;
    bool m_peerClosed = false;
    bool m_reported = false;
    ssh_channel_callbacks_struct m_callbacks = {};
    SshChannelHandle m_channel;
};

} // namespace rankwright::test
