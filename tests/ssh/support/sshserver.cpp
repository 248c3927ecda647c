// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/sshserver.h"

#include "tests/ssh/support/serversession.h"

#include <libssh/server.h>

#include <chrono>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace rankwright::test {

namespace {

using BindHandle = std::unique_ptr<ssh_bind_struct, SshFree<ssh_bind_free>>;

SshServer::Options withKey(SshServer::Options options)
{
    if (!options.hostKey)
        options.hostKey = SshServer::newKey();
    return options;
}

} // namespace

std::shared_ptr<ssh_key_struct> SshServer::newKey(ssh_keytypes_e type, int bits)
{
    ssh_key key = nullptr;
    ssh_pki_generate(type, bits, &key);
    return {key, ssh_key_free};
}

QByteArray SshServer::publicBase64(ssh_key key)
{
    char* base64 = nullptr;
    if (ssh_pki_export_pubkey_base64(key, &base64) != SSH_OK)
        return {};
    const SshTextHandle text(base64);
    return text.get();
}

SshServer::SshServer(Options options) : m_options(withKey(std::move(options)))
{
    m_listener.reset(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), length);
    ::listen(m_listener.get(), 16);
    ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

SshServer::~SshServer()
{
    m_quit = true;
    m_wakeup.wake();
    m_thread.join();
}

QString SshServer::fingerprint() const { return rankwright::fingerprint(m_options.hostKey.get()); }

QByteArray SshServer::knownHostsLine() const
{
    return "[127.0.0.1]:" + QByteArray::number(m_port) + ' ' + keyTypeName(m_options.hostKey.get()).toLatin1() + ' '
        + publicBase64(m_options.hostKey.get()) + '\n';
}

void SshServer::dropAll()
{
    m_drop = true;
    m_wakeup.wake();
}

void SshServer::setSilent(bool silent)
{
    m_silent = silent;
    m_wakeup.wake();
}

void SshServer::acceptOne(ssh_event event)
{
    const int fd = ::accept4(m_listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ++m_connections;
    const BindHandle bind(ssh_bind_new());
    const bool readConfiguration = false;
    ssh_bind_options_set(bind.get(), SSH_BIND_OPTIONS_PROCESS_CONFIG, &readConfiguration);
    ssh_bind_options_set(bind.get(), SSH_BIND_OPTIONS_IMPORT_KEY, ssh_key_dup(m_options.hostKey.get()));
    SshSessionHandle session(ssh_new());
    if (ssh_bind_accept_fd(bind.get(), session.get(), fd) == SSH_OK)
        m_sessions.push_back(std::make_unique<ServerSession>(*this, event, std::move(session)));
}

void SshServer::serve()
{
    const SshEventHandle event(ssh_event_new());
    ssh_event_add_fd(event.get(), m_listener.get(), POLLIN, noCallback, nullptr);
    ssh_event_add_fd(
        event.get(), m_wakeup.descriptor(), POLLIN,
        [](socket_t, int, void* self) {
            static_cast<SshServer*>(self)->m_wakeup.consume();
            return 0;
        },
        this);
    while (!m_quit) {
        if (m_drop.exchange(false)) {
            for (const auto& session : m_sessions)
                session->cut(); // else libssh would still close the channels politely
            m_sessions.clear();
        }
        if (m_silent) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            continue;
        }
        acceptOne(event.get());
        m_sessions.remove_if([](const std::unique_ptr<ServerSession>& session) { return !session->advance(); });
        int open = 0;
        bool exchanging = false;
        for (const auto& session : m_sessions) {
            open += session->openChannels();
            exchanging = exchanging || !session->isExchanged();
        }
        m_openNow = open;
        // Ends of processes are looked for, and keys are exchanged outside the event.
        ssh_event_dopoll(event.get(), exchanging ? 1 : open > 0 ? 3 : 200);
    }
    m_sessions.clear();
    ssh_event_remove_fd(event.get(), m_wakeup.descriptor());
    ssh_event_remove_fd(event.get(), m_listener.get());
}

} // namespace rankwright::test
