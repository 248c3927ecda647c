// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "ssh/sshhandles.h"
#include "ssh/sshposix.h"

#include <sys/socket.h>

#include <vector>

namespace rankwright {

/// Opens a TCP connection to a host by any of its addresses. libssh's own non-blocking connect takes the first address
/// that does not fail at once and never looks at the others; here a further address is tried every 250 ms, or when one
/// fails, and the first to answer wins (RFC 8305). Lives on the connection's thread; the constructor blocks for the
/// name lookup.
class SshDial {
    Q_DISABLE_COPY_MOVE(SshDial)
public:
    enum class State { Busy, Connected, Failed };

    SshDial(const QString& host, int port, ssh_event event);
    ~SshDial();

    State advance(qint64 now);
    /// When advance() must be called at the latest; descriptors in the event wake it earlier.
    qint64 due() const { return m_nextAttempt; }
    Descriptor take() { return std::move(m_connected); }
    /// Why advance() said Failed: no such name, no name server, no address that answers, or one that hung up at once.
    Error error() const;

private:
    struct Address {
        sockaddr_storage storage = {};
        socklen_t length = 0;
        QString text;
    };
    void resolve(const QString& host, int port);
    void startNext(qint64 now);
    bool finishConnect(Descriptor& pending);

    const QString m_host;
    ssh_event m_event;
    int m_lookup = 0; ///< what getaddrinfo(3) returned
    std::vector<Address> m_addresses;
    std::size_t m_next = 0;
    std::vector<Descriptor> m_pending;
    Descriptor m_connected;
    qint64 m_nextAttempt = 0;
    QString m_failure;
    bool m_refused = false; ///< by the last address that failed
    bool m_reset = false; ///< it answered, and had hung up before anybody looked
};

} // namespace rankwright
