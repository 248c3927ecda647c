// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/cheaperrequest.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/costformula.h"
#include "models/planner/design/partitionchoice.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr double same = 1e-9; // prices closer than this are one price

/// Looks for the smallest change of one request, in the order in which one would rather make it.
class CheaperSearch {
public:
    CheaperSearch(const BillingRule& rule, const ResolvedSpec& resolved, const ClusterProfile& profile)
        : m_rule(rule), m_resolved(resolved), m_profile(profile), m_now(allocationOf(resolved)),
          m_price(pricePerHour(rule, m_now))
    { }

    std::optional<CheaperRequest> run() const
    {
        if (m_price <= 0)
            return std::nullopt;
        if (auto found = smallerShare())
            return found;
        if (auto found = otherPartition())
            return found;
        return fewerGpus();
    }

private:
    bool ownsNodes() const
    {
        return !m_resolved.partitionInfo.shared || m_resolved.spec.options.exclusive.value_or(false);
    }
    bool isCheaper(const CostRequest& request) const { return pricePerHour(m_rule, request) < m_price - same; }
    const QString& word() const { return m_resolved.node.gpu.word; }

    /// "1 instead of 2 GPU-hours for each hour".
    QString priceText(double cheaper) const
    {
        const QString half = std::abs(cheaper * 2 - m_price) < same ? u", half the price"_s : QString();
        return u"%1 instead of %2 %3 for each hour"_s.arg(humanNumber(cheaper, 2), humanNumber(m_price, 2), m_rule.unit)
            + half;
    }

    QString coresText(int cores) const
    {
        return u"%1 cores for each %2 instead of %3"_s.arg(
            QString::number(cores), word(), QString::number(m_resolved.cpusPerGpu));
    }

    QString memoryText(double gib) const
    {
        return u"%1 of memory for each node instead of %2"_s.arg(
            slurmMemory(Bytes::gib(gib)), slurmMemory(Bytes::gib(m_now.memoryGib)));
    }

    CheaperRequest found(const QString& change, const QString& label, const CostRequest& request) const
    {
        CheaperRequest result;
        result.perHour = pricePerHour(m_rule, request);
        result.text = change + u" would cost "_s + priceText(result.perHour) + u'.';
        result.label = label;
        return result;
    }

    /// The most cores for each GPU, below those asked for, that lower the price of `base`; 0: none does.
    int coresBelow(CostRequest base) const
    {
        for (int cores = m_resolved.cpusPerGpu - 1; cores >= 1; --cores) {
            base.cores = cores * m_now.gpus;
            if (isCheaper(base))
                return cores;
        }
        return 0;
    }

    /// The most memory of a node in GiB, below that asked for, that lowers the price of `base`; 0: none does.
    double memoryBelow(CostRequest base) const
    {
        double slice = 0;
        for (const BillingTerm& term : m_rule.terms) {
            if (term.of == BillingTerm::Of::MemoryGib)
                slice = term.per.value_or(1.0);
        }
        if (slice <= 0 || !m_resolved.memoryPerNode)
            return 0;
        double slices = std::ceil(m_now.memoryGib * m_now.nodes / slice - same);
        while (--slices >= 1) {
            base.memoryGib = std::floor(slices * slice / m_now.nodes);
            if (base.memoryGib < 1)
                return 0;
            if (isCheaper(base))
                return base.memoryGib;
        }
        return 0;
    }

    /// Cores and memory without giving up a GPU; only where the job does not pay whole nodes anyway.
    std::optional<CheaperRequest> smallerShare() const
    {
        if (ownsNodes())
            return std::nullopt;
        if (m_rule.combine == BillingRule::Combine::Sum) {
            if (auto fair = backToShare())
                return fair;
        }
        CostRequest request = m_now;
        if (const int cores = coresBelow(m_now)) {
            request.cores = cores * m_now.gpus;
            return withCores(cores, found(coresText(cores), coresLabel(cores), request));
        }
        if (const double memory = memoryBelow(m_now); memory > 0) {
            request.memoryGib = memory;
            return withMemory(memory, found(memoryText(memory), memoryLabel(memory), request));
        }
        return coresAndMemory();
    }

    /// Both decide at once: only both together make it cheaper.
    std::optional<CheaperRequest> coresAndMemory() const
    {
        CostRequest alone = m_now;
        alone.memoryGib = 0;
        const int cores = coresBelow(alone);
        alone = m_now;
        alone.cores = 0;
        const double memory = memoryBelow(alone);
        CostRequest request = m_now;
        request.cores = cores * m_now.gpus;
        request.memoryGib = memory;
        if (cores < 1 || memory < 1 || !isCheaper(request))
            return std::nullopt;
        const QString both = u"%1 and %2"_s;
        return withMemory(memory,
            withCores(cores,
                found(both.arg(coresText(cores), memoryText(memory)),
                    u"Use %1 cores for each %2 and %3"_s.arg(
                        QString::number(cores), word(), slurmMemory(Bytes::gib(memory))),
                    request)));
    }

    /// Where each core and GiB is paid: the site's fair share, when the design asks for more than that.
    std::optional<CheaperRequest> backToShare() const
    {
        const NodeShape& node = m_resolved.node;
        CostRequest request = m_now;
        const int cores = node.coresPerGpu.value_or(m_resolved.cpusPerGpu);
        if (cores < m_resolved.cpusPerGpu) {
            request.cores = cores * m_now.gpus;
            if (isCheaper(request))
                return withCores(cores, found(coresText(cores), coresLabel(cores), request));
        }
        request = m_now;
        const double memory = node.memoryPerGpu ? node.memoryPerGpu->inGib() * m_now.gpus : m_now.memoryGib;
        if (memory < m_now.memoryGib && m_resolved.memoryPerNode) {
            request.memoryGib = memory;
            if (isCheaper(request))
                return withMemory(memory, found(memoryText(memory), memoryLabel(memory), request));
        }
        return std::nullopt;
    }

    QString coresLabel(int cores) const { return u"Use %1 cores for each %2"_s.arg(cores).arg(word()); }
    static QString memoryLabel(double gib) { return u"Use %1 of memory"_s.arg(slurmMemory(Bytes::gib(gib))); }

    /// Said unasked when the job pays for more than its GPUs' share.
    bool isBeyondShare() const
    {
        const NodeShape& node = m_resolved.node;
        if (m_rule.combine == BillingRule::Combine::Max)
            return true;
        return m_resolved.cpusPerGpu > node.coresPerGpu.value_or(m_resolved.cpusPerGpu)
            || (node.memoryPerGpu && m_now.memoryGib > node.memoryPerGpu->inGib() * m_now.gpus + same);
    }

    CheaperRequest withCores(int cores, CheaperRequest request) const
    {
        request.cpusPerGpu = cores;
        request.advised = isBeyondShare();
        return request;
    }

    CheaperRequest withMemory(double gib, CheaperRequest request) const
    {
        request.memoryPerNode = Bytes::gib(gib);
        request.advised = isBeyondShare();
        return request;
    }

    /// What the job would be given for `gpus` of a shared node.
    CostRequest partOfNode(const QString& partition, int nodes, int gpus) const
    {
        const NodeShape& node = m_resolved.node;
        CostRequest request{partition, nodes, gpus, m_resolved.cpusPerGpu * gpus, m_now.memoryGib, m_now.nvmeGib};
        const auto& asked = m_resolved.spec.resources.memoryPerNode;
        if (asked)
            request.memoryGib = qMin(asked->inGib(), node.memory.inGib());
        else if (node.memoryPerGpu)
            request.memoryGib = node.memoryPerGpu->inGib() * gpus;
        else if (m_now.gpus > 0)
            request.memoryGib = m_now.memoryGib * gpus / m_now.gpus;
        return request;
    }

    /// The same job elsewhere, mostly a part of a node that would be billed as a whole here.
    std::optional<CheaperRequest> otherPartition() const
    {
        const PartitionRequest size{m_resolved.nodes, m_resolved.gpusPerNode, m_resolved.time};
        for (const Partition& other : m_profile.partitions) {
            const auto rules = rulesFor(m_profile, other.name);
            if (other.offered != Partition::Offer::Normal || other.name == m_resolved.partition
                || other.node != m_resolved.node.name || rules.size() != 1 || rules.first()->unit != m_rule.unit
                || !partitionObstacle(size, other, m_resolved.node).isEmpty())
                continue;
            CostRequest there = m_now;
            there.partition = other.name;
            if (other.shared && !m_resolved.spec.options.exclusive.value_or(false))
                there = partOfNode(other.name, m_resolved.nodes, m_resolved.gpusPerNode);
            const double price = pricePerHour(*rules.first(), there);
            if (price >= m_price - same)
                continue;
            CheaperRequest result;
            result.perHour = price;
            result.text = u"In %1 this job would cost %2."_s.arg(other.name, priceText(price));
            result.label = u"Use "_s + other.name;
            result.partition = other.name;
            result.advised = true;
            return result;
        }
        return std::nullopt;
    }

    bool isAllowed(int nodes, int gpus) const
    {
        return partitionObstacle({nodes, gpus, m_resolved.time}, m_resolved.partitionInfo, m_resolved.node).isEmpty();
    }

    /// One node less, or fewer GPUs on each: whichever gives up fewer ranks.
    std::optional<CheaperRequest> fewerGpus() const
    {
        int gpus = ownsNodes() ? 0 : m_resolved.gpusPerNode - 1;
        while (
            gpus >= 1 && (!isCheaper(partOfNode(m_now.partition, m_now.nodes, gpus)) || !isAllowed(m_now.nodes, gpus)))
            --gpus;
        CostRequest shorter = m_now;
        shorter.nodes = m_now.nodes - 1;
        const bool node = shorter.nodes >= 1 && isCheaper(shorter) && isAllowed(shorter.nodes, m_resolved.gpusPerNode);
        if (gpus < 1 && !node)
            return std::nullopt;
        CheaperRequest result;
        if (node && (gpus < 1 || m_resolved.gpusPerNode <= m_now.nodes * (m_resolved.gpusPerNode - gpus))) {
            const QString count = nodesText(shorter.nodes);
            result = found(u"%1 instead of %2"_s.arg(count).arg(m_now.nodes), u"Use "_s + count, shorter);
            result.nodes = shorter.nodes;
        } else {
            const QString count = gpusText(gpus, word());
            result = found(u"%1 on each node instead of %2"_s.arg(count).arg(m_resolved.gpusPerNode),
                u"Use %1 on each node"_s.arg(count), partOfNode(m_now.partition, m_now.nodes, gpus));
            result.gpusPerNode = gpus;
        }
        result.keepsGpus = false;
        return result;
    }

    const BillingRule& m_rule;
    const ResolvedSpec& m_resolved;
    const ClusterProfile& m_profile;
    const CostRequest m_now;
    const double m_price;
};

} // namespace

void CheaperRequest::applyTo(JobSpec& spec) const
{
    if (partition)
        spec.partition = partition;
    if (nodes)
        spec.resources.nodes = nodes;
    if (gpusPerNode)
        spec.resources.gpusPerNode = gpusPerNode;
    if (cpusPerGpu)
        spec.resources.cpusPerGpu = cpusPerGpu;
    if (memoryPerNode)
        spec.resources.memoryPerNode = memoryPerNode;
}

std::optional<CheaperRequest> cheaperRequest(
    const BillingRule& rule, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return CheaperSearch(rule, resolved, profile).run();
}

} // namespace rankwright::inline planner
