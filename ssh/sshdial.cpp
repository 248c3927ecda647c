// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshdial.h"

#include "ssh/sshgreeting.h"

#include <QFile>
#include <QStringList>

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

/// Whom getaddrinfo(3) asks, from resolv.conf(5); empty where a system keeps them elsewhere.
QStringList nameServers()
{
    QFile file(u"/etc/resolv.conf"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList servers;
    const QList<QByteArray> lines = file.read(16 * 1024).split('\n');
    for (const QByteArray& line : lines) {
        const QList<QByteArray> words = line.simplified().split(' ');
        if (words.size() > 1 && words.first() == "nameserver" && servers.size() < 3)
            servers << printableLine(words.at(1).constData(), 60);
    }
    return servers;
}

void tune(int fd)
{
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // small commands must not wait for a full packet
    ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on); // cheap, and outlives our own keep-alive
}

} // namespace

SshDial::SshDial(const QString& host, int port, ssh_event event) : m_host(host), m_event(event) { resolve(host, port); }

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
    m_lookup = ::getaddrinfo(host.toUtf8().constData(), QByteArray::number(port).constData(), &hints, &found);
    if (m_lookup != 0) {
        m_failure = m_lookup == EAI_SYSTEM ? systemText(errno) : QString::fromLocal8Bit(::gai_strerror(m_lookup));
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

Error SshDial::error() const
{
    if (m_reset) {
        FailedGreeting seen;
        seen.host = m_host;
        seen.libraryText = m_failure;
        seen.hungUp = true;
        return greetingError(seen);
    }
    if (m_lookup == 0)
        return {Fault::Offline, u"%1 cannot be reached."_s.arg(m_host), m_failure,
            m_refused ? u"Nothing listens there, or it blocks this address for a while: check host name and port, and "
                        u"wait some minutes after many tries."_s
                      : u"Check the name, the network, and whether the site wants its VPN."_s};
    const QStringList servers = nameServers();
    const QString detail = servers.isEmpty() ? m_failure : u"%1 (asked: %2)"_s.arg(m_failure, servers.join(u", "_s));
    if (m_lookup == EAI_AGAIN || m_lookup == EAI_SYSTEM)
        return {Fault::Offline, u"The address of %1 could not be looked up: no name server answered."_s.arg(m_host),
            detail, u"Check the network of this computer; a network that wants a sign-in does this, too."_s};
    return {Fault::Offline, u"The name servers know no host called %1."_s.arg(m_host), detail,
        u"Check the name; some names are known only inside the site's VPN."_s};
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
        m_refused = errno == ECONNREFUSED;
        m_reset = false;
        m_failure = u"%1: %2"_s.arg(address.text, systemText(errno));
        m_nextAttempt = m_next < m_addresses.size() ? now : never;
        return;
    }
    ssh_event_add_fd(m_event, fd.get(), POLLOUT, noCallback, nullptr);
    m_pending.push_back(std::move(fd));
}

/// True when the attempt has ended; a success is moved to m_connected.
bool SshDial::finishConnect(Descriptor& pending)
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
        m_refused = error == ECONNREFUSED;
        m_reset = error == ECONNRESET;
        m_failure = systemText(error);
    }
    return true;
}

SshDial::State SshDial::advance(qint64 now)
{
    for (std::size_t i = 0; i < m_pending.size() && !m_connected.isValid();) {
        if (!finishConnect(m_pending[i])) {
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
