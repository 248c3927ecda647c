// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/gpuaddress.h"

#include <QList>
#include <QString>

#include <array>
#include <optional>

namespace rankwright::inline core {

/// What ranks can have in common. Stage: those that hold the same layers of a pipeline. Tensor: those that share every
/// matrix. Data: those that hold the same part of the model and average its gradients. Shard: those that share out the
/// states of one part of the model (all data ranks under full sharding, those of one node under hybrid sharding).
enum class GroupKind { Tensor, Stage, Data, Shard };
inline constexpr std::array allGroupKinds{GroupKind::Tensor, GroupKind::Stage, GroupKind::Data, GroupKind::Shard};
QString toText(GroupKind kind); ///< "tensor group", "pipeline stage", ...

/// One rank of a job, the hardware that it gets, and the numbers of its groups. Everything counts from 0.
struct RankPlace {
    int rank = 0;
    int node = 0; ///< index in the order of the allocation
    int localRank = 0;
    int gpu = 0; ///< index on the node; on a part of a node the index among the job's own GPUs
    std::optional<int> numa = {};
    QList<int> cores = {}; ///< empty: not bound (shared node, or map not published)
    QString mask = {}; ///< "0xfe"; empty when cores are
    std::optional<int> tensorGroup = {}; ///< of the groups empty: the job has no such ones, or they are not known
    std::optional<int> stage = {};
    std::optional<int> dataGroup = {};
    std::optional<int> shardGroup = {};

    GpuAddress address() const { return {node, gpu}; }
    std::optional<int> groupOf(GroupKind kind) const;
    bool operator==(const RankPlace&) const = default;
};

} // namespace rankwright::inline core
