// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QByteArray>

#include <atomic>
#include <list>
#include <thread>

namespace rankwright::test {

/// A service on a free port of 127.0.0.1, each connection on a thread of its own, with plain blocking sockets.
class TcpService {
public:
    enum class Kind {
        Echo, ///< sends back what comes, until its end
        Count, ///< answers with the number of bytes, once nothing more comes
        Greet, ///< says "hello" and closes
        Flood, ///< sends floodBytes, whatever comes
    };
    static constexpr qint64 floodBytes = 48LL << 20;
    explicit TcpService(Kind kind, int port = 0);
    ~TcpService();
    TcpService(const TcpService&) = delete;
    TcpService& operator=(const TcpService&) = delete;

    int port() const { return m_port; }
    int connections() const { return m_connections; }
    qint64 sent() const { return m_sent; }

private:
    void serve(int fd);

    const Kind m_kind;
    Descriptor m_listener;
    int m_port = 0;
    std::atomic<bool> m_quit = false;
    std::atomic<int> m_connections = 0;
    std::atomic<qint64> m_sent = 0;
    std::list<std::thread> m_workers;
    std::thread m_acceptor;
};

// The other side: blocking, for threads of a test.

/// Connects to a port of 127.0.0.1; invalid: nobody listens.
Descriptor connectHere(int port);
/// Sends it all, ends its direction, reads to the end.
QByteArray talk(int port, const QByteArray& bytes);
/// Sends `count` bytes of a pattern and ends; true when exactly the same come back. Constant memory.
bool talkMuch(int port, qint64 count);
/// Reads to the end.
QByteArray readAll(int fd);

} // namespace rankwright::test
