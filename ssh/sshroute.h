// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshbridge.h"
#include "ssh/sshhop.h"

#include <iterator>
#include <vector>

namespace rankwright {

/// The hops of one connection in order, with a bridge between each two; the last hop is the cluster. Every hop has its
/// own host key and its own login. Lives on the connection's thread.
class SshRoute {
    Q_DISABLE_COPY_MOVE(SshRoute)
public:
    SshRoute(const SshEndpoint& endpoint, ssh_event event, const SshTuning& tuning,
        ClusterLink::Attendance attendance = ClusterLink::Attendance::Person, HintSink hint = {});
    ~SshRoute();

    SshHop::Step advance(qint64 now);
    qint64 due() const;

    /// The hop that is on its way; the last one once everything is online.
    SshHop& current() { return *m_hops.back(); }
    const SshHop& current() const { return *m_hops.back(); }
    /// What a hop has said to everybody who logs in, once: its name and its words.
    std::optional<std::pair<QString, QString>> takeBanner();
    /// Is current() the cluster itself?
    bool isComplete() const { return std::ssize(m_hops) == m_endpoints.size(); }
    /// Did the login of any hop take something from a person?
    bool tookPerson() const;
    /// Why advance() said Failed, with the jump host named where it was one.
    Error error() const { return m_error; }
    /// Empty while every hop lives.
    std::optional<Error> broken() const;
    /// Changes whenever any session received something: then another step may find work without waiting.
    quint64 pulse() const;

private:
    bool areJumpsAlive();
    bool advanceBridges();

    QList<SshEndpoint> m_endpoints;
    ssh_event m_event;
    SshTuning m_tuning;
    ClusterLink::Attendance m_attendance;
    HintSink m_hint;
    // A session behind a bridge must go before it, and a bridge before the session it runs through.
    std::vector<std::unique_ptr<SshHop>> m_hops;
    std::vector<std::unique_ptr<SshBridge>> m_bridges;
    Error m_error;
};

} // namespace rankwright
