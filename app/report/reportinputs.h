// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/logending.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"
#include "models/planner/estimate/calibration.h"

namespace rankwright {

/// What this machine has of a job beside its usage. Everything may be missing.
struct JobEvidence {
    QByteArray design; ///< design file it was submitted with
    QByteArray script; ///< as it was sent
    QString output; ///< path of its output, as Slurm reported it while it was watched
    std::optional<HistorySummary> recorded; ///< what its GPUs did
    std::optional<TrainingProgress> progress; ///< newest of the recording
    std::optional<double> stepSeconds; ///< of the recording's loss curve, or measured while watching
    QList<Alert> alerts;
    QHash<QString, double> alertSeconds; ///< by kind, how long it stood
    QStringList standingAtEnd; ///< kinds of those that stood when the recording ended
    LogEnding ending; ///< end of its output
    MeasuredTraining kept; ///< read from its output earlier
    RankBinding keptBinding; ///< the same, else of the recording
    QList<Error> unreadable; ///< what this machine has of it and is damaged: left out above
};

/// Everything that a report on one job is made from. `profile` null: the cluster is not in the catalogue.
struct JobCase {
    ReportInputs inputs;
    SpeedupRun run;
};
enum class UsageSource { Queue, Accounting }; ///< of the queue only the record is known
JobCase makeCase(const JobUsage& usage, UsageSource source, const JobEvidence& evidence, const ClusterProfile* profile,
    const CalibrationTable& learned);

/// What the end of an output says of the training's speed; `globalBatch` samples a step, where known.
MeasuredTraining measuredBy(const TrainingProgress& progress, std::optional<qint64> globalBatch);

/// Where a job's output may lie, likeliest first; empty: its folder is not known.
QStringList outputPaths(const JobRecord& job, const QByteArray& design);
/// Where its errors go, if that is said to be a file of their own: by the design, or by the script as it was sent.
QStringList errorPaths(const JobRecord& job, const JobEvidence& evidence);

} // namespace rankwright
