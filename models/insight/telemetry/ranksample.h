// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/noderesources.h"

#include <QList>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// One process of the job that is a rank (its environment names RANK, else perhaps a task of a user's step), as /proc
/// on its node reports. Empty = not reported. Reading it needs no rights but the user's own.
struct RankSample {
    qint64 pid = 0;
    std::optional<int> rank; ///< RANK, else SLURM_PROCID
    std::optional<int> localRank; ///< LOCAL_RANK, else SLURM_LOCALID
    std::optional<int> worldSize; ///< WORLD_SIZE, else SLURM_NTASKS
    QString visibleDevices; ///< ROCR_ / HIP_ / CUDA_VISIBLE_DEVICES as set; empty: not set
    QString cpus; ///< Cpus_allowed_list of /proc/PID/status: "1-7,65-71"
    std::optional<double> cpuPercent; ///< processor time since the line before, 100 = one core; all threads
    std::optional<qint64> residentBytes;
    char state = 0; ///< R S D Z ... of /proc/PID/stat; 0 not reported
    std::optional<int> gpu; ///< device whose memory it holds, where the driver reports; as the sampler numbers them
    std::optional<qint64> gpuMemoryBytes;
    bool isByTask = false; ///< by SLURM_PROCID alone: a rank, or what will start ranks
    bool operator==(const RankSample&) const = default;
};

/// All ranks of one node at one moment. Reported every few seconds.
struct NodeProcesses {
    QString node;
    qint64 takenMs = 0; ///< node's clock
    QList<RankSample> ranks;
    std::optional<int> cpus; ///< processors the job may use on the node
    std::optional<qint64> hostMemoryTotalBytes, hostMemoryAvailableBytes;
    std::optional<int> agents = {}; ///< tasks that start ranks (torchrun's agents); not kept in recordings
    std::optional<NodeResources> resources = {};
    bool operator==(const NodeProcesses&) const = default;
};

} // namespace rankwright::inline insight
