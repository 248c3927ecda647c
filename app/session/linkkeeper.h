// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/reconnectledger.h"
#include "models/cluster/remote/clusterlink.h"
#include "models/cluster/remote/linkinfo.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankwright::inline cluster {
struct ClusterFacts;
} // namespace rankwright::inline cluster

namespace rankwright {

/// Keeps one link open while a person wants it: opens it, opens it again after a loss (ReconnectPolicy) where the login
/// before took nothing from a person, else says that it waits for one; measures its traffic every 2 s, and says all of
/// it as one LinkInfo. What was tried is noted in a ReconnectLedger, so that a restart does not begin again. Sends no
/// commands. Lives on the GUI thread; `link` must outlive it.
class LinkKeeper final : public QObject {
    Q_OBJECT
public:
    /// `cluster` and `title` as the catalogue has them; `retry`: changed by tests only.
    LinkKeeper(ClusterLink& link, const QString& cluster, const QString& title, RetryPolicy retry = RetryPolicy(),
        QObject* parent = nullptr);

    /// Before open(): where tries are noted. Default: nowhere, they count for this object alone.
    void setLedger(const ReconnectLedger& ledger) { m_ledger = ledger; }
    /// For tests: factor by which its clock and its waits run faster.
    void setHaste(double haste) { m_haste = haste; }

    void open();
    void close();
    /// This computer came to another network, or lost it: what is open is looked after, what waits is tried soon.
    void noteNetwork(bool hasNetwork);
    /// The machine slept: the same.
    void noteWake();
    /// What the cluster said of itself and of the user.
    void setFacts(const ClusterFacts& facts);
    void setLineRate(std::optional<double> bytesPerSecond);
    const LinkInfo& info() const { return m_info; }

signals:
    void changed(const rankwright::LinkInfo& info);
    /// Never for a connection that is reopened automatically: no second factor is requested without a person present.
    void promptRaised(const rankwright::LoginPrompt& prompt);

private:
    void handleState(LinkState state);
    void handleOnline();
    void handleLoss();
    void handlePrompt(const LoginPrompt& prompt);
    void waitForPerson(const Error& why);
    void waitAndReconnect(const Error& why);
    void waitFor(qint64 ms);
    void reconnect();
    void reconnectSooner();
    QString waitWords() const;
    qint64 now() const;
    /// Hands out the policy with what other programs have noted, and notes what has become of it.
    void withPolicy(const std::function<void(ReconnectPolicy&)>& use);
    void publishInfo();
    void readTraffic(const LinkTraffic& traffic);

    ClusterLink& m_link;
    LinkInfo m_info;
    bool m_wanted = false; ///< a person wants this connection
    bool m_automatic = false; ///< this attempt is ours, not a person's
    bool m_wasOnline = false;
    bool m_wasOpened = false;
    bool m_hasNetwork = true; ///< as far as anybody has said
    ReconnectPolicy m_retry;
    ReconnectLedger m_ledger;
    double m_haste = 1.0;
    qint64 m_base; ///< what m_clock counts from, in ms since 1970
    QElapsedTimer m_clock;
    qint64 m_hastenedAt = 0;
    QTimer m_reconnect;
    QTimer m_countdown; ///< says how long it still takes, once a second
    QTimer m_meter;
    LinkTraffic m_lastTraffic;
    QList<std::pair<qint64, qint64>> m_commandCounts; ///< our clock in ms, commands so far; of the last minute
};

} // namespace rankwright
