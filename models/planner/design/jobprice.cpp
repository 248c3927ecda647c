// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/jobprice.h"

#include "models/planner/design/costformula.h"

#include <algorithm>

namespace rankwright::inline planner {

namespace {

bool isBilledBesides(const BillingRule& rule)
{
    return std::any_of(rule.terms.cbegin(), rule.terms.cend(), [](const BillingTerm& term) {
        return term.weight > 0 && term.of != BillingTerm::Of::Gpus && term.of != BillingTerm::Of::Nodes;
    });
}

std::optional<JobPrice> priceOf(const ClusterProfile& profile, const CostRequest& request, bool isWhole)
{
    const auto rules = rulesFor(profile, request.partition);
    if (rules.isEmpty())
        return std::nullopt;
    const BillingRule& rule = *rules.first();
    return JobPrice{rule.unit, pricePerHour(rule, request), !isWhole && isBilledBesides(rule), rule.source};
}

bool mayBe(const Partition& partition, const QString& qos)
{
    return qos.isEmpty() || partition.qos.isEmpty() || partition.qos == qos;
}

std::optional<JobPrice> priceOf(const ClusterProfile& profile, const Partition& partition, const JobSize& job)
{
    const NodeShape* node = profile.nodeShape(partition.name);
    if (!node)
        return std::nullopt;
    CostRequest request{partition.name, *job.nodes, *job.gpus / *job.nodes};
    if (!partition.shared) {
        request.gpus = node->gpus;
        request.cores = node->usableCores;
        request.memoryGib = node->memory.inGib();
    }
    return priceOf(profile, request, !partition.shared);
}

} // namespace

std::optional<JobPrice> jobPrice(const ClusterProfile& profile, const JobSize& job, const JobSpec* design)
{
    if (!job.nodes || *job.nodes < 1 || !job.gpus)
        return std::nullopt;
    if (design) {
        const ResolvedSpec resolved = resolve(*design, profile);
        if (resolved.partitionInfo.slurmName() == job.partition && resolved.nodes == *job.nodes
            && resolved.worldSize() == *job.gpus)
            return priceOf(profile, allocationOf(resolved), true);
    }
    // Entries may share one of Slurm's partitions and differ in price (slices of a GPU): what is sure is the least.
    std::optional<JobPrice> least;
    for (const Partition& partition : profile.partitions) {
        if (partition.slurmName() != job.partition || !mayBe(partition, job.qos))
            continue;
        const auto price = priceOf(profile, partition, job);
        if (!price)
            return std::nullopt;
        const bool differs = least && (least->perHour != price->perHour || least->unit != price->unit);
        if (!least || price->perHour < least->perHour)
            least
                = JobPrice{price->unit, price->perHour, price->isAtLeast || (least && least->isAtLeast), price->source};
        least->isAtLeast = least->isAtLeast || differs;
    }
    return least;
}

} // namespace rankwright::inline planner
