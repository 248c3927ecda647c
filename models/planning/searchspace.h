// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planning/layoutsearch.h"

#include <vector>

namespace rankwright {

/// One way to train, apart from the degrees: what a pair of models is made for once.
struct SearchPlan {
    Strategy strategy = Strategy::Ddp;
    Framework framework = Framework::Generic;
    const TrainingStack* stack = nullptr;
    Workload workload; ///< with this plan's recomputation and offload
    LayoutDefaults defaults;
    bool tensor = false; ///< degrees that the strategy knows
    bool pipeline = false;
    bool context = false;
};

/// One size of the job: what a partition takes and what an hour of it costs.
struct SearchSize {
    int nodes = 1;
    int gpusPerNode = 1;
    std::optional<double> perHour; ///< empty: no published formula
    int gpus() const { return nodes * gpusPerNode; }
};

/// Strategies x stacks x recomputation x offload for a design; those without offload first.
std::vector<SearchPlan> searchPlans(const ResolvedSpec& resolved, const PlannedRun& base);

/// The largest number of nodes that the design's partition takes or, when that is open, any that is offered.
int mostNodes(const ResolvedSpec& resolved, const ClusterProfile& profile);

/// All sizes within the limits that the partition of the design (or, when that is open, any partition) takes. `refused`
/// counts sizes that none takes. With `every` false from 16 nodes on only round numbers.
std::vector<SearchSize> searchSizes(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const SearchLimits& limits, bool every, qint64& refused);

/// Divisors of `number` up to `most`, ascending.
std::vector<int> divisorsOf(qint64 number, int most);

} // namespace rankwright
