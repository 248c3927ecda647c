// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/telemetryseries.h"

#include <array>

namespace rankwright::inline tables {

/// What ranks can have in common. Stage: those that hold the same layers of a pipeline. Tensor: those that share every
/// matrix. Data: those that hold the same part of the model and average its gradients. Shard: those that share out the
/// states of one part of the model (all data ranks under full sharding, those of one node under hybrid sharding).
enum class GroupKind { Tensor, Stage, Data, Shard };
inline constexpr std::array allGroupKinds{GroupKind::Tensor, GroupKind::Stage, GroupKind::Data, GroupKind::Shard};

/// Where one rank of a job runs, and the numbers of its groups, counted from 0. Empty: the job has no such groups, or
/// they are not known.
struct PlacedRank {
    int rank = 0;
    GpuAddress gpu; ///< row and column of the grid
    std::optional<int> tensorGroup;
    std::optional<int> stage;
    std::optional<int> dataGroup;
    std::optional<int> shardGroup;
    std::optional<int> groupOf(GroupKind kind) const;
    bool operator==(const PlacedRank&) const = default;
};

QString toText(GroupKind kind); ///< "tensor group", "pipeline stage", ...
/// The kinds that distinguish some ranks from others: at least two groups, or a group that is not all ranks.
QList<GroupKind> kindsIn(const QList<PlacedRank>& placement);
/// Ranks of the same group of this kind, `place` itself included; empty when it belongs to none.
QList<PlacedRank> groupMembersOf(const QList<PlacedRank>& placement, const PlacedRank& place, GroupKind kind);

} // namespace rankwright::inline tables
