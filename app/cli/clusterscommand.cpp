// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clusterscommand.h"

#include "app/cli/answer.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject partitionJson(const Partition& partition)
{
    return {
        {u"name"_s, partition.name},
        {u"shared"_s, partition.shared},
        {u"maxNodes"_s, orNull(partition.maxNodes)},
        {u"maxSeconds"_s, orNull(partition.maxTime)},
        {u"maxGpusPerJob"_s, orNull(partition.maxGpusPerJob)},
    };
}

QJsonObject clusterJson(const ClusterProfile& profile)
{
    const NodeShape* node = profile.nodeShape({});
    const bool memoryKnown = node != nullptr && node->gpu.memory.count > 0;
    QJsonArray partitions;
    for (const Partition& partition : profile.partitions)
        partitions.append(partitionJson(partition));
    return {
        {u"name"_s, profile.name},
        {u"title"_s, orNull(profile.title)},
        {u"operator"_s, orNull(profile.operatorName)},
        {u"status"_s, orNull(profile.status)},
        {u"acceptsJobs"_s, profile.acceptsJobs},
        {u"gpu"_s, node != nullptr ? orNull(node->gpu.model) : QJsonValue()},
        {u"gpusPerNode"_s, node != nullptr && node->gpus > 0 ? QJsonValue(node->gpus) : QJsonValue()},
        {u"gpuMemoryBytes"_s, memoryKnown ? QJsonValue(static_cast<double>(node->gpu.memory.count)) : QJsonValue()},
        {u"partitions"_s, partitions},
    };
}

QString limitText(const Partition& partition)
{
    QStringList parts;
    if (partition.maxNodes)
        parts.append(*partition.maxNodes == 1 ? u"1 node"_s : u"%1 nodes"_s.arg(*partition.maxNodes));
    if (partition.maxGpusPerJob)
        parts.append(*partition.maxGpusPerJob == 1 ? u"1 GPU"_s : u"%1 GPUs"_s.arg(*partition.maxGpusPerJob));
    if (partition.maxTime)
        parts.append(humanDuration(*partition.maxTime));
    return parts.isEmpty() ? u"not published"_s : parts.join(u", "_s);
}

} // namespace

int runClusters(const CliContext& context)
{
    if (context.json) {
        QJsonArray all;
        for (const ClusterProfile& profile : context.catalogue.clusters)
            all.append(clusterJson(profile));
        printJson(context.out, all);
        return ExitDone;
    }
    TextTable table(
        {u"cluster"_s, u"GPUs of a node"_s, u"partition"_s, u"nodes are"_s, u"limits of a job"_s, u"status"_s});
    for (const ClusterProfile& profile : context.catalogue.clusters) {
        QString name = profile.name;
        QString status = profile.status;
        for (const Partition& partition : profile.partitions) {
            const NodeShape* node = profile.nodeShape(partition.name);
            const QString gpus = node != nullptr ? u"%1 x %2"_s.arg(node->gpus).arg(node->gpu.model) : u"not known"_s;
            table.add({name, gpus, partition.name, partition.shared ? u"shared"_s : u"whole"_s, limitText(partition),
                status});
            name.clear();
            status.clear();
        }
        if (!name.isEmpty())
            table.add({name, u"not known"_s, {}, {}, {}, status});
    }
    table.print(context.out);
    return ExitDone;
}

} // namespace rankwright
