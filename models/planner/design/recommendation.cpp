// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/recommendation.h"

#include "models/planner/design/strategyname.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

namespace rankwright::inline planner {

namespace {

/// A simpler strategy may be this much slower and still be recommended: as much as predictions for two stacks may err
/// against each other (docs/planner.md, "Time").
constexpr double simplicityIsWorth = 0.15;
constexpr std::array<double, 5> stepLimits{60, 120, 300, 600, std::numeric_limits<double>::infinity()};
/// Layouts of one program are ranked right to this share (docs/planner.md, "How well it does": the best of a sweep by
/// prediction was measured within it in nine of ten).
constexpr double rankedWithin = 0.05;
constexpr int farthest = smallSizes; // times the nodes of the smallest that is good enough
constexpr double fillingMayCost = 1.2; // times the price, to use a whole node

double countedSpeed(const SearchFinds& finds, const FoundLayout& one, double programIsWorth)
{
    return one.tokensPerSecond * (finds.planOf(one).replacesProgram ? 1 - programIsWorth : 1);
}

/// How much of the program a strategy changes; layers that are split come last.
int simplicity(const SearchPlan& plan, const Layout& layout)
{
    static const QList<Strategy> simple{Strategy::Single, Strategy::Ddp, Strategy::Horovod, Strategy::Fsdp,
        Strategy::Hsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3, Strategy::Tensor, Strategy::Pipeline,
        Strategy::ThreeD};
    return int(simple.indexOf(plan.strategy)) + (layout.tensor > 1 || layout.context > 1 ? 20 : 0);
}

/// The layout that stands for one size of one kind of node.
struct SizeBest {
    std::size_t index = 0;
    int kind = 0;
};

struct Pool {
    bool offloading = false;
    bool lastResorts = false; ///< partitions that are offered last
};

bool inPool(const SearchFinds& finds, const FoundLayout& one, const Pool& pool)
{
    const bool last = one.partition != nullptr && one.partition->offered == Partition::Offer::Last;
    return (finds.planOf(one).workload.offload != Offload::None) == pool.offloading && last == pool.lastResorts;
}

/// Whether a size is one that the recommendation looks at: a usual one; where none of those fits, all are. A search for
/// the recommendation alone tries no others, and a search of everything is to answer the same.
class CountedSizes {
public:
    explicit CountedSizes(const SearchFinds& finds) : m_globalBatch(finds.globalBatch)
    {
        m_onlyUsual = std::any_of(finds.layouts.cbegin(), finds.layouts.cend(),
            [this](const FoundLayout& one) { return isUsualSize(one.layout.nodes, m_globalBatch); });
    }
    bool counts(const FoundLayout& one) const { return !m_onlyUsual || isUsualSize(one.layout.nodes, m_globalBatch); }

private:
    qint64 m_globalBatch;
    bool m_onlyUsual = false;
};

/// The pools that hold anything, in the order in which they are asked: on what is offered to everybody, then on all;
/// what offloads only where nothing fits without.
std::vector<Pool> poolsOf(const SearchFinds& finds, const CountedSizes& sizes)
{
    for (const bool offloading : {false, true}) {
        std::vector<Pool> pools;
        for (const Pool& pool : {Pool{offloading, false}, Pool{offloading, true}}) {
            if (std::any_of(finds.layouts.cbegin(), finds.layouts.cend(),
                    [&](const FoundLayout& one) { return sizes.counts(one) && inPool(finds, one, pool); }))
                pools.push_back(pool);
        }
        if (!pools.empty())
            return pools;
    }
    return {};
}

using SizeKey = std::tuple<int, int, int>; // kind, nodes, GPUs of each

SizeKey sizeOf(const SearchFinds& finds, const FoundLayout& one)
{
    return {finds.planOf(one).kind, one.layout.nodes, one.layout.gpusPerNode};
}

/// What Megatron-LM's tuning guide asks for first: tensor and expert ranks "within the NVLink domain as much as
/// possible", then "the model parallelism size as small as possible" (022bcb5, megatron/core/transformer/moe/README.md,
/// Performance Best Practice), then tensor ranks up to a node before stages (Narayanan et al. 2021, takeaways 1 and 2).
std::tuple<int, int, int> spreadOf(const Layout& layout)
{
    const int group = std::max(layout.tensor, layout.expert * layout.expertSplit());
    const int perNode = std::max(1, layout.gpusPerNode);
    return {(group + perNode - 1) / perNode, layout.tensor * layout.pipeline * layout.context, layout.pipeline};
}

/// Of layouts of one size: the simplest of those that are fast enough.
SizeBest bestOf(const SearchFinds& finds, const std::vector<std::size_t>& group, double programIsWorth)
{
    double fastest = 0;
    for (const std::size_t index : group)
        fastest = std::max(fastest, countedSpeed(finds, finds.layouts[index], programIsWorth));
    const auto key = [&](std::size_t index) {
        const FoundLayout& one = finds.layouts[index];
        return std::tuple(simplicity(finds.planOf(one), one.layout), -one.tokensPerSecond, one.memoryBytes);
    };
    std::optional<std::size_t> best;
    for (const std::size_t index : group) {
        if (countedSpeed(finds, finds.layouts[index], programIsWorth) >= fastest * (1 - simplicityIsWorth)
            && (!best || key(index) < key(*best)))
            best = index;
    }
    return {*best, finds.planOf(finds.layouts[*best]).kind};
}

/// Layouts of one size and pool lie beside each other: the search walks size by size.
template <typename Counts>
std::vector<SizeBest> bestOfSizes(const SearchFinds& finds, Counts counts, double programIsWorth = ownProgramIsWorth)
{
    std::vector<SizeBest> all;
    std::vector<std::size_t> group;
    for (std::size_t index = 0; index < finds.layouts.size(); ++index) {
        const FoundLayout& one = finds.layouts[index];
        if (!counts(one))
            continue;
        if (!group.empty() && sizeOf(finds, finds.layouts[group.front()]) != sizeOf(finds, one)) {
            all.push_back(bestOf(finds, group, programIsWorth));
            group.clear();
        }
        group.push_back(index);
    }
    if (!group.empty())
        all.push_back(bestOf(finds, group, programIsWorth));
    return all;
}

/// What an amount of work costs, a replaced program counted: by the site's price or, where it publishes none, by GPUs
/// that are taken.
double priceOf(const SearchFinds& finds, const FoundLayout& one, bool published, double programIsWorth)
{
    return (published ? one.perHour.value_or(0) : one.billedGpus)
        / std::max(1e-9, countedSpeed(finds, one, programIsWorth));
}

double speedOfOne(const FoundLayout& one) { return one.tokensPerSecond / one.layout.gpus(); }

} // namespace

std::vector<double> smallestSpeeds(const SearchFinds& finds)
{
    const std::size_t kinds = std::max<std::size_t>(1, finds.kinds.size());
    const CountedSizes sizes(finds);
    std::vector<int> fewest(kinds, std::numeric_limits<int>::max());
    std::vector<bool> plain(kinds, false);
    const auto each = [&](const auto& look) {
        for (const FoundLayout& one : finds.layouts) {
            if (sizes.counts(one))
                look(one, std::size_t(finds.planOf(one).kind), finds.planOf(one).workload.offload == Offload::None);
        }
    };
    each([&](const FoundLayout&, std::size_t kind, bool isPlain) { plain[kind] = plain[kind] || isPlain; });
    each([&](const FoundLayout& one, std::size_t kind, bool isPlain) {
        if (isPlain == plain[kind])
            fewest[kind] = std::min(fewest[kind], one.layout.gpus());
    });
    std::vector<double> speeds(kinds, 0);
    each([&](const FoundLayout& one, std::size_t kind, bool isPlain) {
        if (isPlain == plain[kind] && one.layout.gpus() <= smallSizes * qint64(fewest[kind]))
            speeds[kind] = std::max(speeds[kind], speedOfOne(one));
    });
    return speeds;
}

namespace {

/// The cheapest of a pool's sizes whose step is within the limit.
std::optional<std::size_t> cheapestWithin(const SearchFinds& finds, const std::vector<SizeBest>& sizes,
    const std::vector<double>& smallest, double limit, double programIsWorth)
{
    const auto at = [&](const SizeBest& size) -> const FoundLayout& { return finds.layouts[size.index]; };
    const bool published
        = std::all_of(sizes.cbegin(), sizes.cend(), [&](const auto& one) { return at(one).perHour.value_or(0) > 0; });
    const auto price = [&](const SizeBest& one) { return priceOf(finds, at(one), published, programIsWorth); };
    const auto good = [&](const SizeBest& one) {
        return speedOfOne(at(one)) >= worthItsGpus * smallest[std::size_t(one.kind)] && at(one).stepSeconds <= limit;
    };
    std::map<int, int> fewestNodes;
    for (const SizeBest& one : sizes) {
        if (!good(one))
            continue;
        const auto known = fewestNodes.find(one.kind);
        if (known == fewestNodes.end() || at(one).layout.nodes < known->second)
            fewestNodes[one.kind] = at(one).layout.nodes;
    }
    const SizeBest* best = nullptr;
    for (const SizeBest& one : sizes) {
        if (good(one) && at(one).layout.nodes <= farthest * fewestNodes[one.kind]
            && (best == nullptr || price(one) < price(*best)))
            best = &one;
    }
    if (best == nullptr)
        return std::nullopt;
    const SizeBest* filled = best;
    for (const SizeBest& one : sizes) {
        const bool sameNodes = one.kind == best->kind && at(one).layout.nodes == at(*best).layout.nodes;
        if (sameNodes && good(one) && at(one).layout.gpus() > at(*filled).layout.gpus()
            && price(one) <= fillingMayCost * price(*best))
            filled = &one;
    }
    return filled->index;
}

/// Where a layout splits layers: of those of the same program, size and pool that are predicted as fast, the least
/// spread one. Sizes are compared by their fastest.
std::size_t leastSpread(
    const SearchFinds& finds, const std::vector<double>& smallest, std::size_t found, const Pool& pool, double limit)
{
    const FoundLayout& taken = finds.layouts[found];
    const SearchPlan& plan = finds.planOf(taken);
    if (!splitsLayers(plan.strategy))
        return found;
    const auto key = [](const FoundLayout& one) {
        return std::tuple(spreadOf(one.layout), -one.tokensPerSecond, one.memoryBytes);
    };
    const double least = std::max(taken.tokensPerSecond * (1 - rankedWithin),
        worthItsGpus * smallest[std::size_t(plan.kind)] * taken.layout.gpus());
    std::size_t best = found;
    for (std::size_t index = 0; index < finds.layouts.size(); ++index) {
        const FoundLayout& one = finds.layouts[index];
        if (sizeOf(finds, one) == sizeOf(finds, taken) && finds.planOf(one).strategy == plan.strategy
            && finds.planOf(one).framework == plan.framework && inPool(finds, one, pool) && one.stepSeconds <= limit
            && one.tokensPerSecond >= least && key(one) < key(finds.layouts[best]))
            best = index;
    }
    return best;
}

} // namespace

std::optional<std::size_t> recommendedOf(
    const SearchFinds& finds, const std::vector<double>& smallest, double programIsWorth)
{
    const CountedSizes counted(finds);
    const std::vector<Pool> pools = poolsOf(finds, counted);
    std::vector<std::vector<SizeBest>> sizes;
    for (const Pool& pool : pools)
        sizes.push_back(bestOfSizes(
            finds, [&](const FoundLayout& one) { return counted.counts(one) && inPool(finds, one, pool); },
            programIsWorth));
    for (const double limit : stepLimits) {
        for (std::size_t pool = 0; pool < pools.size(); ++pool) {
            if (const auto found = cheapestWithin(finds, sizes[pool], smallest, limit, programIsWorth))
                return leastSpread(finds, smallest, *found, pools[pool], limit);
        }
    }
    return sizes.empty() || sizes.front().empty() ? std::nullopt : std::optional(sizes.front().front().index);
}

bool isDecided(const SearchFinds& finds, int kind, int nodes)
{
    const bool quickEnough = std::any_of(finds.layouts.cbegin(), finds.layouts.cend(), [&](const FoundLayout& one) {
        return one.stepSeconds <= stepLimits.front() && nodes > farthest * one.layout.nodes
            && finds.planOf(one).kind == kind;
    });
    if (!quickEnough)
        return false;
    const std::vector<double> smallest = smallestSpeeds(finds);
    const std::vector<Pool> pools = poolsOf(finds, CountedSizes(finds));
    if (pools.empty() || pools.front().offloading || pools.front().lastResorts)
        return false;
    const auto counts = [&](const FoundLayout& one) {
        return finds.planOf(one).kind == kind && nodes > farthest * one.layout.nodes
            && inPool(finds, one, pools.front()) && isUsualSize(one.layout.nodes, finds.globalBatch);
    };
    const std::vector<SizeBest> sizes = bestOfSizes(finds, counts);
    return std::any_of(sizes.cbegin(), sizes.cend(), [&](const SizeBest& one) {
        const FoundLayout& layout = finds.layouts[one.index];
        return layout.stepSeconds <= stepLimits.front()
            && speedOfOne(layout) >= worthItsGpus * smallest[std::size_t(kind)];
    });
}

namespace {

/// What of a design a recommendation depends on.
JobSpec relevantOf(const JobSpec& spec)
{
    JobSpec relevant = spec;
    relevant.name.clear();
    relevant.reservation.reset();
    relevant.environment = {};
    relevant.options = {};
    relevant.options.qos = spec.options.qos;
    relevant.options.constraint = spec.options.constraint;
    relevant.monitor = {};
    relevant.workdir.reset();
    relevant.overrides.clear();
    return relevant;
}

struct Remembered {
    JobSpec spec;
    ClusterProfile profile;
    std::optional<Candidate> best;
};

constexpr std::size_t mostRemembered = 16;

} // namespace

std::optional<Candidate> recommendedFor(const ResolvedSpec& soFar, const ClusterProfile& profile)
{
    thread_local std::vector<Remembered> memory; // one edit asks many times about the same design
    const JobSpec spec = relevantOf(soFar.spec);
    for (const Remembered& one : memory) {
        if (one.spec == spec && one.profile == profile)
            return one.best;
    }
    SearchLimits limits;
    limits.kept = Kept::Named;
    limits.onlyRecommended = true;
    limits.top = 1;
    const auto found = searchLayouts(soFar, planBatch(soFar), profile, limits);
    std::optional<Candidate> best;
    if (found && !found->candidates.isEmpty() && found->opened.isEmpty())
        best = found->candidates.first();
    if (memory.size() >= mostRemembered)
        memory.erase(memory.begin());
    memory.push_back({spec, profile, best});
    return best;
}

} // namespace rankwright::inline planner
