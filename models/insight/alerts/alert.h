// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/fixedword.h"
#include "models/core/rankplace.h"
#include "models/insight/alerts/alertkind.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// One statement about a running (or replayed) job: what was seen, since when, what it means, what to do.
struct Alert {
    enum class Level {
        Normal, ///< looks odd and is normal ("half of the GCDs show no power")
        Hint, ///< costs something, nothing is wrong ("far more memory than needed")
        Warning, ///< time or money is being lost
        Failure ///< the job will not end well without a person
    };
    QString kind; ///< class, stable: the name of an AlertKind ("idle_gpus"), of A01 the failure's ("oom_gpu")
    FixedWord<AlertKind> rule; ///< which one it is, as its id ("A12"); none: not known
    Level level = Level::Warning;
    QString title; ///< one line with the figures: "4 of 8 GCDs never did work: WORLD_SIZE is 4"
    QString seen; ///< the evidence, in figures with units
    std::optional<qint64> sinceMs; ///< first moment of the evidence, nodes' clock; empty: not known
    QString meaning; ///< why it matters, one sentence
    QString advice; ///< what to change, with the exact option: "--ntasks-per-node=8"
    QString field; ///< of the design, as checks name them ("launch.launcher"); empty: none
    QString source; ///< where the rule comes from: a manual, a measurement
    QList<GpuAddress> gpus; ///< whom it is about, at most 64; rows as the feed of nodes went in
    QStringList nodes;
    std::optional<int> rank; ///< the one rank it is about
    bool isOf(AlertKind one) const { return kind == nameOf(one); }
    bool operator==(const Alert&) const = default;
};

/// What the job's design said beforehand, in plain figures: so that rules can compare. Everything may be unknown.
/// Built by app/jobexpectation from a design; of a job launched elsewhere only what Slurm reports is filled in.
struct JobExpectation {
    QStringList nodes; ///< rows; empty until Slurm reports
    int gpusPerNode = 0;
    int gpusPerPackage = 1;
    QString gpuWord = QStringLiteral("GPU");
    std::optional<int> ranks; ///< world size that was designed
    QList<RankPlace> placement; ///< by rank, cores only where a binding was asked for; empty: not known
    QString strategy; ///< "ddp", "fsdp", ...; empty not known
    int pipelineStages = 1;
    std::optional<int> microBatch;
    std::optional<double> predictedStepSeconds;
    std::optional<qint64> predictedMemoryBytes;
    std::optional<int> billedGpuUnits; ///< GPUs (GCDs) paid for; more than asked where the site bills by share
    std::optional<double> timeLimitSeconds; ///< Slurm's, counted from the job's start
    QString launchOption; ///< how ranks per node are asked for here: "--ntasks-per-node=8", "--nproc_per_node=8"
    QString bindOption; ///< how cores are bound here: "--cpu-bind=mask_cpu:..."
    bool operator==(const JobExpectation&) const = default;
};

} // namespace rankwright::inline insight
