// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/clusterprofile.h"
#include "models/remote/remoteshell.h"
#include "models/telemetry/gpusample.h"

#include <QDateTime>
#include <QTimer>

#include <memory>

namespace rankwright {

/// Keeps one sampling command of a job alive and turns its lines into ticks. One ssh channel whatever the number of
/// nodes; sends heartbeats, so that the remote side ends by itself within 12 s when the window or the link is gone.
/// Restarts with back-off while the job runs; stop() or destruction ends it. Does not store (TelemetrySeries), does not
/// know the job's state (ClusterSession calls stop()). Lives on the GUI thread.
class TelemetryFeed final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TelemetryFeed)
public:
    struct Target {
        QString job;
        QStringList nodes;
        GpuVendor vendor = GpuVendor::Amd;
        bool oneStepForAllNodes = false; ///< LaunchHabits::monitorAllNodesInOneStep
        int intervalMs = 1000;
    };

    TelemetryFeed(RemoteShell& shell, Target target, QObject* parent = nullptr);
    ~TelemetryFeed() override;

    void start();
    void stop();
    bool isRunning() const;
    /// What it costs: bytes received and ticks so far, steps started.
    struct Cost {
        qint64 bytes = 0;
        qint64 ticks = 0;
        int steps = 0;
        bool operator==(const Cost&) const = default;
    };
    Cost cost() const { return m_cost; }

signals:
    void tickArrived(const rankwright::NodeTick& tick);
    /// A fault in words ("nid005002 has sent nothing for 12 s: ..."), for the page; empty text = all is well again.
    void trouble(const rankwright::Error& why);

private:
    void launch();
    void readOutput(const QByteArray& bytes);
    void scheduleRestart(const Error& why);

    RemoteShell& m_shell;
    Target m_target;
    std::unique_ptr<RemoteProcess> m_process;
    QByteArray m_pending;
    QByteArray m_errors;
    QTimer m_heartbeat;
    QTimer m_restart;
    int m_attempt = 0;
    bool m_wanted = false;
    Cost m_cost;
};

/// The shell line that samples (see docs/telemetry.md): for tests and for "what runs on the cluster".
QString samplingCommand(const TelemetryFeed::Target& target);

} // namespace rankwright

Q_DECLARE_METATYPE(rankwright::NodeTick)
