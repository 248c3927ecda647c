// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/resolve.h"

namespace rankwright::inline planner {

/// Where a rank is in a layout, and back. The order of Megatron-LM (tp-cp-ep-dp-pp), of torchtitan's device mesh
/// and of DeepSpeed's PipeModelDataParallelTopology: tensor ranks are neighbours, then context, then data, stages
/// furthest apart. Ranks beyond the layout's wrap around.
struct RankOrder {
    int tensor = 1;
    int context = 1;
    int data = 1;
    int pipeline = 1;

    int world() const { return tensor * context * data * pipeline; }
    /// Whether several ranks hold one replica together.
    bool splitsModel() const { return tensor * context * pipeline > 1; }
    int tensorIndex(int rank) const { return rank % tensor; }
    /// Data-parallel rank: those of one index see the same samples.
    int dataIndex(int rank) const { return rank / (tensor * context) % data; }
    /// Among the ranks that share out the states of one stage: data and context ranks together.
    int shardIndex(int rank) const { return rank / tensor % (data * context); }
    int stage(int rank) const { return rank / (tensor * context * data) % pipeline; }

    /// The first rank with such an index.
    int rankOfData(int index) const { return index * tensor * context; }
    int rankOfShard(int index, int stage = 0, int tensorIndex = 0) const
    {
        return (stage * data * context + index) * tensor + tensorIndex;
    }
    bool operator==(const RankOrder&) const = default;
};

inline RankOrder rankOrder(const ResolvedSpec& resolved)
{
    RankOrder order;
    order.tensor = qMax(1, resolved.tensor);
    order.pipeline = qMax(1, resolved.pipeline);
    order.context = qMax(1, resolved.context);
    order.data = resolved.dataParallel();
    return order;
}

} // namespace rankwright::inline planner
