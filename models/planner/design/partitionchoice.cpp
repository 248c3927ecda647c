// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/partitionchoice.h"

#include "models/core/quantitytext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

QString limitsOf(const Partition& partition)
{
    QStringList limits;
    if (partition.maxNodes)
        limits.append(counted(*partition.maxNodes, u"node"_s));
    if (partition.maxGpusPerJob)
        limits.append(counted(*partition.maxGpusPerJob, u"GPU"_s));
    if (partition.maxTime)
        limits.append(humanDuration(*partition.maxTime));
    return limits.isEmpty() ? QString() : u" (up to "_s + limits.join(u", "_s) + u')';
}

QString reasonFor(const PartitionRequest& request, const Partition& partition, const NodeShape& node, bool whole)
{
    const QString size = whole
        ? u"the job takes all "_s + counted(node.gpus, node.gpu.word) + u" of its nodes"_s
        : u"the job takes %1 of the %2 %3s of a node"_s.arg(
            QString::number(request.gpusPerNode.value_or(node.gpus)), QString::number(node.gpus), node.gpu.word);
    if (whole)
        return size
            + (partition.shared ? u", and this is the first partition that allows it"_s
                                : u", and this partition gives whole nodes"_s)
            + limitsOf(partition);
    if (partition.shared)
        return size + u", and nodes are shared here, so that only this part is billed"_s + limitsOf(partition);
    return size + u", but no partition with shared nodes allows this size and time: whole nodes are billed"_s;
}

int gpusOfNode(const PartitionRequest& request, const NodeShape& node)
{
    return request.gpusPerNode.value_or(node.gpus);
}

/// The first limit that a request runs into.
enum class Obstacle {
    None,
    NodeGpus,
    MaxNodes,
    MaxGpusPerJob,
    MaxGpusPerUser,
    MinGpusPerNode,
    MinGpusPerJob,
    MinNodes,
    Size,
    Time
};

Obstacle obstacleOf(const PartitionRequest& request, const Partition& partition, const NodeShape& node)
{
    const int gpus = gpusOfNode(request, node);
    const qint64 total = qint64(request.nodes) * gpus;
    if (gpus > node.gpus)
        return Obstacle::NodeGpus;
    if (partition.maxNodes && request.nodes > *partition.maxNodes)
        return Obstacle::MaxNodes;
    if (partition.maxGpusPerJob && total > *partition.maxGpusPerJob)
        return Obstacle::MaxGpusPerJob;
    if (partition.maxGpusPerUser && total > *partition.maxGpusPerUser)
        return Obstacle::MaxGpusPerUser;
    if (partition.minGpusPerNode && gpus < *partition.minGpusPerNode)
        return Obstacle::MinGpusPerNode;
    if (partition.minGpusPerJob && total < *partition.minGpusPerJob)
        return Obstacle::MinGpusPerJob;
    if (partition.minNodes && request.nodes < *partition.minNodes)
        return Obstacle::MinNodes;
    if (!partition.allowsSize(request.nodes))
        return Obstacle::Size;
    const auto longest = partition.maxTimeFor(request.nodes);
    return longest && request.time > *longest ? Obstacle::Time : Obstacle::None;
}

} // namespace

QString partitionObstacle(const PartitionRequest& request, const Partition& partition, const NodeShape& node)
{
    const int gpus = gpusOfNode(request, node);
    const qint64 total = qint64(request.nodes) * gpus;
    switch (obstacleOf(request, partition, node)) {
    case Obstacle::None: break;
    case Obstacle::NodeGpus:
        return u"a node has %1, the design asks for %2"_s.arg(counted(node.gpus, node.gpu.word)).arg(gpus);
    case Obstacle::MaxNodes:
        return u"%1 allows %2, the design asks for %3"_s.arg(partition.name, counted(*partition.maxNodes, u"node"_s))
            .arg(request.nodes);
    case Obstacle::MaxGpusPerJob:
        return u"%1 allows %2 for a job, the design asks for %3"_s
            .arg(partition.name, counted(*partition.maxGpusPerJob, node.gpu.word))
            .arg(total);
    case Obstacle::MaxGpusPerUser:
        return u"%1 allows %2 for one user, the design asks for %3"_s
            .arg(partition.name, counted(*partition.maxGpusPerUser, node.gpu.word))
            .arg(total);
    case Obstacle::MinGpusPerNode:
        return u"%1 is for jobs with at least %2 on each node, the design asks for %3"_s
            .arg(partition.name, counted(*partition.minGpusPerNode, node.gpu.word))
            .arg(gpus);
    case Obstacle::MinGpusPerJob:
        return u"%1 is for jobs with at least %2, the design asks for %3"_s
            .arg(partition.name, counted(*partition.minGpusPerJob, node.gpu.word))
            .arg(total);
    case Obstacle::MinNodes:
        return u"%1 is for jobs with at least %2, the design asks for %3"_s
            .arg(partition.name, counted(*partition.minNodes, u"node"_s))
            .arg(request.nodes);
    case Obstacle::Size:
        return u"%1 has no time limit for jobs on %2: such a size is not allowed"_s.arg(
            partition.name, counted(request.nodes, u"node"_s));
    case Obstacle::Time:
        const auto longest = partition.maxTimeFor(request.nodes);
        return u"%1 allows %2%3, the design asks for %4"_s.arg(partition.name, humanDuration(*longest),
            longest == partition.maxTime ? QString() : u" on "_s + counted(request.nodes, u"node"_s),
            humanDuration(request.time));
    }
    return {};
}

bool takesRequest(const PartitionRequest& request, const Partition& partition, const NodeShape& node)
{
    return obstacleOf(request, partition, node) == Obstacle::None;
}

/// Do jobs there bill to accounts of this name? Yes where the site has no rule.
bool isOfAccount(const Partition& partition, const QString& account)
{
    return partition.accountSuffix.isEmpty() || account.endsWith(partition.accountSuffix);
}

std::vector<UsablePartition> usablePartitions(const PartitionRequest& request, const ClusterProfile& profile)
{
    const bool accountNamesKind = std::any_of(profile.partitions.cbegin(), profile.partitions.cend(),
        [&](const Partition& one) { return isOfAccount(one, request.account) && !one.accountSuffix.isEmpty(); });
    std::vector<UsablePartition> usable;
    for (const Partition& partition : profile.partitions) {
        const NodeShape* node = profile.nodeShape(partition.name);
        if (node == nullptr || partition.offered == Partition::Offer::Never
            || partition.offered == Partition::Offer::Named
            || (accountNamesKind && !isOfAccount(partition, request.account))
            || (!request.node.isEmpty() && node->name != request.node))
            continue;
        usable.push_back({&partition, node});
    }
    return usable;
}

const UsablePartition* fittingPartition(const PartitionRequest& request, const std::vector<UsablePartition>& usable)
{
    const UsablePartition* fallback = nullptr; // fits, but is of the other kind (shared or whole), or is offered last
    for (const UsablePartition& one : usable) {
        const Partition& partition = *one.partition;
        if (!takesRequest(request, partition, *one.node))
            continue;
        const bool whole = gpusOfNode(request, *one.node) == one.node->gpus;
        if (whole != partition.shared && partition.offered == Partition::Offer::Normal)
            return &one;
        if (fallback == nullptr
            || (fallback->partition->offered == Partition::Offer::Last
                && partition.offered != fallback->partition->offered))
            fallback = &one;
    }
    return fallback;
}

PartitionChoice choosePartition(const PartitionRequest& request, const ClusterProfile& profile)
{
    const std::vector<UsablePartition> usable = usablePartitions(request, profile);
    if (const UsablePartition* taken = fittingPartition(request, usable)) {
        const bool whole = gpusOfNode(request, *taken->node) == taken->node->gpus;
        return {taken->partition, true, reasonFor(request, *taken->partition, *taken->node, whole)};
    }
    const Partition* wider = nullptr; // of all, the one with the most nodes: nearest when nothing fits
    for (const UsablePartition& one : usable) {
        if (wider == nullptr || one.partition->maxNodes.value_or(0) > wider->maxNodes.value_or(0))
            wider = one.partition;
    }
    if (wider != nullptr)
        return {wider, false, u"no partition allows this size and time; this one allows the most nodes"_s};
    return {nullptr, false, u"the cluster file lists no partition"_s};
}

Partition entryOfSlurm(const JobSpec& spec, const ClusterProfile& profile)
{
    const QString name = spec.partition.value_or(QString());
    const Partition* meant = profile.partitionAsked({name, spec.options.qos.value_or(QString()),
        spec.options.constraint.value_or(QString()), spec.account.value_or(QString()).trimmed(), {}});
    if (meant == nullptr)
        return unknownPartition(name);
    Partition entry = *meant;
    entry.qos.clear();
    entry.constraint.clear();
    entry.partitionWritten = true;
    return entry;
}

const Partition* entryOfOptions(const JobSpec& spec, const ClusterProfile& profile)
{
    const QString qos = spec.options.qos.value_or(QString()), constraint = spec.options.constraint.value_or(QString());
    if (qos.isEmpty() && constraint.isEmpty())
        return nullptr;
    const Partition* meant
        = profile.partitionAsked({{}, qos, constraint, spec.account.value_or(QString()).trimmed(), {}});
    const bool named = meant != nullptr
        && ((!qos.isEmpty() && (meant->qos == qos || meant->defaultQos == qos))
            || (!constraint.isEmpty() && meant->constraint == constraint));
    return named ? meant : nullptr;
}

Partition unknownPartition(const QString& name)
{
    Partition partition;
    partition.name = name;
    partition.shared = true;
    return partition;
}

NodeShape unknownNode(int gpus)
{
    NodeShape shape;
    shape.gpus = gpus;
    shape.cores = gpus;
    shape.usableCores = gpus;
    return shape;
}

} // namespace rankwright::inline planner
