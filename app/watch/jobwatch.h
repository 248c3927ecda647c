// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/coveragemeter.h"
#include "app/watch/jobalerts.h"
#include "app/watch/joboutput.h"
#include "app/watch/launchedjob.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/slurm/jobrecord.h"
#include "models/core/troublesource.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"

#include <QElapsedTimer>

namespace rankwright {

/// What a connection carries, as far as it is known.
struct LineRate {
    bool isPending = false; ///< is being measured just now
    std::optional<double> bytesPerSecond; ///< empty: not known
    bool isSlow() const { return bytesPerSecond && *bytesPerSecond < slowLineBytesPerSecond; }
};

/// Follows one job: starts the telemetry feed when it runs, reads its output as it grows, ends both when it has ended.
/// Is given the job's record by its ClusterSession, which decides when to ask; owns feed, output and alerts, and says
/// itself only what they do not. Destroying it ends every command it has on the cluster. Lives on the GUI thread.
class JobWatch final : public QObject {
    Q_OBJECT
public:
    JobWatch(RemoteShell& shell, const ClusterProfile& profile, JobId job, QObject* parent = nullptr);
    ~JobWatch() override;

    /// How to sample, where it is not left to the site's defaults and the plan's limits; before the first update().
    struct Sampling {
        std::optional<SamplingWay> way;
        std::optional<int> intervalMs;
    };
    void setSampling(const Sampling& sampling) { m_sampling = sampling; }
    /// On a slow line samples come first: the output waits for one, and only its end is read.
    void setLineRate(const LineRate& rate);
    /// What is sampled how often; empty before sampling began.
    const std::optional<SamplingPlan>& plan() const { return m_plan; }

    /// The job reported again; fields that an answer leaves empty keep what was known.
    void update(const JobRecord& record);

    /// What was recorded of the job before it was watched here, or without anybody: it counts as seen, and alerts go on
    /// from it.
    void addPast(const TelemetryHistory& history, const ProgressTrack& progress, const QList<FoundFailures>& failures);

    /// What is known because it was launched from here; before the first update().
    void setLaunched(const LaunchedJob& launched);
    const LaunchedJob& launched() const { return m_launched; }

    /// Slurm was asked and does not know the job.
    void reportMissing(const Error& why);

    const JobId& job() const { return m_job; }
    const JobRecord& record() const { return m_record; }
    /// Lines, progress, failures; they may change after jobEnded().
    JobOutput& output() { return m_output; }
    const JobOutput& output() const { return m_output; }
    JobAlerts& alerts() { return m_alerts; }
    const JobAlerts& alerts() const { return m_alerts; }
    /// Seen so far of the running seconds; empty before the first whole one. `nowMs` counts while it runs.
    std::optional<double> coverage(qint64 nowMs) const;
    TelemetryFeed::Cost cost() const;
    /// The job has ended and its output was read to the end.
    bool isOver() const { return m_over; }
    /// True in the first moments of waiting, when asking every second catches the start.
    bool isEager() const;
    /// It waits in the queue, however long: recording begins with its start.
    bool isAwaited() const { return !m_over && isWaiting(m_record.state); }

signals:
    void recordChanged(const rankwright::JobRecord& record);
    /// Sampling begins: which nodes, how often, in words; says so where it is only a part of the nodes.
    void samplingPlanned(const rankwright::SamplingPlan& plan);
    void tickArrived(const rankwright::NodeTick& tick, qint64 arrivedMs);
    /// The job's ranks on one node, every few seconds while samples come.
    void processesArrived(const rankwright::NodeProcesses& processes, qint64 arrivedMs);
    /// `source` is Telemetry, Output or Scheduler; `why` empty: all is well with it again.
    void troubleChanged(rankwright::TroubleSource source, const std::optional<rankwright::Error>& why);
    /// Something happened that the job's state may explain: ask now.
    void askWanted();
    void jobEnded(const rankwright::JobRecord& record);

private:
    void startFeed();
    void startOutput();
    void readOutput();
    void stopFeed();
    void restart();
    SamplingPlan planSampling() const;
    TelemetryFeed::Target target(const SamplingPlan& plan) const;
    void expectCoverage();
    void end();
    void finish();

    RemoteShell& m_shell;
    const ClusterProfile& m_profile;
    JobId m_job;
    LaunchedJob m_launched;
    JobRecord m_record;
    Sampling m_sampling;
    std::optional<SamplingPlan> m_plan;
    std::unique_ptr<TelemetryFeed> m_feed;
    QStringList m_fedNodes; ///< the job's, when sampling began
    JobOutput m_output;
    JobAlerts m_alerts;
    CoverageMeter m_coverage;
    TelemetryFeed::Cost m_lastCost; ///< of the feeds before, together
    QElapsedTimer m_age;
    QTimer m_silence;
    LineRate m_line;
    QTimer m_outputWait; ///< for a sample, or for what the line carries
    bool m_sampled = false;
    bool m_missing = false;
    bool m_ending = false;
    bool m_over = false;
};

} // namespace rankwright
