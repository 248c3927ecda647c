// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/roughnetwork.h"

#include "tests/ssh/support/serverchannel.h"

#include <cerrno>
#include <chrono>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace rankwright::test {

namespace {

constexpr qint64 mostWaiting = 256 << 10; // as a router's buffer; then the sender waits

qint64 nowMs()
{
    using namespace std::chrono;
    return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

void resetConnection(Descriptor& socket)
{
    const linger now{1, 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    socket.reset();
}

} // namespace

RoughNetwork::RoughNetwork(int serverPort)
    : m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)), m_serverPort(serverPort)
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ::bind(m_listener.get(), reinterpret_cast<sockaddr*>(&address), length);
    ::listen(m_listener.get(), 16);
    ::getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { serve(); });
}

RoughNetwork::~RoughNetwork()
{
    m_quit = true;
    m_thread.join();
}

void RoughNetwork::accept()
{
    Descriptor client(::accept4(m_listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client.isValid())
        return;
    const int on = 1;
    ::setsockopt(client.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Descriptor server = ServerChannel::connectTo(m_serverPort);
    if (!server.isValid())
        return;
    Pair pair;
    pair.up.from = pair.down.to = client.get();
    pair.up.to = pair.down.from = server.get();
    pair.client = std::move(client);
    pair.server = std::move(server);
    m_pairs.push_back(std::move(pair));
}

/// False when that connection is over.
bool RoughNetwork::carry(Way& way, bool frozen, qint64 now, qint64 sinceMs)
{
    if (frozen)
        return true;
    while (!way.ended && way.bytes < mostWaiting) {
        QByteArray chunk(32768, Qt::Uninitialized);
        const auto count = ::recv(way.from, chunk.data(), size_t(chunk.size()), MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        if (count < 0)
            return false;
        way.ended = count == 0;
        if (count > 0) {
            chunk.truncate(count);
            way.bytes += count;
            way.waiting.emplace_back(now + m_delayMs, chunk);
        }
    }
    const int rate = m_rate;
    way.allowance = rate > 0 ? qMin(way.allowance + double(sinceMs) * rate / 1000, rate / 10.0) : 1e9;
    while (!way.waiting.empty() && way.waiting.front().first <= now && way.allowance >= 1) {
        QByteArray& front = way.waiting.front().second;
        const auto most = qMin<qint64>(front.size(), qint64(way.allowance));
        const auto count = ::send(way.to, front.constData(), size_t(most), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0)
            return false;
        way.allowance -= double(count);
        way.bytes -= count;
        front.remove(0, count);
        if (front.isEmpty())
            way.waiting.pop_front();
    }
    if (way.ended && way.waiting.empty() && !std::exchange(way.passedOn, true))
        ::shutdown(way.to, SHUT_WR);
    return true;
}

void RoughNetwork::serve()
{
    qint64 last = nowMs();
    while (!m_quit) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const qint64 now = nowMs();
        const qint64 since = now - std::exchange(last, now);
        if (m_cut.exchange(false)) {
            for (Pair& pair : m_pairs) {
                resetConnection(pair.client);
                resetConnection(pair.server);
            }
            m_pairs.clear();
        }
        accept();
        m_pairs.remove_if([&](Pair& pair) {
            return !carry(pair.up, m_toServerFrozen, now, since) || !carry(pair.down, m_toClientFrozen, now, since)
                || (pair.up.passedOn && pair.down.passedOn);
        });
    }
}

} // namespace rankwright::test
