// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintsite.h"

#include "models/core/quantitytext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

QString gpuRequestText(const LintFacts& facts, int gpus)
{
    if (facts.profile->launch.gpuRequest != GpuRequest::Gres)
        return u"--gpus-per-node=%1"_s.arg(gpus);
    const QString type
        = facts.node && !facts.node->gpu.slurmName.isEmpty() ? facts.node->gpu.slurmName + u':' : QString();
    return u"--gres=gpu:%1%2"_s.arg(type).arg(gpus);
}

QList<LimitBroken> brokenLimits(const LintFacts& facts, const Partition& partition)
{
    const LintRequest& request = facts.request;
    const QString name = partition.slurmName();
    const BatchOption* nodesOption = facts.option(u"nodes"_s);
    const BatchOption* gpuOption = request.gpuOptions.isEmpty() ? nullptr : request.gpuOptions.first();
    QList<LimitBroken> broken;
    if (request.nodes && partition.maxNodes && *request.nodes > *partition.maxNodes)
        broken.append({nodesOption,
            u"%1 allows up to %2 for a job, the script asks for %3."_s.arg(
                name, nodesText(*partition.maxNodes), QString::number(*request.nodes)),
            QString::number(*partition.maxNodes)});
    if (request.nodesGiven && request.nodes && partition.minNodes && *request.nodes < *partition.minNodes)
        broken.append({nodesOption,
            u"%1 is for jobs of at least %2, the script asks for %3."_s.arg(
                name, nodesText(*partition.minNodes), QString::number(*request.nodes)),
            QString::number(*partition.minNodes)});
    if (request.nodes && request.gpusPerNode) {
        const int total = request.gpusTotal.value_or(*request.nodes * *request.gpusPerNode);
        if (partition.maxGpusPerJob && total > *partition.maxGpusPerJob)
            broken.append({gpuOption,
                u"%1 allows up to %2 for a job, the script asks for %3 (%4 × %5)."_s.arg(name,
                    counted(*partition.maxGpusPerJob, u"GPU"_s), QString::number(total), nodesText(*request.nodes),
                    QString::number(*request.gpusPerNode)),
                {}});
        if (partition.maxGpusPerUser && total > *partition.maxGpusPerUser)
            broken.append({gpuOption,
                u"%1 gives one user up to %2 at a time, the script asks for %3: the job would never start."_s.arg(
                    name, counted(*partition.maxGpusPerUser, u"GPU"_s), QString::number(total)),
                {}});
        if (partition.minGpusPerNode && *request.gpusPerNode < *partition.minGpusPerNode)
            broken.append({gpuOption,
                u"%1 takes jobs with at least %2 on each node, the script asks for %3."_s.arg(
                    name, counted(*partition.minGpusPerNode, u"GPU"_s), QString::number(*request.gpusPerNode)),
                {}});
        if (partition.minGpusPerJob && total < *partition.minGpusPerJob)
            broken.append({gpuOption,
                u"%1 is for jobs with at least %2, the script asks for %3."_s.arg(
                    name, counted(*partition.minGpusPerJob, u"GPU"_s), QString::number(total)),
                {}});
    }
    const std::optional<int> cores = request.coresPerNode();
    if (partition.exactCoresPerGpu && cores && request.gpusPerNode.value_or(0) > 0
        && *cores != *partition.exactCoresPerGpu * *request.gpusPerNode)
        broken.append({facts.option(u"cpus-per-task"_s),
            u"%1 takes jobs with exactly %2 for each GPU: %3 for %4, the script asks for %5 on a node."_s.arg(name,
                counted(*partition.exactCoresPerGpu, u"CPU"_s),
                QString::number(*partition.exactCoresPerGpu * *request.gpusPerNode),
                QString::number(*request.gpusPerNode), QString::number(*cores)),
            {}});
    const std::optional<Seconds> most = partition.maxTimeFor(request.nodes.value_or(1));
    if (request.time && most && *request.time > *most)
        broken.append({facts.option(u"time"_s),
            u"%1 allows jobs of up to %2, the script asks for %3."_s.arg(
                name, humanDuration(*most), humanDuration(*request.time)),
            slurmTime(*most)});
    return broken;
}

const Partition* sharedPartitionFor(const LintFacts& facts)
{
    for (const Partition& partition : facts.profile->partitions) {
        const bool same = facts.partition && partition.node == facts.partition->node;
        if (partition.shared && partition.offered <= Partition::Offer::Last && same
            && brokenLimits(facts, partition).isEmpty())
            return &partition;
    }
    return nullptr;
}

} // namespace rankwright::inline script::lint
