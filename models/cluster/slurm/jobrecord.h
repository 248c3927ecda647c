// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobstate.h"
#include "models/core/nodelist.h"
#include "models/core/units.h"

#include <QDateTime>
#include <QStringList>

#include <optional>

namespace rankwright::inline cluster {

using JobId
    = QString; ///< "123", "123_4" for an array's task; as typed also a SLUID, which Slurm answers with the number

/// What Slurm reported of one job; empty optional or text = it did not report.
struct JobRecord {
    JobId id;
    QString sluid; ///< the word that Slurm 25.11 and newer have for one run of the job: "sEKNKTV3WPV500"; empty: not
                   ///< reported
    std::optional<int> restarts; ///< how often it was queued again; from scontrol, or sacct since 24.11
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
        std::optional<int> maxGpusPerJob; ///< by the partition's QoS
        bool operator==(const PartitionFact&) const = default;
    };
    QList<PartitionFact> partitions;
    /// GPUs of a job that names no QoS: by the default QoS of the user's associations, the loosest of them; empty: no
    /// limit there, or not reported. A partition's own QoS goes before it (Slurm's documentation, resource_limits).
    std::optional<int> defaultQosGpus;
    std::optional<double> latencySeconds;
    bool operator==(const ClusterFacts&) const = default;
};

/// sbatch --test-only: when and where it would start, as far as Slurm says. An estimate, never a promise.
struct StartForecast {
    enum class Answer {
        Accepted,
        PartlyRefused, ///< by the one partition of a list that was asked
        NotAsked, ///< not to harm the controller
        NoAnswer, ///< the controller was too slow
    };
    Answer answer = Answer::Accepted;
    QDateTime start; ///< invalid: no estimate
    QStringList nodes;
    QString text; ///< Slurm's own line; empty: it gave none
    QString note; ///< a sentence: which partition was asked, or why none was
    bool operator==(const StartForecast&) const = default;
};

} // namespace rankwright::inline cluster
