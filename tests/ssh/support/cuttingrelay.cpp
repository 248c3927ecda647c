// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/cuttingrelay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace rankwright::test {

namespace {

constexpr int turnMs = 20; // how soon the end of the test is noticed

sockaddr_in loopback(int port)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    return address;
}

} // namespace

CuttingRelay::CuttingRelay(int target)
    : m_target(target), m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
{
    sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    ::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), length);
    ::listen(m_listener.get(), 16);
    ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

CuttingRelay::~CuttingRelay()
{
    m_quit = true;
    m_thread.join();
}

void CuttingRelay::serve()
{
    while (!m_quit) {
        pollfd waiting{m_listener.get(), POLLIN, 0};
        if (::poll(&waiting, 1, turnMs) <= 0)
            continue;
        const Descriptor client(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client.isValid())
            relay(client.get());
    }
}

/// False when one side has ended, or the limit is reached.
bool CuttingRelay::forward(int from, int to)
{
    char bytes[4096];
    size_t room = sizeof bytes;
    const qint64 limit = m_limit;
    if (limit >= 0)
        room = qMin<size_t>(room, static_cast<size_t>(qMax<qint64>(0, limit - m_bytes)));
    if (room == 0)
        return false;
    const auto taken = ::recv(from, bytes, room, 0);
    if (taken <= 0)
        return false;
    m_bytes += taken;
    for (ssize_t sent = 0; sent < taken;) {
        const auto now = ::send(to, bytes + sent, static_cast<size_t>(taken - sent), MSG_NOSIGNAL);
        if (now <= 0)
            return false;
        sent += now;
    }
    return limit < 0 || m_bytes < limit;
}

void CuttingRelay::relay(int client)
{
    m_bytes = 0;
    Descriptor server(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(m_target);
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return;
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(server.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    bool open = m_limit != 0;
    while (open && !m_quit) {
        pollfd both[] = {{client, POLLIN, 0}, {server.get(), POLLIN, 0}};
        if (::poll(both, 2, turnMs) <= 0)
            continue;
        if (both[0].revents != 0)
            open = forward(client, server.get());
        if (open && both[1].revents != 0)
            open = forward(server.get(), client);
    }
    cut(client, server);
}

void CuttingRelay::cut(int client, Descriptor& server)
{
    if (m_way == Way::Reset) {
        const linger none{1, 0};
        ::setsockopt(client, SOL_SOCKET, SO_LINGER, &none, sizeof none);
        ::setsockopt(server.get(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    }
    server.reset();
    if (m_way != Way::HalfClose)
        return; // our caller closes it
    ::shutdown(client, SHUT_WR);
    char bytes[4096];
    while (!m_quit) {
        pollfd waiting{client, POLLIN, 0};
        if (::poll(&waiting, 1, turnMs) > 0 && ::recv(client, bytes, sizeof bytes, 0) <= 0)
            return;
    }
}

} // namespace rankwright::test
