// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/clusterlink.h"
#include "ssh/mux/masterprocess.h"

#include <QHash>

namespace rankwright {

/// A ClusterLink over the ssh connection that somebody has open already: a live ControlMaster of OpenSSH at its control
/// socket. Logs in nowhere and asks nothing, whatever becomes of the master: opening fails with Fault::Offline, an open
/// link is Lost when it goes. Its sessions count among those of the master's connection: one that the server refuses
/// waits for a place, and at most `mostSessions` are open at once, so that the owner's own find one. Lives on the GUI
/// thread; never blocks.
class MasterLink final : public ClusterLink {
    Q_OBJECT
public:
    static constexpr int mostSessions = 6; ///< sshd allows ten on a connection unless MaxSessions says otherwise

    /// `host` as messages call it.
    MasterLink(const QString& host, const QString& socketPath, QObject* parent = nullptr);
    ~MasterLink() override;

    LinkState state() const override { return m_state; }
    std::optional<Error> lastError() const override { return m_lastError; }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override;
    std::unique_ptr<RemoteProcess> launchDial(const QString& host, int port) override;

    using ClusterLink::open;
    void open(Attendance attendance) override;
    /// Nothing is ever asked here.
    bool loginTookPerson() const override { return false; }
    void close() override;
    void probe() override;
    void answer(quint64, const PromptAnswer&) override { }
    std::optional<LinkTraffic> traffic() const override { return m_traffic; }
    QString way() const override;

    // For its processes.
    void forget(MasterProcess* process);
    /// Refused for want of a place: tried again later, unless it was too often.
    bool requeue(MasterProcess* process, int refusals);
    /// Asks the master; the process hears concludeWithout().
    void askWhetherAlive(MasterProcess* process);
    void announceResize() const;
    void addTraffic(qint64 bytesIn, qint64 bytesOut);

private:
    void handleReply(const QByteArray& body);
    void handleAlive(const MuxReply& reply);
    void askAlive();
    /// A master that hangs is there and does nothing: what runs over it never ends by itself.
    enum class Master { Gone, Hangs };
    void loseMaster(const Error& why, Master master = Master::Gone);
    std::unique_ptr<MasterProcess> queue(std::unique_ptr<MasterProcess> process);
    void startWaiting();
    Error goneError() const;

    const QString m_host;
    const QString m_path;
    LinkState m_state = LinkState::Offline;
    std::optional<Error> m_lastError;
    std::unique_ptr<MuxSocket> m_socket; ///< of no session: it shows whether the master lives
    QTimer m_answer; ///< runs out if the master does not answer
    QTimer m_again; ///< after a refusal
    qint64 m_masterPid = 0;
    quint32 m_request = 0;
    QList<MasterProcess*> m_waiting;
    QList<MasterProcess*> m_running;
    QHash<MasterProcess*, quint32> m_asking; ///< whether the master lives, by which request
    LinkTraffic m_traffic;
};

} // namespace rankwright
