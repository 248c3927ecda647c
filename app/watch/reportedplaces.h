// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/rankplace.h"
#include "models/insight/telemetry/ranksample.h"

#include <map>
#include <optional>

namespace rankwright {

/// Where the ranks of a job run as its processes report, for a job whose design is not known: one that was started
/// elsewhere, or that uses a part of the GPUs that it got.
class ReportedPlaces {
public:
    /// `row` of the node in the order of the allocation. Whether something is known that was not before.
    bool add(const NodeProcesses& processes, int row);
    /// In the order of the ranks; empty until each rank of the job was seen.
    QList<RankPlace> placement() const;
    void clear() { *this = {}; }

private:
    std::map<int, RankPlace> m_places; ///< by rank
    std::optional<int> m_worldSize;
    bool m_areRanks
        = false; ///< processes that name their RANK were seen: tasks of a step are no longer taken for ranks
};

} // namespace rankwright
