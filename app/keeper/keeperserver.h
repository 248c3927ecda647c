// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/keeper/keeperguest.h"
#include "app/keeper/keeperplace.h"

#include <QElapsedTimer>
#include <QHash>

namespace rankwright {

/// The connection agent: one connection per endpoint, shared by the programs of one user. Ends by itself when it was
/// not used for a while. Opens nothing by itself, stores nothing, knows no cluster. Lives on the GUI thread.
class KeeperServer final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        /// A connection to this endpoint, not opened yet.
        std::function<std::unique_ptr<ClusterLink>(const SshEndpoint&)> makeLink;
        /// Who is at the other end of a socket; tests play another user.
        std::function<std::optional<quint32>(int socket)> peerUser;
    };
    struct Limits {
        qint64 idleMs = 8LL * 60 * 60 * 1000; ///< without a program, with connections open
        qint64 emptyMs = 10LL * 60 * 1000; ///< without a program and without a connection
        qint64 checkEveryMs = 1000; ///< how often both are checked and closed connections deleted
        qsizetype programs = 128;
        qsizetype connections = 32;
    };

    /// With Parts as they are outside of tests: libssh and the system's word.
    static Parts realParts();
    KeeperServer(Parts parts, Limits limits, QObject* parent = nullptr);
    ~KeeperServer() override;

    /// Takes the lock and listens. Error: Fault::Invalid where another agent runs or the place is not safe.
    Result<void> listen(const KeeperPlace& place);
    /// A program that is connected already.
    void accept(Descriptor socket);
    /// The machine slept, or its network changed: open connections are looked after.
    void probeAll();
    KeeperStatus status() const;
    qsizetype programCount() const { return m_guests.size(); }

signals:
    /// Idle for long enough, or asked to end; once.
    void ended();

private:
    void acceptAll();
    SharedLink* linkTo(const SshEndpoint& endpoint);
    void forget(KeeperGuest* guest);
    void closeUnused();
    void stop();

    const Parts m_parts;
    const Limits m_limits;
    KeeperPlace m_place;
    Descriptor m_lock;
    Descriptor m_listener;
    std::unique_ptr<QSocketNotifier> m_incoming;
    QHash<QByteArray, SharedLink*> m_links; ///< by endpointKey()
    QList<KeeperGuest*> m_guests;
    QTimer m_clock;
    QElapsedTimer m_unused; ///< since the last program went
    qint64 m_startedAt;
    bool m_stopped = false;
};

} // namespace rankwright
