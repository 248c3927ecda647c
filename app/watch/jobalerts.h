// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/alerts/alertreplay.h"
#include "models/insight/telemetry/gpusample.h"
#include "models/planner/design/jobspec.h"

#include <QObject>
#include <QTimer>

namespace rankwright::inline cluster {
struct ClusterProfile;
} // namespace rankwright::inline cluster

namespace rankwright {

/// The alerts of one watched job: owns its AlertWatch and the clock that asks it once a second while the job runs, and
/// reports when the list has changed. Does not fetch anything. Lives on the GUI thread.
class JobAlerts final : public QObject {
    Q_OBJECT
public:
    explicit JobAlerts(const ClusterProfile& profile, QObject* parent = nullptr);

    /// The design that the job was launched from: what is seen is held against it.
    void setDesign(const JobSpec& design);
    void setRecord(const JobRecord& record);
    void addTick(const NodeTick& tick, qint64 nowMs) { m_watch.feed(tick, nowMs); }
    void addProcesses(const NodeProcesses& processes, qint64 nowMs) { m_watch.feed(processes, nowMs); }
    void addProgress(const TrainingProgress& progress, qint64 nowMs) { m_watch.feed(progress, nowMs); }
    void setDiagnoses(const QList<Diagnosis>& diagnoses, qint64 nowMs);
    /// What was recorded of the job before it was watched here: evaluated as if it had been seen as it came. Replaces
    /// what was fed so far.
    void addPast(const TelemetryHistory& history, const ProgressTrack& progress, const QList<FoundFailures>& failures);
    /// The job runs once more from its beginning: forgets what was seen of the run before.
    void restart();
    const QList<Alert>& all() const { return m_alerts; } ///< worst first
    /// What was known of the job beforehand; more of it with each record.
    const JobExpectation& expectation() const { return m_expectation; }

    JobPhase phase() const { return m_phase; }

signals:
    void changed(const QList<rankwright::Alert>& alerts);
    void phaseChanged(const rankwright::JobPhase& phase);

private:
    void evaluate();
    void updateExpectation();

    const ClusterProfile& m_profile;
    std::optional<JobSpec> m_design;
    JobRecord m_record;
    JobExpectation m_expectation;
    AlertWatch m_watch;
    QList<Alert> m_alerts;
    JobPhase m_phase;
    QTimer m_clock;
};

} // namespace rankwright
