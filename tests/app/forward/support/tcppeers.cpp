// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/forward/support/tcppeers.h"

#include <array>
#include <cerrno>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace rankwright::test {

namespace {

sockaddr_in here(int port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool sendAll(int fd, const char* bytes, qint64 count)
{
    while (count > 0) {
        const ssize_t sent = ::send(fd, bytes, static_cast<size_t>(count), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        count -= sent;
    }
    return true;
}

char pattern(qint64 at) { return static_cast<char>((at * 2654435761LL) >> 11); }

} // namespace

TcpService::TcpService(Kind kind, int port) : m_kind(kind), m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    const int yes = 1;
    ::setsockopt(m_listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address = here(port);
    socklen_t size = sizeof address;
    ::bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), size);
    ::listen(m_listener.get(), 64);
    ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] {
        while (!m_quit) {
            pollfd waiting{m_listener.get(), POLLIN, 0};
            if (::poll(&waiting, 1, 50) <= 0)
                continue;
            const int fd = ::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC);
            if (fd < 0)
                continue;
            ++m_connections;
            m_workers.emplace_back([this, fd] { serve(fd); });
        }
    });
}

TcpService::~TcpService()
{
    m_quit = true;
    m_acceptor.join();
    for (std::thread& worker : m_workers)
        worker.join();
}

void TcpService::serve(int fd)
{
    const Descriptor owned(fd);
    const timeval patience{1, 0}; // so that the test's end is seen
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    std::array<char, 65536> bytes{};
    if (m_kind == Kind::Greet) {
        sendAll(fd, "hello", 5);
        return;
    }
    if (m_kind == Kind::Flood) {
        qint64 at = 0;
        while (at < floodBytes && !m_quit) {
            const auto rest = static_cast<size_t>(floodBytes - at);
            const ssize_t sent = ::send(fd, bytes.data(), qMin(bytes.size(), rest), MSG_NOSIGNAL);
            if (sent < 0 && errno != EAGAIN && errno != EINTR)
                return;
            at += qMax<ssize_t>(0, sent);
            m_sent = at;
        }
        return;
    }
    qint64 count = 0;
    while (!m_quit) {
        const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (got <= 0)
            break;
        count += got;
        if (m_kind == Kind::Echo) {
            const char* rest = bytes.data();
            for (ssize_t left = got; left > 0 && !m_quit;) {
                const ssize_t sent = ::send(fd, rest, static_cast<size_t>(left), MSG_NOSIGNAL);
                if (sent < 0 && errno != EAGAIN && errno != EINTR)
                    return;
                rest += qMax<ssize_t>(0, sent);
                left -= qMax<ssize_t>(0, sent);
            }
        }
    }
    if (m_kind == Kind::Count) {
        const QByteArray answer = QByteArray::number(count);
        sendAll(fd, answer.constData(), answer.size());
    }
}

Descriptor connectHere(int port)
{
    Descriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = here(port);
    if (::connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    return made;
}

QByteArray readAll(int fd)
{
    QByteArray all;
    std::array<char, 65536> bytes{};
    for (;;) {
        const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return all;
        all.append(bytes.data(), got);
    }
}

QByteArray talk(int port, const QByteArray& bytes)
{
    const Descriptor made = connectHere(port);
    if (!made.isValid())
        return "nobody listens";
    std::thread writer([&] {
        sendAll(made.get(), bytes.constData(), bytes.size());
        ::shutdown(made.get(), SHUT_WR);
    });
    const QByteArray answer = readAll(made.get());
    writer.join();
    return answer;
}

bool talkMuch(int port, qint64 count)
{
    const Descriptor made = connectHere(port);
    if (!made.isValid())
        return false;
    std::thread writer([&] {
        std::array<char, 65536> bytes{};
        for (qint64 at = 0; at < count;) {
            const qint64 size = qMin<qint64>(count - at, bytes.size());
            for (qint64 i = 0; i < size; ++i)
                bytes[size_t(i)] = pattern(at + i);
            if (!sendAll(made.get(), bytes.data(), size))
                break;
            at += size;
        }
        ::shutdown(made.get(), SHUT_WR);
    });
    qint64 at = 0;
    bool same = true;
    std::array<char, 65536> bytes{};
    for (;;) {
        const ssize_t got = ::recv(made.get(), bytes.data(), bytes.size(), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got; ++i)
            same = same && bytes[size_t(i)] == pattern(at + i);
        at += got;
    }
    writer.join();
    return same && at == count;
}

} // namespace rankwright::test
