// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/coveragemeter.h"
#include "app/watch/jobalerts.h"
#include "app/watch/joboutput.h"
#include "models/catalogue/clusterprofile.h"
#include "models/slurm/jobrecord.h"
#include "models/telemetry/sampling/telemetryfeed.h"

#include <QElapsedTimer>

namespace rankwright {

/// Follows one job: starts the telemetry feed when it runs, reads its output as it grows, ends both when it has ended.
/// Is told the job's record by its ClusterSession, which decides when to ask; owns feed and output. Destroying it ends
/// every command it has on the cluster. Lives on the GUI thread.
class JobWatch final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobWatch)
public:
    JobWatch(RemoteShell& shell, const ClusterProfile& profile, JobId job, QObject* parent = nullptr);
    ~JobWatch() override;

    /// How to sample, where it is not left to the site's habits and the plan's limits; before the first update().
    struct Sampling {
        std::optional<SamplingWay> way;
        std::optional<int> intervalMs;
    };
    void setSampling(const Sampling& sampling) { m_sampling = sampling; }
    /// What is sampled how often; empty before sampling began.
    const std::optional<SamplingPlan>& plan() const { return m_plan; }

    /// The job told anew; fields that an answer leaves empty keep what was known.
    void update(const JobRecord& record);

    /// The design that the job was launched from, for the alerts.
    void setDesign(const JobSpec& design) { m_alerts.setDesign(design); }

    /// Slurm was asked and does not know the job.
    void reportMissing(const Error& why);

    const JobId& job() const { return m_job; }
    const JobRecord& record() const { return m_record; }
    const TrainingProgress& progress() const { return m_output.progress(); }
    const QList<LossPoint>& losses() const { return m_output.losses(); }
    const QList<Diagnosis>& diagnoses() const { return m_output.diagnoses(); }
    /// Files, other parts of them, search.
    JobOutput& output() { return m_output; }
    const QList<Alert>& alerts() const { return m_alerts.alerts(); } ///< worst first
    /// What was known of it beforehand; more of it with each recordChanged().
    const JobExpectation& expectation() const { return m_alerts.expectation(); }
    /// Seen so far of the running seconds; empty before the first whole one. `nowMs` counts while it runs.
    std::optional<double> coverage(qint64 nowMs) const;
    TelemetryFeed::Cost cost() const;
    /// The job has ended and its output was read to the end.
    bool isOver() const { return m_over; }
    /// True in the first moments of waiting, when asking every second catches the start.
    bool isEager() const;

signals:
    void recordChanged(const rankwright::JobRecord& record);
    /// Sampling begins: which nodes, how often, in words; says so where it is only a part of the nodes.
    void samplingPlanned(const rankwright::SamplingPlan& plan);
    void tickArrived(const rankwright::NodeTick& tick, qint64 arrivedMs);
    /// The job's ranks on one node, every few seconds while samples come.
    void processesArrived(const rankwright::NodeProcesses& processes, qint64 arrivedMs);
    void linesArrived(const QList<rankwright::LogLine>& lines);
    void progressChanged(const rankwright::TrainingProgress& progress);
    void lossesChanged(const QList<rankwright::LossPoint>& losses);
    /// Known failures in the output: the cause; may change while more comes. Also after over().
    void diagnosesChanged(const QList<rankwright::Diagnosis>& diagnoses);
    void alertsChanged(const QList<rankwright::Alert>& alerts);
    /// `source` is "telemetry", "output" or "scheduler"; an empty text means that all is well again.
    void trouble(const QString& source, const rankwright::Error& why);
    /// Something happened that the job's state may explain: ask now.
    void askWanted();
    void over(const rankwright::JobRecord& record);

private:
    void startFeed();
    void stopFeed();
    void startAnew();
    TelemetryFeed::Target target();
    void expectCoverage();
    void end();
    void finish();

    RemoteShell& m_shell;
    const ClusterProfile& m_profile;
    JobId m_job;
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
    bool m_missing = false;
    bool m_ending = false;
    bool m_over = false;
};

/// `fresh` with the holes of a shorter answer (sacct after squeue) filled from `known`. A job that waits has no nodes
/// and no start, whatever it had before it was requeued.
JobRecord mergedRecord(const JobRecord& known, const JobRecord& fresh);

} // namespace rankwright
