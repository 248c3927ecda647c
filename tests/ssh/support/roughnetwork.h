// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QByteArray>

#include <atomic>
#include <deque>
#include <list>
#include <thread>

namespace rankwright::test {

/// A bad network before a server of this machine: forwards TCP from a port of its own, on a thread of its own, so that
/// the test's event loop is measured alone. All settings may change while it runs.
class RoughNetwork {
    Q_DISABLE_COPY_MOVE(RoughNetwork)
public:
    explicit RoughNetwork(int serverPort);
    ~RoughNetwork();

    int port() const { return m_port; }
    /// Resets every connection; what was on its way is lost.
    void cut() { m_cut = true; }
    /// Nothing passes; what comes waits in the sockets.
    void freeze(bool toServer, bool toClient)
    {
        m_toServerFrozen = toServer;
        m_toClientFrozen = toClient;
    }
    /// Each way.
    void setDelayMs(int ms) { m_delayMs = ms; }
    /// Bytes a second each way; 0: as many as come.
    void setRate(int bytesPerSecond) { m_rate = bytesPerSecond; }

private:
    struct Way {
        int from = -1;
        int to = -1;
        std::deque<std::pair<qint64, QByteArray>> waiting; ///< by when they may go
        qint64 bytes = 0;
        double allowance = 0;
        bool ended = false;
        bool passedOn = false; ///< the end, too
    };
    struct Pair {
        Descriptor client;
        Descriptor server;
        Way up;
        Way down;
    };
    void serve();
    void accept();
    bool carry(Way& way, bool frozen, qint64 now, qint64 sinceMs);

    Descriptor m_listener;
    int m_port = 0;
    const int m_serverPort;
    std::atomic<bool> m_quit = false;
    std::atomic<bool> m_cut = false;
    std::atomic<bool> m_toServerFrozen = false;
    std::atomic<bool> m_toClientFrozen = false;
    std::atomic<int> m_delayMs = 0;
    std::atomic<int> m_rate = 0;
    std::list<Pair> m_pairs;
    std::thread m_thread;
};

} // namespace rankwright::test
