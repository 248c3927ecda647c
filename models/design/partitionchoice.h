// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/catalogue/clusterprofile.h"
#include "models/design/jobspec.h"

namespace rankwright {

/// What decides on a partition (R06): size and time, as far as the design says.
struct PartitionRequest {
    int nodes = 1;
    std::optional<int> gpusPerNode; ///< empty: whole nodes
    Seconds time;
    QString account = {}; ///< at sites with accounts for each kind of node: only queues that it may use; empty: any
    QString node = {}; ///< only queues of this kind of node; empty: any
};

struct PartitionChoice {
    const Partition* partition = nullptr; ///< null only when the cluster lists none
    bool fits = false;
    QString reason;
};

/// Why a request does not fit a partition, one sentence with both figures; empty when it fits. A request for a part of
/// each node fits a whole-node partition, too: it only costs more.
QString partitionObstacle(const PartitionRequest& request, const Partition& partition, const NodeShape& node);

/// The partition with the fewest privileges that fits: part of a node -> a shared one, whole nodes -> one that gives
/// whole nodes, in the order of the cluster file. When none fits: the one with the most nodes, and the reason says so.
PartitionChoice choosePartition(const PartitionRequest& request, const ClusterProfile& profile);

/// For a queue that the cluster's file does not have: shared, the careful guess, so that no masks and no claim on whole
/// nodes follow.
Partition unknownPartition(const QString& name);
/// For a cluster without a description: just enough to draw the GPUs that were asked for.
NodeShape unknownNode(int gpus);

} // namespace rankwright
