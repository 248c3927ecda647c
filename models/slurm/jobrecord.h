// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/nodelist.h"
#include "models/core/units.h"
#include "models/slurm/jobstate.h"

#include <QDateTime>
#include <QStringList>

#include <optional>

namespace rankwright {

using JobId = QString; ///< "123", "123_4" for an array's task

/// What Slurm reported of one job; empty optional or text = it did not report.
struct JobRecord {
    JobId id;
    QString stepJob; ///< of an array's task: the number that srun --jobid takes; from scontrol, else empty
    QString name;
    QString user;
    QString account;
    QString partition;
    QString qos; ///< from scontrol
    QString reservation; ///< asked for; from scontrol
    JobState state = JobState::Unknown;
    QString reason; ///< pending reason, as Slurm names it
    std::optional<int> nodes;
    NodeList nodeList;
    QString gres; ///< as reported: "gres/gpu:mi250=16" or "gpu:8"
    std::optional<int> gpus; ///< all GPUs of the job
    std::optional<Seconds> elapsed;
    std::optional<Seconds> timeLimit;
    QDateTime submitted, started, ended; ///< expected start while pending
    QString comment; ///< carries our token
    QString workdir;
    QString standardOutput; ///< path, patterns expanded; empty when not reported
    std::optional<int> exitCode;
    std::optional<int> exitSignal;
    JobState stepState
        = JobState::Unknown; ///< how a step ended when that says more than the job: OutOfMemory; from sacct
    bool operator==(const JobRecord&) const = default;
};

/// `fresh` with the holes of a shorter answer (sacct after squeue) filled from `known`. A job that waits has no nodes
/// and no start, whatever it had before it was requeued.
JobRecord mergedRecord(const JobRecord& known, const JobRecord& fresh);

/// What a cluster reported about itself at login.
struct ClusterFacts {
    QString user;
    QString host;
    QString slurmVersion;
    QString clusterName;
    QStringList accounts; ///< the user's
    struct PartitionFact {
        QString name;
        QString state; ///< "up", "down"
        std::optional<int> nodes;
        std::optional<int> idleNodes;
        std::optional<Seconds> maxTime;
        QString gres;
        std::optional<int> maxNodes; ///< of one job; empty: unlimited, or not known
        std::optional<int> maxGpusPerUser; ///< of all running jobs of a user, by the partition's QoS
        bool operator==(const PartitionFact&) const = default;
    };
    QList<PartitionFact> partitions;
    std::optional<double> latencySeconds;
    bool operator==(const ClusterFacts&) const = default;
};

/// sbatch --test-only: when and where it would start.
struct StartForecast {
    QDateTime start;
    QStringList nodes;
    QString text; ///< Slurm's own line
    bool operator==(const StartForecast&) const = default;
};

} // namespace rankwright
