// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/searchspace.h"

#include <optional>

namespace rankwright::inline planner {

/// A feasible layout as the search's inner loop leaves it: figures, no texts.
struct FoundLayout {
    int plan = 0; ///< index of its SearchPlan
    Layout layout;
    const Partition* partition = nullptr;
    double memoryBytes = 0;
    double usableBytes = 0;
    FitVerdict verdict = FitVerdict::Fits;
    double stepSeconds = 0;
    double computeShare = 0;
    double tokensPerSecond = 0;
    double mfu = 0;
    std::optional<double> perHour; ///< empty: not published
    double billedGpus = 1;
};

/// What the user's money and time buy: the whole training where the data set is known, else a round amount of data.
struct Purchase {
    double samples = 0;
    QString text;
};
Purchase purchaseOf(const ResolvedSpec& resolved, const PlannedRun& base);

/// What a search found, as the ranking reads it.
struct SearchFinds {
    std::vector<FoundLayout> layouts;
    std::vector<SearchPlan> plans;
    std::vector<SearchKind> kinds;
    qint64 globalBatch = 0; ///< 0: open

    const SearchPlan& planOf(const FoundLayout& one) const { return plans[std::size_t(one.plan)]; }
    const SearchKind& kindOf(const FoundLayout& one) const { return kinds[std::size_t(planOf(one).kind)]; }
};

/// Leaves out what misses the limits on time and cost; each becomes a rejection with its reason.
void applyDemands(SearchFinds& finds, const SearchLimits& limits, SearchResult& result);

/// Ranks by the objective, keeps the best, folds what differs in trifles, finds the Pareto front of time against cost,
/// and words what is kept. `asNamed`: what is recommended with all that the design names, where more was searched;
/// null: the recommended of what was found.
void rankLayouts(const SearchFinds& finds, const ClusterProfile& profile, const SearchLimits& limits,
    const Candidate* asNamed, SearchResult& result);

} // namespace rankwright::inline planner
