// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperserver.h"

#include "app/keeper/keeperposix.h"
#include "models/core/logging.h"
#include "ssh/sshshell.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QSocketNotifier>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

KeeperServer::Parts KeeperServer::realParts()
{
    return {[](const SshEndpoint& endpoint) { return std::make_unique<SshShell>(endpoint); },
        [](int socket) { return rankwright::peerUser(socket); }};
}

KeeperServer::KeeperServer(Parts parts, Limits limits, QObject* parent)
    : QObject(parent), m_parts(std::move(parts)), m_limits(limits), m_startedAt(QDateTime::currentSecsSinceEpoch())
{
    m_unused.start();
    connect(&m_clock, &QTimer::timeout, this, &KeeperServer::closeUnused);
    m_clock.start(int(m_limits.checkEveryMs));
}

KeeperServer::~KeeperServer()
{
    const QList<KeeperGuest*> guests = std::exchange(m_guests, {});
    for (KeeperGuest* guest : guests) {
        guest->disconnect(this);
        delete guest;
    }
    qDeleteAll(m_links);
    if (m_listener.isValid())
        QFile::remove(m_place.socket); // before the lock goes
}

Result<void> KeeperServer::listen(const KeeperPlace& place)
{
    if (const auto safe = prepareKeeperFolder(place); !safe)
        return safe;
    m_lock = acquireLock(place.lock);
    if (!m_lock.isValid())
        return fail(Fault::Invalid, u"A connection agent runs already."_s, place.lock,
            u"See it with: rankwright-cli agent status"_s);
    auto listener = listenAt(place.socket);
    if (!listener)
        return fail(listener.error());
    m_listener = std::move(*listener);
    m_place = place;
    m_incoming = std::make_unique<QSocketNotifier>(m_listener.get(), QSocketNotifier::Read);
    connect(m_incoming.get(), &QSocketNotifier::activated, this, &KeeperServer::acceptAll);
    return {};
}

void KeeperServer::acceptAll()
{
    for (;;) {
        Descriptor socket = acceptOne(m_listener.get());
        if (!socket.isValid())
            return;
        accept(std::move(socket));
    }
}

void KeeperServer::accept(Descriptor socket)
{
    // The folder's mode keeps others out; this holds where somebody has changed it.
    if (m_parts.peerUser(socket.get()) != ownUser()) {
        qCWarning(logApp) << "agent: somebody else tried to connect";
        return;
    }
    KeeperGuest::Host host;
    host.linkTo = [this](const SshEndpoint& endpoint) { return linkTo(endpoint); };
    host.status = [this] { return status(); };
    host.stop = [this] { stop(); };
    auto* guest = new KeeperGuest(std::move(socket), std::move(host), this);
    m_guests.append(guest);
    connect(guest, &KeeperGuest::guestGone, this, [this, guest] { forget(guest); });
    if (m_guests.size() > m_limits.programs)
        guest->refuse({Fault::TurnedAway, u"Too many programs use the connection agent."_s, {}, {}});
}

void KeeperServer::forget(KeeperGuest* guest)
{
    if (m_guests.removeAll(guest) == 0)
        return;
    guest->deleteLater();
    if (guest->hasUsed()) // a question how the agent is keeps it from nothing
        m_unused.restart();
}

SharedLink* KeeperServer::linkTo(const SshEndpoint& endpoint)
{
    const QByteArray key = endpointKey(endpoint);
    if (SharedLink* known = m_links.value(key); known && !known->isIdleAndClosed())
        return known;
    // What is closed is made again: the user's key agent may be another one now.
    if (SharedLink* closed = m_links.take(key))
        closed->deleteLater();
    if (m_links.size() >= m_limits.connections)
        return nullptr;
    auto* link = new SharedLink(m_parts.makeLink(endpoint), endpoint.label(), this);
    m_links.insert(key, link);
    return link;
}

void KeeperServer::probeAll()
{
    for (SharedLink* link : std::as_const(m_links)) {
        if (link->isOpen())
            link->link().probe();
    }
}

/// Deletes idle connections; stops the agent after a while without programs.
void KeeperServer::closeUnused()
{
    for (auto each = m_links.begin(); each != m_links.end();) {
        if ((*each)->isIdleAndClosed()) {
            (*each)->deleteLater();
            each = m_links.erase(each);
        } else {
            ++each;
        }
    }
    if (m_guests.isEmpty() && m_unused.elapsed() >= (m_links.isEmpty() ? m_limits.emptyMs : m_limits.idleMs))
        stop();
}

void KeeperServer::stop()
{
    if (std::exchange(m_stopped, true))
        return;
    m_clock.stop();
    QMetaObject::invokeMethod(this, &KeeperServer::ended, Qt::QueuedConnection);
}

KeeperStatus KeeperServer::status() const
{
    KeeperStatus status{QCoreApplication::applicationPid(), QCoreApplication::applicationVersion(), m_startedAt,
        m_limits.idleMs / 1000, {}};
    for (const SharedLink* link : m_links) {
        KeeperStatus::Connection connection = link->status();
        for (const KeeperGuest* guest : m_guests) {
            if (guest->sharedLink() == link)
                connection.running += guest->running();
        }
        status.connections.append(connection);
    }
    std::sort(status.connections.begin(), status.connections.end(),
        [](const auto& a, const auto& b) { return a.endpoint < b.endpoint; });
    return status;
}

} // namespace rankwright
