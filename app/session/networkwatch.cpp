// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/networkwatch.h"

#include "app/session/hostaddresses.h"
#include "models/core/logging.h"

#include <QDateTime>
#include <QSocketNotifier>

namespace rankwright {

namespace {

constexpr int checkMs = 5000;
constexpr int settleMs = 2000; // routes come after addresses, and both in bursts
constexpr qint64 standstillLimitMs = 20000; // a busy machine is late by some seconds

} // namespace

NetworkWatch::NetworkWatch(QObject* parent)
    : QObject(parent), m_route(addressChangeSocket()), m_wallAt(QDateTime::currentMSecsSinceEpoch()),
      m_addresses(hostAddresses()), m_hasNetwork(!m_addresses.isEmpty())
{
    m_steady.start();
    if (m_route.isValid()) {
        m_notifier = std::make_unique<QSocketNotifier>(m_route.get(), QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
            drainAddressChanges(m_route.get());
            m_settle.start();
        });
    }
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMs);
    connect(&m_settle, &QTimer::timeout, this, &NetworkWatch::compareAddresses);
    m_checkTimer.setInterval(checkMs);
    connect(&m_checkTimer, &QTimer::timeout, this, &NetworkWatch::check);
    m_checkTimer.start();
}

NetworkWatch::~NetworkWatch() = default;

qint64 NetworkWatch::standstillMs(qint64 wallMs, qint64 steadyMs, qint64 intervalMs)
{
    // A steady clock stops while the machine sleeps, or goes on and the timer is late; setting the clock back does not
    // count as sleep.
    const qint64 longest = std::max(wallMs, steadyMs) - intervalMs;
    return longest > standstillLimitMs ? longest : 0;
}

void NetworkWatch::check()
{
    const qint64 wall = QDateTime::currentMSecsSinceEpoch();
    const qint64 steady = m_steady.elapsed();
    const qint64 stood
        = standstillMs(wall - std::exchange(m_wallAt, wall), steady - std::exchange(m_steadyAt, steady), checkMs);
    if (stood > 0) {
        qCInfo(logApp) << "asleep for" << stood / 1000 << "s";
        compareAddresses();
        emit machineWoke(stood);
    } else if (!m_route.isValid() && !m_settle.isActive() && hostAddresses() != m_addresses) {
        m_settle.start();
    }
}

void NetworkWatch::compareAddresses()
{
    m_settle.stop();
    const QStringList now = hostAddresses();
    if (now == m_addresses)
        return; // a lease that was renewed, an interface of a container
    m_addresses = now;
    m_hasNetwork = !now.isEmpty();
    qCInfo(logApp) << (m_hasNetwork ? "the network has changed" : "there is no network any more");
    emit changed(m_hasNetwork);
}

} // namespace rankwright
