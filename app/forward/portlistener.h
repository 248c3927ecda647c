// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "ssh/sshposix.h"

#include <QObject>

class QSocketNotifier;

namespace rankwright {

/// Takes connections on one port of 127.0.0.1, never of another address: every user of this computer can reach it, but
/// no other computer. POSIX sockets, since Qt's close both directions when one ends.
class PortListener final : public QObject {
    Q_OBJECT
public:
    explicit PortListener(QObject* parent = nullptr);
    ~PortListener() override;

    /// Listens on `wanted`, or the next port that is free; 0: any. A port below 1024 counts as 8000 more.
    Result<int> listen(int wanted);
    int port() const { return m_port; } ///< 0: does not listen
    void close();
    /// The next connection that waits, non-blocking; invalid: none.
    Descriptor accept();

signals:
    void connectionWaiting(); ///< call accept() until it is invalid

private:
    Descriptor m_socket;
    int m_port = 0;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace rankwright
