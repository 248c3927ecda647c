// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshdial.h"

#include <QString>

#include <cerrno>
#include <cstring>
#include <limits>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 never = std::numeric_limits<qint64>::max();
constexpr int attemptGapMs = 250; // RFC 8305, section 5: connection attempt delay

int noCallback(socket_t, int, void*)
{
    return 0; // the descriptor only has to end the poll
}

void tune(int fd)
{
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // small commands must not wait for a full packet
    ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on); // cheap, and outlives our own keep-alive
}

} // namespace

SshDial::SshDial(const QString& host, int port, ssh_event event) : m_event(event) { resolve(host, port); }

SshDial::~SshDial()
{
    for (const Descriptor& pending : m_pending)
        ssh_event_remove_fd(m_event, pending.get());
}

void SshDial::resolve(const QString& host, int port)
{
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int rc = ::getaddrinfo(host.toUtf8().constData(), QByteArray::number(port).constData(), &hints, &found);
    if (rc != 0) {
        m_failure = rc == EAI_SYSTEM ? systemText(errno) : QString::fromLocal8Bit(::gai_strerror(rc));
        return;
    }
    for (const addrinfo* each = found; each; each = each->ai_next) {
        Address address;
        if (each->ai_addrlen > sizeof address.storage)
            continue;
        std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
        address.length = each->ai_addrlen;
        char text[NI_MAXHOST] = {};
        ::getnameinfo(each->ai_addr, each->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
        address.text = QString::fromLatin1(text);
        m_addresses.push_back(address);
    }
    ::freeaddrinfo(found);
}

void SshDial::startNext(qint64 now)
{
    const Address& address = m_addresses[m_next++];
    m_nextAttempt = m_next < m_addresses.size() ? now + attemptGapMs : never;
    Descriptor fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const bool refused = !fd.isValid()
        || (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) != 0
            && errno != EINPROGRESS);
    if (refused) {
        m_failure = u"%1: %2"_s.arg(address.text, systemText(errno));
        m_nextAttempt = m_next < m_addresses.size() ? now : never;
        return;
    }
    ssh_event_add_fd(m_event, fd.get(), POLLOUT, noCallback, nullptr);
    m_pending.push_back(std::move(fd));
}

/// True when the attempt has ended; a success is moved to m_connected.
bool SshDial::settle(Descriptor& pending)
{
    pollfd entry = {pending.get(), POLLOUT, 0};
    if (::poll(&entry, 1, 0) <= 0)
        return false;
    int error = 0;
    socklen_t length = sizeof error;
    ::getsockopt(pending.get(), SOL_SOCKET, SO_ERROR, &error, &length);
    ssh_event_remove_fd(m_event, pending.get());
    if (error == 0) {
        tune(pending.get());
        m_connected = std::move(pending);
    } else {
        m_failure = systemText(error);
    }
    return true;
}

SshDial::State SshDial::advance(qint64 now)
{
    for (std::size_t i = 0; i < m_pending.size() && !m_connected.isValid();) {
        if (!settle(m_pending[i])) {
            ++i;
            continue;
        }
        m_pending.erase(m_pending.begin() + static_cast<std::ptrdiff_t>(i));
        m_nextAttempt = qMin(m_nextAttempt, now);
    }
    if (m_connected.isValid())
        return State::Connected;
    while (m_next < m_addresses.size() && (m_nextAttempt <= now || m_pending.empty()))
        startNext(now);
    if (m_next >= m_addresses.size())
        m_nextAttempt = never;
    return m_pending.empty() ? State::Failed : State::Busy;
}

} // namespace rankwright
