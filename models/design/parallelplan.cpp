// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/parallelplan.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// Why no core list can be given (R20); empty when it can.
QString whyUnbound(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const NodeShape& node = resolved.node;
    if (node.name.isEmpty())
        return u"The cluster is not described, so the cores beside each GPU are not known."_s;
    if (node.places.isEmpty())
        return u"%1 does not publish which cores are next to which %2."_s.arg(profile.title, node.gpu.word);
    if (!profile.launch.cpuBindMasks)
        return u"%1 binds ranks by itself and asks for no masks."_s.arg(profile.title);
    if (resolved.gpusPerNode != node.gpus)
        return u"The job takes %1 of the %2 %3s of a node: which ones, and which cores with them, is "
               "only known when it runs."_s.arg(
                   QString::number(resolved.gpusPerNode), QString::number(node.gpus), node.gpu.word);
    if (resolved.partitionInfo.shared && resolved.cpusPerGpu * resolved.gpusPerNode < node.usableCores)
        return u"The job takes %1 of the %2 cores of a shared node: which ones is only known when it runs."_s
            .arg(resolved.cpusPerGpu * resolved.gpusPerNode)
            .arg(node.usableCores);
    return {};
}

} // namespace

QString coreMask(const QList<int>& cores)
{
    int highest = 63;
    for (const int core : cores)
        highest = qMax(highest, core);
    QList<int> digits(highest / 4 + 1, 0);
    for (const int core : cores) {
        if (core >= 0)
            digits[digits.size() - 1 - core / 4] |= 1 << (core % 4);
    }
    QString mask = u"0x"_s;
    for (const int digit : std::as_const(digits))
        mask += QString::number(digit, 16);
    return mask;
}

ParallelPlan planRanks(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    ParallelPlan plan;
    plan.unboundReason = whyUnbound(resolved, profile);
    plan.bound = plan.unboundReason.isEmpty();
    QList<RankPlace> node; // the ranks of one node; the others are the same with another number
    for (int local = 0; local < resolved.gpusPerNode; ++local) {
        RankPlace rank;
        rank.rank = local;
        rank.localRank = local;
        rank.gpu = local;
        const auto& places = resolved.node.places;
        const auto place
            = std::find_if(places.begin(), places.end(), [&](const GpuPlace& p) { return p.gpu == local; });
        if (plan.bound && place != places.end()) {
            rank.numa = place->numa;
            rank.cores = place->cores.mid(0, resolved.cpusPerGpu);
            rank.mask = rank.cores.isEmpty() ? QString() : coreMask(rank.cores);
        }
        node.append(rank);
    }
    plan.ranks.reserve(qsizetype(resolved.nodes) * node.size());
    for (int index = 0; index < resolved.nodes; ++index) {
        for (const RankPlace& place : std::as_const(node)) {
            RankPlace& rank = plan.ranks.emplaceBack(place);
            rank.node = index;
            rank.rank = index * resolved.gpusPerNode + place.localRank;
        }
    }
    return plan;
}

} // namespace rankwright
