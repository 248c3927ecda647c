// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/workload.h"

#include <algorithm>

namespace rankwright::inline planner {

double trainedShare(const Workload& workload)
{
    if (workload.adapter.method == AdapterMethod::None)
        return std::clamp(workload.trainedFraction, 0.0, 1.0);
    const double all = static_cast<double>(countParameters(workload.shape).total);
    return all > 0 ? std::clamp(adapterParameters(workload.adapter, workload.shape) / all, 0.0, 1.0) : 1.0;
}

double computedTokens(const Workload& workload)
{
    const double tokens = static_cast<double>(workload.sequence);
    return std::max(1.0, tokens * (workload.packed ? workload.realTokens : paddedSampleShare));
}

bool isPaged(Optimizer optimizer)
{
    return optimizer == Optimizer::AdamWPaged || optimizer == Optimizer::AdamW8bitPaged;
}

} // namespace rankwright::inline planner
