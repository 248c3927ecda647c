// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace rankwright::test {

Listener::Listener(const QByteArray& greeting) : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(m_socket.get(), reinterpret_cast<sockaddr*>(&address), length);
    ::listen(m_socket.get(), 8);
    ::getsockname(m_socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    if (greeting.isEmpty())
        return;
    m_greeter = std::thread([fd = m_socket.get(), greeting] {
        const Descriptor caller(::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC));
        if (caller.isValid())
            ::send(caller.get(), greeting.constData(), static_cast<size_t>(greeting.size()), MSG_NOSIGNAL);
    });
}

Listener::~Listener()
{
    ::shutdown(m_socket.get(), SHUT_RDWR); // ends accept()
    if (m_greeter.joinable())
        m_greeter.join();
}

} // namespace rankwright::test
