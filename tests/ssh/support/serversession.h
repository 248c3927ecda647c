// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ssh/support/serverchannel.h"
#include "tests/ssh/support/sshserver.h"

#include <libssh/server.h>

namespace rankwright::test {

/// One client's connection to the SshServer. Server's thread.
class ServerSession {
    Q_DISABLE_COPY_MOVE(ServerSession)
public:
    ServerSession(SshServer& server, ssh_event event, SshSessionHandle session);
    ~ServerSession();

    /// False once the client is gone.
    bool advance();
    int openChannels() const;
    bool isExchanged() const { return m_exchanged; }
    /// Takes the connection away from under the session.
    void cut();

private:
    static int onNone(ssh_session, const char*, void*) { return SSH_AUTH_DENIED; }
    static int onPassword(ssh_session, const char* user, const char* password, void* self);
    static int onKey(ssh_session, const char* user, ssh_key key, char state, void* self);
    static ssh_channel onOpen(ssh_session session, void* self);
    static int onMessage(ssh_session, ssh_message message, void* self);

    int interactive(ssh_message message);
    int forward(ssh_message message);
    void askRound(ssh_message message) const;
    bool isRight(const char* user) const;

    SshServer& m_server;
    ssh_event m_event;
    ssh_server_callbacks_struct m_callbacks = {};
    SshSessionHandle m_session;
    bool m_exchanged = false;
    qsizetype m_round = 0;
    std::list<std::unique_ptr<ServerChannel>> m_channels;
};

} // namespace rankwright::test
