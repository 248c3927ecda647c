// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshposix.h"

#include <cstdint>

#include <fcntl.h>
#include <sys/eventfd.h> // Linux only
#include <sys/socket.h>
#include <unistd.h>

namespace rankwright {

void Descriptor::reset(int fd)
{
    if (m_fd >= 0 && m_fd != fd)
        ::close(m_fd);
    m_fd = fd;
}

Wakeup::Wakeup() : m_event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { }

void Wakeup::wake()
{
    const uint64_t one = 1;
    // Can only fail when the counter is full, and then the other thread wakes up anyway.
    [[maybe_unused]] const auto written = ::write(m_event.get(), &one, sizeof one);
}

void Wakeup::consume()
{
    uint64_t count = 0;
    [[maybe_unused]] const auto taken = ::read(m_event.get(), &count, sizeof count);
}

std::pair<Descriptor, Descriptor> socketPair()
{
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return {};
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void setNonBlocking(int fd)
{
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags >= 0 && !(flags & O_NONBLOCK))
        ::fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

} // namespace rankwright
