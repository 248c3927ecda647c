// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/rankplaces.h"

#include "models/planner/design/enumwords.h"
#include "models/planner/design/rankorder.h"
#include "models/planner/design/torchrelease.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// The places of the ranks of one node, or why there are none.
class NodePlan {
public:
    NodePlan(const ResolvedSpec& resolved, const ClusterProfile& profile)
        : m_resolved(resolved), m_node(resolved.node), m_profile(profile), m_defaults(profile.launch.binding)
    { }

    RankPlaces run()
    {
        m_plan.unboundReason = whyUnbound();
        m_plan.bound = m_plan.unboundReason.isEmpty();
        if (m_plan.bound)
            chooseBinder();
        for (int local = 0; local < m_resolved.gpusPerNode; ++local)
            m_plan.ranks.append(place(local));
        return m_plan;
    }

private:
    bool underAgent() const
    {
        return m_resolved.worldSize() > 1 && m_resolved.gpusPerNode > 1 && m_resolved.tasksPerNode() == 1;
    }

    bool wholeAllocation() const
    {
        return !m_resolved.partitionInfo.shared || m_resolved.spec.options.exclusive.value_or(false)
            || (m_resolved.gpusPerNode == m_node.gpus
                && m_resolved.cpusPerGpu * m_resolved.gpusPerNode >= m_node.usableCores);
    }

    /// Slurm's own placement holds only for the ranks that Slurm starts.
    bool slurmPlaces() const { return m_defaults.bySlurm && !underAgent(); }

    /// Why no core list can be given (R20); empty when it can.
    QString whyUnbound() const
    {
        const QString word = m_node.gpu.word;
        if (m_node.name.isEmpty())
            return u"The cluster is not described, so the cores beside each GPU are not known."_s;
        if (const QString why = whyPartUnbound(); !why.isEmpty())
            return why;
        if (m_defaults.bySlurm && underAgent())
            return u"%1 starts the ranks, and on %2 Slurm binds only the tasks that it starts itself: the ranks of a "
                   "node share its cores."_s.arg(toText(m_resolved.launcher), m_profile.title);
        if (m_node.places.isEmpty() && !(slurmPlaces() && m_defaults.contiguousCores && m_node.usableCores > 0))
            return u"%1 does not publish which cores are next to which %2."_s.arg(m_profile.title, word);
        const auto& asked = m_resolved.spec.options.cpuBinding;
        if (m_resolved.spec.options.numaBinding && numaBindingObstacle(m_resolved, m_profile).isEmpty())
            return u"torchrun binds its workers itself (--numa-binding=%1): which cores each gets is only known when the "
                   "job runs."_s.arg(wordOf(*m_resolved.spec.options.numaBinding));
        if (!m_defaults.bySlurm && asked == false)
            return u"The design asks for no binding: Slurm or the system chooses cores for each rank."_s;
        if (!m_defaults.bySlurm && !m_profile.launch.cpuBindMasks && asked != true)
            return u"%1 publishes no way to bind ranks to cores."_s.arg(m_profile.title);
        for (const GpuPlace& place : m_node.places) {
            if (m_resolved.cpusPerGpu > place.cores.size())
                return u"%1 cores for each %2 are more than the %3 beside one: which further ones a rank gets is only "
                       "known when the job runs."_s.arg(
                           QString::number(m_resolved.cpusPerGpu), word, QString::number(place.cores.size()));
        }
        return {};
    }

    /// On a part of a node Slurm chooses GPUs and cores when the job starts.
    QString whyPartUnbound() const
    {
        const QString word = m_node.gpu.word;
        const bool part = m_resolved.gpusPerNode != m_node.gpus;
        const bool sole = m_resolved.gpusPerNode == 1 && m_defaults.soleGpu && slurmPlaces();
        if (part && (m_resolved.partitionInfo.shared || !sole))
            return u"The job takes %1 of the %2 %3s of a node: which ones, and which cores with them, is only known "
                   "when it runs."_s.arg(QString::number(m_resolved.gpusPerNode), QString::number(m_node.gpus), word);
        if (!wholeAllocation())
            return u"The job takes %1 of the %2 cores of a shared node: which ones is only known when it runs."_s
                .arg(m_resolved.cpusPerGpu * m_resolved.gpusPerNode)
                .arg(m_node.usableCores);
        return {};
    }

    void chooseBinder()
    {
        if (slurmPlaces()) {
            m_plan.boundBy = BoundBy::Slurm;
            m_plan.note = m_defaults.reason.isEmpty() ? u"Slurm binds each rank by itself; no masks are needed."_s
                                                      : m_defaults.reason.section(u'\n', 0, 0);
        } else if (underAgent()) {
            m_plan.boundBy = BoundBy::Program;
            const bool scriptBinds
                = m_resolved.launcher != Launcher::Deepspeed || m_resolved.spec.options.cpuBinding.value_or(false);
            m_plan.note = toText(m_resolved.launcher)
                + (scriptBinds
                        ? u" starts the ranks, out of Slurm's reach: the script makes each bind itself to these cores "
                          "by its LOCAL_RANK."_s
                        : u" starts the ranks, out of Slurm's reach: these cores are for a program that binds "
                          "itself by its LOCAL_RANK."_s);
        } else {
            m_plan.boundBy = BoundBy::Masks;
            m_plan.note = u"srun binds each rank to these cores by a mask."_s;
        }
    }

    int gpuOf(int local) const
    {
        if (!slurmPlaces() || !wholeAllocation())
            return local;
        if (m_resolved.gpusPerNode == 1 && m_defaults.soleGpu)
            return *m_defaults.soleGpu;
        return m_defaults.gpuOrder.value(local, local);
    }

    /// The next cores in order; where the site counts hardware threads, the other threads of these cores, too.
    QList<int> contiguousShare(int local) const
    {
        const int threads = m_node.cpusAreThreads ? qMax(1, m_node.threadsPerCore) : 1;
        const auto tasks = slurmTaskCpus({1, qMax(1, m_node.usableCores / threads), threads}, m_resolved.gpusPerNode,
            m_resolved.cpusPerGpu, Spread::Block, threads == 1 ? CoreThreads::One : CoreThreads::All);
        return tasks ? tasks->value(local) : QList<int>();
    }

    RankPlace place(int local) const
    {
        RankPlace rank;
        rank.rank = local;
        rank.localRank = local;
        rank.gpu = gpuOf(local);
        const auto found = std::find_if(
            m_node.places.cbegin(), m_node.places.cend(), [&](const GpuPlace& known) { return known.gpu == rank.gpu; });
        if (!m_plan.bound)
            return rank;
        if (found != m_node.places.cend()) {
            rank.numa = found->numa;
            rank.cores = found->cores.mid(0, m_resolved.cpusPerGpu);
        } else {
            rank.cores = contiguousShare(local);
        }
        rank.mask = rank.cores.isEmpty() ? QString() : coreMask(rank.cores);
        return rank;
    }

    const ResolvedSpec& m_resolved;
    const NodeShape& m_node;
    const ClusterProfile& m_profile;
    const BindingDefaults& m_defaults;
    RankPlaces m_plan;
};

/// The numbers of the groups that a layout gives its ranks.
class LayoutGroups {
public:
    explicit LayoutGroups(const ResolvedSpec& resolved)
        : m_order(rankOrder(resolved)), m_isHybrid(resolved.strategy == Strategy::Hsdp),
          m_isSharded(resolved.strategy == Strategy::Fsdp || resolved.strategy == Strategy::Zero1
              || resolved.strategy == Strategy::Zero2 || resolved.strategy == Strategy::Zero3)
    { }

    void assign(RankPlace& place) const
    {
        if (m_order.tensor > 1)
            place.tensorGroup = place.rank / m_order.tensor;
        if (m_order.pipeline > 1)
            place.stage = m_order.stage(place.rank);
        const int part = m_order.stage(place.rank) * m_order.tensor + m_order.tensorIndex(place.rank);
        if (m_order.data * m_order.context > 1)
            place.dataGroup = part;
        if (m_isSharded)
            place.shardGroup = part;
        else if (m_isHybrid)
            place.shardGroup = place.node * m_order.pipeline * m_order.tensor + part;
    }

private:
    RankOrder m_order;
    bool m_isHybrid = false;
    bool m_isSharded = false;
};

} // namespace

QString toText(BoundBy by)
{
    switch (by) {
    case BoundBy::Masks: return u"masks"_s;
    case BoundBy::Slurm: return u"slurm"_s;
    case BoundBy::Program: return u"program"_s;
    case BoundBy::Nobody: break;
    }
    return u"nobody"_s;
}

bool isBesideGpu(const RankPlace& place, const NodeShape& node)
{
    const auto own = std::find_if(
        node.places.cbegin(), node.places.cend(), [&](const GpuPlace& known) { return known.gpu == place.gpu; });
    if (own == node.places.cend())
        return node.places.isEmpty();
    return std::all_of(place.cores.cbegin(), place.cores.cend(), [&](int thread) {
        return thread < node.cores * qMax(1, node.threadsPerCore) && own->cores.contains(thread % qMax(1, node.cores));
    });
}

QList<int> visibleGpuOrder(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QList<int>& order = profile.launch.binding.gpuOrder;
    const bool fits = order.size() == resolved.node.gpus && resolved.gpusPerNode == resolved.node.gpus;
    if (!fits || NodePlan(resolved, profile).run().boundBy != BoundBy::Slurm)
        return {};
    return order;
}

RankPlaces planNodeRanks(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return NodePlan(resolved, profile).run();
}

RankPlaces planRanks(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    RankPlaces plan = planNodeRanks(resolved, profile);
    const QList<RankPlace> node = plan.ranks;
    plan.ranks.clear();
    plan.ranks.reserve(qsizetype(resolved.nodes) * node.size());
    const LayoutGroups groups(resolved);
    for (int index = 0; index < resolved.nodes; ++index) {
        for (const RankPlace& place : node) {
            RankPlace& rank = plan.ranks.emplaceBack(place);
            rank.node = index;
            rank.rank = index * resolved.gpusPerNode + place.localRank;
            groups.assign(rank);
        }
    }
    return plan;
}

} // namespace rankwright::inline planner
