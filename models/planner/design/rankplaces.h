// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/rankplace.h"
#include "models/planner/design/cpumasks.h"
#include "models/planner/design/resolve.h"

#include <optional>

namespace rankwright::inline planner {

/// Who puts a rank on its cores.
enum class BoundBy {
    Nobody,
    Masks, ///< --cpu-bind masks of the script's srun
    Slurm, ///< the site's Slurm by itself
    Program ///< an agent starts the ranks, out of Slurm's reach: the process binds itself by LOCAL_RANK
};

/// rank -> node, GPU, NUMA domain, cores, groups.
struct RankPlaces {
    QList<RankPlace> ranks;
    bool bound = false; ///< cores are given
    BoundBy boundBy = BoundBy::Nobody;
    QString unboundReason; ///< why there are no cores, in one sentence
    QString note; ///< how the ranks come to their cores, in one sentence; empty when not bound
    std::optional<int>
        scriptLine; ///< from 0, of the script's own binding (scriptbinding); empty: bound as the design says
    bool operator==(const RankPlaces&) const = default;
};

/// Ranks in order of node, then local rank. Local rank i has GPU i, or the i-th of the site's order where Slurm binds.
/// Cores and masks only for jobs that own their nodes, where the map is published or the site says what Slurm does
/// (R20). Groups are those of the layout in the order of rankOrder().
RankPlaces planRanks(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// The same of the first node alone, without groups: the ranks of the others differ in node and rank alone.
RankPlaces planNodeRanks(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// Whether all its cores, or other hardware threads of them, are beside its GPU; true where it is not bound or no map
/// is published.
bool isBesideGpu(const RankPlace& place, const NodeShape& node);

/// The order in which a script must make the GPUs of a node visible, so that device i of a program is the one beside
/// the cores of local rank i; empty: the order they have. Only where Slurm binds whole nodes and the site gives an
/// order.
QList<int> visibleGpuOrder(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// The published word, in the headless answers.
QString toText(BoundBy by);

} // namespace rankwright::inline planner
