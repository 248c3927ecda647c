// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/resolve.h"

namespace rankwright {

/// One rank and the hardware it gets.
struct RankPlace {
    int rank = 0;
    int node = 0; ///< index, 0 based
    int localRank = 0;
    int gpu = 0; ///< index on the node
    std::optional<int> numa;
    QList<int> cores; ///< empty: not bound (shared node, or map not published)
    QString mask; ///< "0xfe"; empty when cores are
    bool operator==(const RankPlace&) const = default;
};

/// rank -> node, GPU, NUMA domain, cores.
struct ParallelPlan {
    QList<RankPlace> ranks;
    bool bound = false; ///< cores are given
    QString unboundReason; ///< why not, in one sentence
    bool operator==(const ParallelPlan&) const = default;
};

/// Ranks in order of node, then local rank = GPU index. Cores and masks only on whole nodes whose map is published
/// (R20); local rank i is placed next to GPU i.
ParallelPlan planRanks(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// Hexadecimal mask of cores, lower case, "0x" and 16 digits or more: {1..7} -> 0x00000000000000fe.
QString coreMask(const QList<int>& cores);

} // namespace rankwright
