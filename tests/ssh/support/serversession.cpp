// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/serversession.h"

#include <chrono>

#include <sys/socket.h>

namespace rankwright::test {

ServerSession::ServerSession(SshServer& server, ssh_event event, SshSessionHandle session)
    : m_server(server), m_event(event), m_session(std::move(session))
{
    const SshServer::Options& options = server.m_options;
    ssh_set_blocking(m_session.get(), 0);
    int methods = 0;
    if (!options.password.isEmpty())
        methods |= SSH_AUTH_METHOD_PASSWORD;
    if (!options.authorizedKeys.isEmpty())
        methods |= SSH_AUTH_METHOD_PUBLICKEY;
    if (!options.interactive.isEmpty() && !options.keyIsNotEnough)
        methods |= SSH_AUTH_METHOD_INTERACTIVE;
    ssh_set_auth_methods(m_session.get(), methods);
    ssh_callbacks_init(&m_callbacks);
    m_callbacks.userdata = this;
    m_callbacks.auth_none_function = onNone;
    m_callbacks.auth_password_function = onPassword;
    m_callbacks.auth_pubkey_function = onKey;
    m_callbacks.channel_open_request_session_function = onOpen;
    ssh_set_server_callbacks(m_session.get(), &m_callbacks);
    ssh_set_message_callback(m_session.get(), onMessage, this);
}

ServerSession::~ServerSession()
{
    m_channels.clear();
    if (m_exchanged)
        ssh_event_remove_session(m_event, m_session.get());
}

bool ServerSession::isRight(const char* user) const { return m_server.m_options.user == user; }

int ServerSession::onPassword(ssh_session, const char* user, const char* password, void* self)
{
    auto* session = static_cast<ServerSession*>(self);
    ++session->m_server.m_passwordTries;
    const bool right = session->isRight(user) && session->m_server.m_options.password == password;
    return right ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
}

int ServerSession::onKey(ssh_session handle, const char* user, ssh_key key, char state, void* self)
{
    auto* session = static_cast<ServerSession*>(self);
    const SshServer::Options& options = session->m_server.m_options;
    if (state == SSH_PUBLICKEY_STATE_NONE)
        ++session->m_server.m_keyOffers;
    const int wait = options.slownessMs + (state == SSH_PUBLICKEY_STATE_NONE ? 0 : options.thoughtMs);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    if (!session->isRight(user) || !options.authorizedKeys.contains(SshServer::publicBase64(key)))
        return SSH_AUTH_DENIED;
    if (state == SSH_PUBLICKEY_STATE_NONE || !options.keyIsNotEnough)
        return SSH_AUTH_SUCCESS;
    ssh_set_auth_methods(handle, SSH_AUTH_METHOD_INTERACTIVE);
    return SSH_AUTH_PARTIAL;
}

void ServerSession::cut() { ::shutdown(ssh_get_fd(m_session.get()), SHUT_RDWR); }

int ServerSession::openChannels() const { return static_cast<int>(m_channels.size()); }

ssh_channel ServerSession::onOpen(ssh_session handle, void* self)
{
    auto* session = static_cast<ServerSession*>(self);
    SshServer& server = session->m_server;
    if (session->openChannels() >= server.m_options.maxSessions) {
        ++server.m_refusedOpens;
        return nullptr;
    }
    ssh_channel channel = ssh_channel_new(handle);
    auto serving = std::make_unique<ServerChannel>(handle, session->m_event, channel, server.m_bytesOut);
    serving->noise = server.m_options.noise;
    serving->reportsExit = server.m_options.reportsExit;
    serving->refusesExec = server.m_options.refusesExec;
    session->m_channels.push_back(std::move(serving));
    server.m_mostOpen = qMax<int>(server.m_mostOpen, session->openChannels());
    return channel;
}

int ServerSession::onMessage(ssh_session, ssh_message message, void* self)
{
    auto* session = static_cast<ServerSession*>(self);
    const int type = ssh_message_type(message);
    const int subtype = ssh_message_subtype(message);
    if (type == SSH_REQUEST_AUTH && subtype == static_cast<int>(SSH_AUTH_METHOD_INTERACTIVE))
        return session->interactive(message);
    if (type == SSH_REQUEST_CHANNEL_OPEN && subtype == SSH_CHANNEL_DIRECT_TCPIP)
        return session->forward(message);
    return 1; // the library refuses it
}

void ServerSession::askRound(ssh_message message) const
{
    const SshServer::Round& round = m_server.m_options.interactive[m_round];
    std::vector<const char*> prompts;
    std::vector<char> echo;
    for (const SshServer::Question& question : round.questions) {
        prompts.push_back(question.text.constData());
        echo.push_back(question.echo ? 1 : 0);
    }
    prompts.push_back(nullptr);
    echo.push_back(0);
    ssh_message_auth_interactive_request(message, round.name.constData(), round.instruction.constData(),
        static_cast<unsigned>(round.questions.size()), prompts.data(), echo.data());
}

int ServerSession::interactive(ssh_message message)
{
    const QList<SshServer::Round>& rounds = m_server.m_options.interactive;
    if (rounds.isEmpty())
        return 1;
    if (!ssh_message_auth_kbdint_is_response(message)) {
        ++m_server.m_interactiveTries;
        m_round = 0;
        askRound(message);
        return 0;
    }
    const QList<SshServer::Question>& questions = rounds[m_round].questions;
    bool right = ssh_userauth_kbdint_getnanswers(m_session.get()) == questions.size();
    for (qsizetype i = 0; right && i < questions.size(); ++i) {
        const char* answer = ssh_userauth_kbdint_getanswer(m_session.get(), static_cast<unsigned>(i));
        right = answer && questions[i].answer == answer;
    }
    if (!right)
        return 1;
    if (++m_round < rounds.size())
        askRound(message);
    else
        ssh_message_auth_reply_success(message, 0);
    return 0;
}

int ServerSession::forward(ssh_message message)
{
    Descriptor target = ServerChannel::connectTo(ssh_message_channel_request_open_destination_port(message));
    if (!target.isValid()) // whether somebody listens must be known before the answer
        return 1;
    ssh_channel channel = ssh_message_channel_request_open_reply_accept(message);
    if (!channel)
        return 1;
    auto serving = std::make_unique<ServerChannel>(m_session.get(), m_event, channel, m_server.m_bytesOut);
    serving->forward(std::move(target));
    m_channels.push_back(std::move(serving));
    return 0;
}

bool ServerSession::advance()
{
    if (!m_exchanged) {
        const int rc = ssh_handle_key_exchange(m_session.get());
        if (rc == SSH_ERROR)
            return false;
        m_exchanged = rc == SSH_OK;
        // Not sooner: the exchange polls the event its session is in, and takes the end of any other session there for
        // an error of its own.
        if (m_exchanged)
            ssh_event_add_session(m_event, m_session.get());
        const QByteArray& banner = m_server.m_options.banner;
        if (m_exchanged && !banner.isEmpty()) {
            ssh_string text = ssh_string_from_char(banner.constData());
            ssh_send_issue_banner(m_session.get(), text);
            ssh_string_free(text);
        }
    }
    if (!ssh_is_connected(m_session.get()) || (ssh_get_status(m_session.get()) & (SSH_CLOSED | SSH_CLOSED_ERROR)))
        return false;
    const socket_t fd = ssh_get_fd(m_session.get());
    if (fd != SSH_INVALID_SOCKET)
        setNonBlocking(fd);
    m_channels.remove_if([](const std::unique_ptr<ServerChannel>& channel) { return !channel->advance(); });
    return true;
}

} // namespace rankwright::test
