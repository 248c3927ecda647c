// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/planner/design/jobspec.h"

#include <vector>

namespace rankwright::inline planner {

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

/// Whether it fits: the same without the sentence.
bool takesRequest(const PartitionRequest& request, const Partition& partition, const NodeShape& node);

/// A partition that jobs may be sent to unasked, with its kind of node.
struct UsablePartition {
    const Partition* partition = nullptr;
    const NodeShape* node = nullptr;
};

/// Those of the request's account and kind of node, in the order of the cluster file. Its size and time do not count:
/// a caller that asks for many sizes asks for this once.
std::vector<UsablePartition> usablePartitions(const PartitionRequest& request, const ClusterProfile& profile);

/// Of these the one that choosePartition() takes; null when none fits.
const UsablePartition* fittingPartition(const PartitionRequest& request, const std::vector<UsablePartition>& usable);

/// The partition with the fewest privileges that fits: part of a node -> a shared one, whole nodes -> one that gives
/// whole nodes, in the order of the cluster file. When none fits: the one with the most nodes, and the reason says so.
PartitionChoice choosePartition(const PartitionRequest& request, const ClusterProfile& profile);

/// What is known of the partition that a design calls by Slurm's name: its limits, not its options, which are the
/// design's own.
Partition entryOfSlurm(const JobSpec& spec, const ClusterProfile& profile);
/// The entry that the design's QoS or constraint names where it names no partition; null: neither does.
const Partition* entryOfOptions(const JobSpec& spec, const ClusterProfile& profile);

/// For a queue that the cluster's file does not have: shared, the careful guess, so that no masks and no claim on whole
/// nodes follow.
Partition unknownPartition(const QString& name);
/// For a cluster without a description: just enough to draw the GPUs that were asked for.
NodeShape unknownNode(int gpus);

} // namespace rankwright::inline planner
