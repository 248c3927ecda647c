// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planning/searchspace.h"

namespace rankwright {

/// A feasible layout as the search's inner loop leaves it: figures, no texts.
struct FoundLayout {
    int plan = 0; ///< index of its SearchPlan
    Layout layout;
    double memoryBytes = 0;
    double usableBytes = 0;
    FitVerdict verdict = FitVerdict::Fits;
    double stepSeconds = 0;
    double computeShare = 0;
    double tokensPerSecond = 0;
    double mfu = 0;
    double perHour = -1; ///< below 0: not published
};

/// Ranks by the objective, keeps the best, finds the Pareto front of time against cost, and words what is kept.
void rankLayouts(const std::vector<FoundLayout>& found, const std::vector<SearchPlan>& plans,
    const ResolvedSpec& resolved, const PlannedRun& base, const ClusterProfile& profile, const SearchLimits& limits,
    SearchResult& result);

} // namespace rankwright
