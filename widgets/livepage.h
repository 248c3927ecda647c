// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/trainingprogress.h"
#include "models/slurm/jobrecord.h"
#include "models/tables/gpugridmodel.h"

#include <QTimer>
#include <QWidget>

#include <functional>

class QStackedWidget;

namespace rankwright {

class Card;
class HeatMapView;
class JobHeader;
class LiveFindingsCard;
class LiveHistoryCard;
class LiveMapCard;
class LiveOutputCard;
class LossPlot;

/// The Live page: one running job. Header with state, progress and cancel; heat map of nodes x GPUs; what stands out;
/// history of the selected GPU; loss curve; output: each a part of its own, placed and fed here. Shows what it is
/// given; the one clock of the live views is in here (10 Hz: flushes the grid model and the plots). Does not ask the
/// cluster.
class LivePage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LivePage)
public:
    explicit LivePage(GpuGridModel& grid, QWidget* parent = nullptr);

    /// Another job is watched: clears everything. Empty id: the empty state ("nothing is watched ...").
    void showJob(const JobRecord& job);
    /// The same job told anew (state, elapsed, reason).
    void updateJob(const JobRecord& job);
    void showProgress(const TrainingProgress& progress);
    void showLosses(const QList<LossPoint>& losses);
    void appendLog(const QList<LogLine>& lines);
    /// A fault of feed or tail in words; empty text clears it.
    void showTrouble(const QString& source, const Error& why);
    /// "1 channel, 1.2 kB/s, 2 steps"
    void setSamplingCost(const QString& text);
    /// Share of seconds with a sample so far, 0..1, shown with the age; negative: unknown.
    void setCoverage(double share);
    /// How the job was laid out ("FSDP"), when it was launched from a design; beside its nodes and GPUs.
    void setStrategy(const QString& strategy);
    QString jobId() const;

    HeatMapView& heatMap() const;
    /// Milliseconds since 1970 by the clock that stamps arrivals; tests and benchmarks put their own in.
    void setClock(std::function<qint64()> clock);
    /// One beat of the clock, as the timer does it ten times a second while the page is visible.
    void beat();

signals:
    void cancelRequested(const QString& jobId); ///< already confirmed by the user
    void watchRequested(const QString& jobId); ///< from the empty state: newest job
    void openJobsRequested();
    void openDesignRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildEmptyState();
    QWidget* buildViews();
    Card* buildLossCard();
    void connectViews();
    void refreshHeader();
    void refreshSlowly();
    void refreshAge();
    void refreshMessage();
    void showGpu(std::optional<GpuAddress> gpu);
    std::optional<Seconds> elapsedNow() const;
    bool hasFinished() const { return hasEnded(m_job.state); }

    GpuGridModel& m_grid;
    std::function<qint64()> m_clock;
    QTimer m_timer;
    int m_beats = 0;

    JobRecord m_job;
    QString m_strategy;
    qint64 m_toldMs = 0; ///< when m_job.elapsed was told, our clock
    TrainingProgress m_progress;
    QList<LossPoint> m_losses;
    QString m_cost;
    double m_coverage = -1;

    QStackedWidget* m_pages = nullptr;
    JobHeader* m_header = nullptr;
    LiveMapCard* m_map = nullptr;
    LiveFindingsCard* m_findings = nullptr;
    LiveHistoryCard* m_history = nullptr;
    Card* m_lossCard = nullptr;
    LossPlot* m_loss = nullptr;
    LiveOutputCard* m_output = nullptr;
};

} // namespace rankwright
