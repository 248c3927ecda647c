// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

namespace rankwright {

// The one place for what the operating system must give. Everything here is POSIX but for eventfd, which only Linux
// has. A port elsewhere replaces sshposix.cpp: Wakeup by a pipe (macOS, BSD) or a loopback UDP socket (Windows), and
// socketPair() by a connected pair of loopback TCP sockets (Windows).

/// A file descriptor that closes itself.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : m_fd(fd) { }
    Descriptor(Descriptor&& other) noexcept : m_fd(other.release()) { }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        reset(other.release());
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { reset(); }

    bool isValid() const { return m_fd >= 0; }
    int get() const { return m_fd; }
    int release() { return std::exchange(m_fd, -1); }
    void reset(int fd = -1);

private:
    int m_fd = -1;
};

/// Makes a poll in another thread return.
class Wakeup {
public:
    Wakeup();
    /// From any thread; several calls before consume() count as one.
    void wake();
    void consume();
    int descriptor() const { return m_event.get(); }

private:
    Descriptor m_event;
};

/// Two connected local stream sockets, non-blocking, not inherited by child processes; both invalid on failure.
std::pair<Descriptor, Descriptor> socketPair();
void setNonBlocking(int fd);

} // namespace rankwright
