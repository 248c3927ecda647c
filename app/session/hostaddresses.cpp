// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// addressChangeSocket(): Linux only. Everything else is POSIX.
#include "app/session/hostaddresses.h"

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

bool isLinkLocal(const sockaddr* address)
{
    if (address->sa_family == AF_INET6)
        return IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
    return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 16) == 0xa9fe; // RFC 3927
}

} // namespace

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
