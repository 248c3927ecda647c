// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/trainingprogress.h"
#include "models/slurm/jobrecord.h"
#include "models/tables/gpugridmodel.h"

#include <QWidget>

namespace rankwright {

/// The Live page: one running job. Header with state, progress and cancel; heat map of nodes x GPUs; history of the
/// selected GPU; loss curve; output. Shows what it is given; the one clock of the live views is in here (4 Hz: flushes
/// the grid model and the plots). Does not ask the cluster.
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
    QString jobId() const;

signals:
    void cancelRequested(const QString& jobId); ///< already confirmed by the user
    void watchRequested(const QString& jobId);  ///< from the empty state: newest job
    void openJobsRequested();
    void openDesignRequested();
};

} // namespace rankwright
