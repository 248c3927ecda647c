// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/alerts/alertreplay.h"
#include "models/insight/alerts/timeline.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/telemetry/history/joboverview.h"
#include "models/insight/telemetry/history/replayclock.h"
#include "models/tables/grid/gpugrid.h"

#include <QTimer>

#include <memory>

namespace rankwright {

class LivePage;

/// Moves the Live page through a job's time: which moment is shown, at which speed, what there was to see then. Owns
/// the replay's clock, the grid of the past, and what is known of the job's history (samples as they come, progress,
/// alerts, states). Reads a history; records nothing and asks no cluster. Live goes on being fed meanwhile.
class ReplayController final : public QObject {
    Q_OBJECT
public:
    /// `live` must outlive it, `page` too.
    ReplayController(GpuGrid& live, LivePage& page, QObject* parent = nullptr);
    ~ReplayController() override;

    enum class Subject { Watched, Recorded }; ///< a watched job may report more
    /// Another job: live, with nothing known of its past.
    void begin(const JobRecord& job, Subject subject);
    /// What was recorded of it, growing while it is watched; null: only what the live grid still holds.
    void setHistory(std::shared_ptr<const TelemetryHistory> history);
    const TelemetryHistory& history() const { return *m_history; }
    /// What was recorded beside the samples.
    void setPast(const QList<ProgressTrack::Entry>& progress, const QList<TimelineMark>& marks,
        const QList<FoundFailures>& failures = {}, const QList<BindingAt>& bindings = {});

    /// Shows this moment, as if it had been picked.
    void goTo(qint64 ms);

    /// What was known of the job beforehand, for the alerts of a moment of the past.
    void expect(const JobExpectation& expectation);

    void setRecord(const JobRecord& job);
    void addTick(const NodeTick& tick, qint64 arrivedMs);
    /// `lossStep`: of the newest point of the loss curve.
    void addProgress(const TrainingProgress& progress, std::optional<double> lossStep, qint64 nowMs);
    void setAlerts(const QList<Alert>& alerts, qint64 nowMs);
    void addDiagnoses(const QList<Diagnosis>& diagnoses, qint64 nowMs);
    void addBinding(const RankBinding& binding, qint64 nowMs);
    /// The job is not watched any more: there is no live edge to return to.
    void endWatch();

    ReplayClock::Mode mode() const { return m_clock.mode(); }
    qint64 moment() const { return m_clock.moment(); }
    double speed() const { return m_clock.speed(); }
    /// Our clock; tests put their own in.
    void setWallClock(std::function<qint64()> clock) { m_wall = std::move(clock); }
    /// One beat of its timer.
    void beat();

private:
    void connectPage();
    void apply();
    void showMoment();
    void reportMoment();
    std::optional<RankBinding> bindingAt(qint64 ms) const;
    void addBinding(const BindingAt& reported);
    void fillPast(qint64 ms);
    void evaluatePast();
    void restartEvaluation();
    void refreshSpan();
    void refreshOverview();
    void buildCurve();
    JobRecord jobAt(qint64 ms) const;
    bool showsNewest() const;
    qint64 toNodeClock(qint64 ourMs) const { return ourMs - m_clockLead; }

    GpuGrid& m_live;
    LivePage& m_page;
    GpuGrid m_past;
    std::function<qint64()> m_wall;
    ReplayClock m_clock;
    std::shared_ptr<const TelemetryHistory> m_history;
    bool m_recorded = false; ///< the history is more than the live grid's own
    JobRecord m_job;
    bool m_watched = false;
    JobOverview m_curve;
    ProgressTrack m_progress;
    Timeline m_marks;
    QList<BindingAt> m_bindings; ///< by time
    AlertReplay m_alertReplay;
    JobExpectation m_expectation;
    QTimer m_alertTimer;
    QList<TimeSpan> m_gaps;
    qint64 m_gapMs = freshMs; ///< less is none
    qint64 m_gapsAskedMs = 0;
    qint64 m_overviewMs = 0;
    qint64 m_clockLead = 0; ///< ours minus the nodes'
    bool m_clockKnown = false;
    std::optional<qint64> m_shownMs;
    QTimer m_beat;
    QTimer m_builder;
    QList<std::pair<Measure, GpuAddress>> m_toBuild;
    TimeSpan m_buildSpan;
};

} // namespace rankwright
