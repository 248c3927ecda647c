// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/portlistener.h"

#include "ssh/sshhandles.h"

#include <QSocketNotifier>
#include <QTimer>

#include <cerrno>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostTries = 64;
constexpr int firstFree = 1024; ///< below only the administrator may listen
constexpr int lastPort = 65535;
constexpr int fullMs = 500;

sockaddr_in loopback(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Invalid: errno says why.
Descriptor listenOn(int port)
{
    Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made.isValid())
        return {};
    const int yes = 1; // connections of a forwarding that was stopped a moment ago do not hold the port
    ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in address = loopback(port);
    if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(made.get(), 64) != 0) {
        const int why = errno;
        made.reset();
        errno = why;
    }
    return made;
}

} // namespace

PortListener::PortListener(QObject* parent) : QObject(parent) { }

PortListener::~PortListener() = default;

Result<int> PortListener::listen(int wanted)
{
    close();
    int port = wanted != 0 && wanted < firstFree ? wanted + 8000 : wanted;
    int why = EADDRINUSE;
    for (int i = 0; i < mostTries && port <= lastPort; ++i, ++port) {
        m_socket = listenOn(port);
        if (m_socket.isValid())
            break;
        why = errno;
        if (why != EADDRINUSE && why != EACCES)
            break;
    }
    sockaddr_in bound{};
    socklen_t size = sizeof bound;
    if (!m_socket.isValid() || ::getsockname(m_socket.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
        m_socket.reset();
        return fail(Fault::Io, u"No port of this computer could be opened near %1."_s.arg(wanted), systemText(why),
            u"Give another local port."_s);
    }
    m_port = ntohs(bound.sin_port);
    m_notifier = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &PortListener::connectionWaiting);
    return m_port;
}

void PortListener::close()
{
    if (m_notifier)
        m_notifier->setEnabled(false);
    m_notifier.reset();
    m_socket.reset();
    m_port = 0;
}

Descriptor PortListener::accept()
{
    if (!m_socket.isValid())
        return {};
    Descriptor one(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    const bool isFull = !one.isValid() && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
    if (isFull && m_notifier) { // no descriptors left: it stays readable, and asking on and on would take all the time
        m_notifier->setEnabled(false);
        QTimer::singleShot(fullMs, m_notifier.get(), [notifier = m_notifier.get()] { notifier->setEnabled(true); });
    }
    if (one.isValid()) {
        const int yes = 1;
        ::setsockopt(one.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    return one;
}

} // namespace rankwright
