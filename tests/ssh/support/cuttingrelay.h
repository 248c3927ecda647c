// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QtGlobal>

#include <atomic>
#include <thread>

namespace rankwright::test {

/// Forwards TCP from a port of its own to another on 127.0.0.1, one connection after the other, and cuts each after so
/// many bytes of both directions together.
class CuttingRelay {
    Q_DISABLE_COPY_MOVE(CuttingRelay)
public:
    /// Close: both sides end as programs end. Reset: as a firewall does. HalfClose: the client's side is ended towards
    /// it and stays open otherwise, the server's is gone.
    enum class Way { Close, Reset, HalfClose };

    explicit CuttingRelay(int target);
    ~CuttingRelay();

    int port() const { return m_port; }
    /// Of the connections that begin from now on; negative: never.
    void cutAfter(qint64 bytes, Way way)
    {
        m_limit = bytes;
        m_way = way;
    }
    /// That the newest connection has carried.
    qint64 bytes() const { return m_bytes; }

private:
    void serve();
    void relay(int client);
    bool forward(int from, int to);
    void cut(int client, Descriptor& server);

    const int m_target;
    Descriptor m_listener;
    int m_port = 0;
    std::atomic<qint64> m_limit = -1;
    std::atomic<Way> m_way = Way::Close;
    std::atomic<qint64> m_bytes = 0;
    std::atomic<bool> m_quit = false;
    std::thread m_thread;
};

} // namespace rankwright::test
