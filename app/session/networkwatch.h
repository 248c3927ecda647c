// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ssh/sshposix.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>

class QSocketNotifier;

namespace rankwright {

/// Notices that this computer came to another network, lost it, or slept: connections are looked after at once then
/// instead of after their deadlines. Linux reports changes by itself; elsewhere the addresses are looked
/// at every 5 s. Sleep shows as a jump of the wall's clock against a steady one, or as a timer that comes far too late.
/// Sends nothing. Lives on a thread with an event loop.
class NetworkWatch final : public QObject {
    Q_OBJECT
public:
    explicit NetworkWatch(QObject* parent = nullptr);
    ~NetworkWatch() override;

    /// Has any interface but the loopback an address?
    bool hasNetwork() const { return m_hasNetwork; }

    /// Between two looks at both clocks, `wallMs` and `steadyMs` went by where `intervalMs` were meant: how long the
    /// machine, or this program, stood still; 0: it did not.
    static qint64 standstillMs(qint64 wallMs, qint64 steadyMs, qint64 intervalMs);

signals:
    /// Addresses or interfaces are others than before, and have been the same for 2 s.
    void changed(bool hasNetwork);
    void machineWoke(qint64 sleptMs);

private:
    void check();
    void compareAddresses();

    Descriptor m_route;
    std::unique_ptr<QSocketNotifier> m_notifier;
    QTimer m_checkTimer;
    QTimer m_settle;
    QElapsedTimer m_steady;
    qint64 m_wallAt = 0;
    qint64 m_steadyAt = 0;
    QStringList m_addresses;
    bool m_hasNetwork = true;
};

/// Addresses of this computer by which others can be reached, sorted: of interfaces that are up, without loopback and
/// link-local ones. POSIX (getifaddrs).
QStringList hostAddresses();

/// A socket that becomes readable when addresses or links change. Linux only (netlink(7), RTMGRP_LINK and the like);
/// invalid elsewhere and where it is not allowed: then addresses are compared from time to time.
Descriptor addressChangeSocket();
/// Reads what it has to say; the contents do not matter.
void drainAddressChanges(int fd);

} // namespace rankwright
