// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/clustersearch.h"

#include "models/planner/design/batchplan.h"
#include "models/planner/design/siteoptions.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

void addRejections(const QList<Rejection>& more, QList<Rejection>& all)
{
    for (const Rejection& one : more) {
        const auto known
            = std::find_if(all.begin(), all.end(), [&](const Rejection& each) { return each.reason == one.reason; });
        if (known == all.end())
            all.append(one);
        else
            known->count += one.count;
    }
}

double timeOf(const Candidate& one) { return one.totalSeconds.value_or(std::numeric_limits<double>::infinity()); }

/// By what the objective asks for; `comparable`: costs are in one unit.
void order(QList<Candidate>& candidates, Objective objective, bool comparable)
{
    const auto key = [&](const Candidate& one) {
        const bool later = objective == Objective::Recommended && !one.recommended;
        const double cost = comparable && one.cost ? *one.cost : timeOf(one);
        const bool byCost = objective == Objective::Recommended || objective == Objective::Cost;
        const double first = objective == Objective::Nodes ? one.layout.nodes : byCost ? cost : timeOf(one);
        return std::tuple(later, first, timeOf(one));
    };
    std::stable_sort(
        candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
}

} // namespace

Result<SearchResult> searchClusters(const JobSpec& spec, const QList<const ClusterProfile*>& clusters,
    const SearchLimits& limits, const CalibrationTable& calibrations)
{
    SearchResult all;
    std::optional<Error> fault;
    QStringList units;
    bool any = false;
    for (const ClusterProfile* profile : clusters) {
        JobSpec moved = spec;
        moved.cluster = profile->name;
        if (moved.cluster != spec.cluster)
            clearSiteOptions(spec, moved);
        const ResolvedSpec resolved = resolve(moved, *profile);
        const auto found = searchLayouts(resolved, planBatch(resolved), *profile, limits, calibrations);
        if (!found) {
            fault = fault ? fault : found.error();
            all.notes.append(u"%1: %2"_s.arg(profile->title, found.error().what));
            continue;
        }
        any = true;
        all.examined += found->examined;
        all.feasible += found->feasible;
        all.folded += found->folded;
        all.elapsedSeconds += found->elapsedSeconds;
        all.objective = found->objective;
        all.costOf = found->costOf;
        units.append(found->costUnit);
        for (const QString& note : found->notes)
            all.notes.append(note);
        if (all.opened.isEmpty() && !found->opened.isEmpty())
            all.opened = u"%1: %2"_s.arg(profile->title, found->opened);
        if (found->candidates.isEmpty())
            all.notes.append(u"%1: no layout fits."_s.arg(profile->title));
        all.candidates += found->candidates;
        addRejections(found->rejected, all.rejected);
    }
    if (!any && fault)
        return fail(*fault);
    units.removeDuplicates();
    const bool comparable = units.size() == 1 && !units.first().isEmpty();
    if (comparable)
        all.costUnit = units.first();
    else if (limits.objective == Objective::Cost || limits.objective == Objective::Recommended)
        all.notes.append(u"These clusters do not bill in one unit: they are ordered by time."_s);
    order(all.candidates, limits.objective, comparable);
    if (all.candidates.size() > limits.top)
        all.candidates.resize(limits.top);
    return all;
}

} // namespace rankwright::inline planner
