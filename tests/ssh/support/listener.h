// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QByteArray>

#include <thread>

namespace rankwright::test {

/// Listens on a free port of 127.0.0.1 and never answers; with a greeting, says it to the first caller and hangs up.
class Listener {
    Q_DISABLE_COPY_MOVE(Listener)
public:
    explicit Listener(const QByteArray& greeting = {});
    ~Listener();
    int port() const { return m_port; }
    /// A port that was free a moment ago.
    static int freePort() { return Listener().port(); }

private:
    Descriptor m_socket;
    int m_port = 0;
    std::thread m_greeter;
};

} // namespace rankwright::test
