// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline insight {

/// What is known of one run of a training for comparing it with others.
struct SpeedupRun {
    JobRecord job; ///< its GPUs and run time count
    std::optional<qint64> globalBatch; ///< samples of an optimiser step
    std::optional<qint64> steps; ///< that it did
    std::optional<double> stepSeconds; ///< a usual step, from its log or its recording
    bool operator==(const SpeedupRun&) const = default;
};

/// All runs with the same number of GPUs.
struct SpeedupPoint {
    int gpus = 0;
    double seconds = 0; ///< see SpeedupTable::Basis; the median of the runs
    double speedup = 1; ///< base seconds / seconds
    double efficiency = 1; ///< speedup / (gpus / base gpus); above 1: more than its share ("superlinear")
    std::optional<double> stepSeconds; ///< median; whatever the basis is
    QStringList jobs;
    bool operator==(const SpeedupPoint&) const = default;
};

/// The same training at different numbers of GPUs, against the smallest.
struct SpeedupTable {
    enum class Basis {
        WholeJob, ///< seconds of the whole job, start-up included
        Step, ///< seconds of an optimiser step: the runs did different numbers of steps of one global batch
        Sample ///< seconds for each sample: global batches or numbers of steps differ
    };
    enum class Scaling { Unknown, Strong, Weak, Mixed };
    Basis basis = Basis::WholeJob;
    /// Strong: one global batch for all. Weak: it grows with the GPUs. Mixed: neither. Unknown: not reported.
    Scaling scaling = Scaling::Unknown;
    QList<SpeedupPoint> points; ///< by GPUs
    QString gpuWord = QStringLiteral("GPU"); ///< what the site calls one
    QStringList notes; ///< what was left out, what to mind; one sentence each
    bool operator==(const SpeedupTable&) const = default;
};

/// Pure. Runs that did not complete, or whose GPUs or time are not known, are left out with a note.
SpeedupTable speedupTable(const QList<SpeedupRun>& runs, const QString& gpuWord = QStringLiteral("GPU"));

QString toText(SpeedupTable::Basis basis); ///< "job", "step", "sample"
QString toText(SpeedupTable::Scaling scaling); ///< "strong", "weak", "mixed", "unknown"
QString describe(const SpeedupTable& table); ///< what is compared, one sentence for people
QString secondsText(const SpeedupTable& table, double seconds); ///< "41.2 s", "3.1 ms"

} // namespace rankwright::inline insight
