// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline cluster {

/// What Slurm's accounting measured of one step of a job. Empty = not measured: Slurm writes 0 for that, and a step
/// that used no processor time or no memory at all does not exist.
struct StepUsage {
    QString id; ///< "batch", "extern", "0"
    QString name; ///< what was started: "bash", "python3"
    JobState state = JobState::Unknown;
    QDateTime started, ended;
    std::optional<Seconds> elapsed;
    std::optional<int> cpus;
    std::optional<int> tasks;
    std::optional<int> nodes;
    std::optional<double> cpuSeconds, userSeconds, systemSeconds; ///< processor time, all tasks
    std::optional<Bytes> largestTaskMemory; ///< MaxRSS: the most that one task held; sampled, short peaks are missed
    std::optional<Bytes> averageTaskMemory; ///< AveRSS
    std::optional<Bytes> summedMemory; ///< the tasks' peaks added up (TRESUsageInTot, mem)
    QString largestTaskNode;
    std::optional<double> energyJoules; ///< of the step's nodes, whoever used them
    /// Where the site gathers it (AccountingStorageTRES=gres/gpuutil,gres/gpumem; Slurm 23.02 and newer).
    std::optional<double> gpuPercent; ///< average over the tasks
    std::optional<double> gpuPercentMost; ///< of one task
    std::optional<Bytes> gpuMemoryMost; ///< of one task
    bool operator==(const StepUsage&) const = default;
};

/// One job of the accounting with what it asked for and what its steps used. Empty = not reported or not measured.
struct JobUsage {
    JobRecord job;
    QString qos;
    std::optional<int> cpus; ///< AllocCPUS, as the site counts them: cores or hardware threads
    std::optional<int> askedCpus; ///< of ReqTRES; fewer than `cpus` where Slurm gives whole cores with their threads
    std::optional<Bytes> memory; ///< allocated to the whole job
    std::optional<double> billingPerHour; ///< Slurm's own weight ("billing"); not every site bills by it
    std::optional<Seconds> suspended;
    std::optional<double> cpuSeconds, userSeconds, systemSeconds;
    std::optional<double> energyJoules;
    QList<StepUsage> steps; ///< without those of Slurm's own ("extern")
    bool operator==(const JobUsage&) const = default;

    std::optional<Bytes> memoryPerNode() const; ///< of what was allocated
    /// The most that any node may have held: steps that ran side by side are added, and each is taken as the smaller
    /// of (largest task x tasks on a node) and all its tasks' peaks together. Never below what was used, as far as
    /// Slurm sampled. Empty: no step reported its memory.
    std::optional<Bytes> peakMemoryPerNode() const;
    std::optional<double> busyCpus() const; ///< processor time / run time
    /// Longest stretch that one GPU measurement of the accounting covers; empty: none does.
    std::optional<double> gpuPercent() const; ///< of the step that ran longest
    std::optional<Bytes> gpuMemoryMost() const;
    std::optional<int> tasksPerNode() const; ///< of the widest step; an agent such as torchrun is one task
};

/// Reads the answer of usageCommand(): jobs in Slurm's order, their steps below them. Error: not sacct's table. A row
/// that is cut is left out, a cell that cannot be read is empty.
Result<QList<JobUsage>> parseUsage(const QByteArray& answer);

// Single cells, for tests and other readers.
/// "02:10:33", "1-02:03:04", "00:01.234": seconds; empty for an empty or unreadable cell and for exactly 0.
std::optional<double> slurmCpuTime(const QString& text);
/// "1523904K", "3.50G", "512" (bytes); empty for an unreadable cell and for 0.
std::optional<Bytes> slurmUsedMemory(const QString& text);
/// Of "cpu=00:00:01,gres/gpumem=1024M,mem=12K" the text after `name`; empty: not in it.
QString tresPart(const QString& list, const QString& name);

} // namespace rankwright::inline cluster
