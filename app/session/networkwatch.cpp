// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// addressChangeSocket(): Linux only. hostAddresses(): POSIX.
#include "app/session/networkwatch.h"

#include "models/core/logging.h"

#include <QDateTime>
#include <QSocketNotifier>

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#ifdef __linux__
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#endif

namespace rankwright {

namespace {

constexpr int checkMs = 5000;
constexpr int settleMs = 2000; // routes come after addresses, and both in bursts
constexpr qint64 standstillLimitMs = 20000; // a busy machine is late by some seconds

bool isLinkLocal(const sockaddr* address)
{
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 16) == 0xa9fe; // RFC 3927
}

} // namespace

NetworkWatch::NetworkWatch(QObject* parent)
    : QObject(parent), m_route(addressChangeSocket()), m_wallAt(QDateTime::currentMSecsSinceEpoch()),
      m_addresses(hostAddresses()), m_hasNetwork(!m_addresses.isEmpty())
{
    m_steady.start();
    if (m_route.isValid()) {
        m_notifier = std::make_unique<QSocketNotifier>(m_route.get(), QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
            drainAddressChanges(m_route.get());
            m_settle.start();
        });
    }
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMs);
    connect(&m_settle, &QTimer::timeout, this, &NetworkWatch::compareAddresses);
    m_checkTimer.setInterval(checkMs);
    connect(&m_checkTimer, &QTimer::timeout, this, &NetworkWatch::check);
    m_checkTimer.start();
}

NetworkWatch::~NetworkWatch() = default;

qint64 NetworkWatch::standstillMs(qint64 wallMs, qint64 steadyMs, qint64 intervalMs)
{
    // A steady clock stops while the machine sleeps, or goes on and the timer is late; setting the clock back does not
    // count as sleep.
    const qint64 longest = std::max(wallMs, steadyMs) - intervalMs;
    return longest > standstillLimitMs ? longest : 0;
}

void NetworkWatch::check()
{
    const qint64 wall = QDateTime::currentMSecsSinceEpoch();
    const qint64 steady = m_steady.elapsed();
    const qint64 stood
        = standstillMs(wall - std::exchange(m_wallAt, wall), steady - std::exchange(m_steadyAt, steady), checkMs);
    if (stood > 0) {
        qCInfo(logApp) << "asleep for" << stood / 1000 << "s";
        compareAddresses();
        emit machineWoke(stood);
    } else if (!m_route.isValid() && !m_settle.isActive() && hostAddresses() != m_addresses) {
        m_settle.start();
    }
}

void NetworkWatch::compareAddresses()
{
    m_settle.stop();
    const QStringList now = hostAddresses();
    if (now == m_addresses)
        return; // a lease that was renewed, an interface of a container
    m_addresses = now;
    m_hasNetwork = !now.isEmpty();
    qCInfo(logApp) << (m_hasNetwork ? "the network has changed" : "there is no network any more");
    emit changed(m_hasNetwork);
}

QStringList hostAddresses()
{
    QStringList found;
    ifaddrs* all = nullptr;
    if (::getifaddrs(&all) != 0)
        return found;
    for (const ifaddrs* each = all; each; each = each->ifa_next) {
        const bool up = (each->ifa_flags & IFF_UP) && (each->ifa_flags & IFF_RUNNING);
        if (!each->ifa_addr || !up || (each->ifa_flags & IFF_LOOPBACK))
            continue;
        const int family = each->ifa_addr->sa_family;
        if ((family != AF_INET && family != AF_INET6) || isLinkLocal(each->ifa_addr))
            continue;
        char text[NI_MAXHOST] = {};
        const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        if (::getnameinfo(each->ifa_addr, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0)
            found << QString::fromLocal8Bit(each->ifa_name) + u' ' + QString::fromLatin1(text);
    }
    ::freeifaddrs(all);
    found.sort();
    return found;
}

Descriptor addressChangeSocket()
{
#ifdef __linux__
    Descriptor made(::socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE));
    sockaddr_nl address = {};
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (made.isValid() && ::bind(made.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
        return made;
#endif
    return {};
}

void drainAddressChanges(int fd)
{
    char bytes[8192];
    while (::recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) { }
}

} // namespace rankwright
