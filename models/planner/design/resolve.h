// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"

namespace rankwright::inline planner {

/// A design with nothing left open: what script, binding, cost and pictures are made from.
/// Always complete, also for a design with errors (findings say what is wrong): figures are clamped to sane ranges so
/// that the picture can still be drawn.
struct ResolvedSpec {
    JobSpec spec; ///< the design it was made from
    QString name; ///< job name
    QString partition; ///< name of the entry; what the script writes for it says queueOptions(partitionInfo)
    QString account; ///< empty when not given
    Seconds time;
    int nodes = 1;
    int gpusPerNode = 1;
    int cpusPerGpu = 1;
    bool coresOpen = false; ///< neither design nor site says how many cores: none are asked for
    std::optional<Bytes> memoryPerNode; ///< empty: the site gives it with the GPUs, write no --mem
    bool wholeNodes = false; ///< the job owns its nodes (partition rule or all GPUs asked)
    Strategy strategy = Strategy::Ddp;
    Launcher launcher = Launcher::Torchrun;
    int tensor = 1;
    int pipeline = 1;
    int context = 1; ///< ranks that share each sequence
    JobSpec::Parallel parallel; ///< the design's, with the cut into stages and experts that is taken for an open one
    Precision precision = Precision::Bf16Mixed; ///< asked for, or what the GPU computes fastest in
    std::optional<ActivationCheckpointing>
        activationCheckpointing; ///< asked for, or what lets a named model fit; empty: as the program does
    std::optional<qint64>
        microBatch; ///< taken for an open one: the command's, or where a model is named; empty: as the batch plan does
    QJsonObject model; ///< the design's, or the one that the command names; empty: none is named
    std::optional<qint64> sequence; ///< asked for, or passed by the command; empty: as the model
    std::optional<qint64> globalBatch; ///< taken for an open one: what the command comes to; empty: it does not say
    std::optional<Offload> offload; ///< asked for, or the only way in which a named model fits
    QString container; ///< empty: none
    QString command;
    QString signal; ///< "USR1@300", sent to every task before the time limit; empty: none
    NodeShape node; ///< of the partition; a default shape if the partition is unknown
    Partition partitionInfo;
    QList<Choice> choices; ///< every open field: value taken and why

    int worldSize() const { return nodes * gpusPerNode; } ///< GPUs of the job
    /// Processes that train: one for each GPU, and one alone where the strategy is Single, however many GPUs it has.
    int ranks() const { return strategy == Strategy::Single ? 1 : worldSize(); }
    int dataParallel() const { return qMax(1, ranks() / qMax(1, tensor * pipeline * context)); }
    int tasksPerNode() const; ///< R01: 1 under an agent, GPUs per node when srun starts the ranks
    int cpusPerTask() const; ///< R02: share times GPUs owned by the task
    bool operator==(const ResolvedSpec&) const = default;
};

/// Fills in what the design leaves open, from the cluster's rules of thumb (script_rules R01-R07). Size, partition and
/// layout of a named model are those that recommendedFor() names, where the number of nodes or the strategy is open.
ResolvedSpec resolve(const JobSpec& spec, const ClusterProfile& profile);

} // namespace rankwright::inline planner
