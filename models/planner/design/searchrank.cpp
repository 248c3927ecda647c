// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/searchrank.h"

#include "models/core/paretofront.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/assumptions.h"
#include "models/planner/design/cost.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/recommendation.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/design/trainingtime.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// Differences below one per cent do not count: the simpler layout goes first.
constexpr double sameWithin = 0.01;

int effort(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single: return 0;
    case Strategy::Ddp:
    case Strategy::Horovod: return 1;
    case Strategy::Zero1: return 2;
    case Strategy::Fsdp: return 3;
    case Strategy::Hsdp: return 4;
    case Strategy::Zero2: return 5;
    case Strategy::Zero3: return 6;
    case Strategy::Tensor: return 7;
    case Strategy::Pipeline: return 8;
    case Strategy::ThreeD: return 9;
    }
    return 10;
}

/// Seconds and money for one sample: what layouts with different batches are compared by.
struct Score {
    double seconds = 0;
    double money = std::numeric_limits<double>::infinity();
    double nodes = 0;
    double stepSeconds = 0;
    double gpuSeconds = 0; ///< of GPUs that other jobs cannot use meanwhile
    int effort = 0;
};

Score scoreOf(const FoundLayout& found, const std::vector<SearchPlan>& plans)
{
    Score score;
    score.seconds = found.stepSeconds / double(qMax<qint64>(1, found.layout.globalBatch()));
    if (found.perHour)
        score.money = score.seconds / 3600 * *found.perHour;
    score.stepSeconds = found.stepSeconds;
    score.gpuSeconds = score.seconds * found.billedGpus;
    score.nodes = found.layout.nodes * 64.0 + found.layout.gpusPerNode;
    score.effort = effort(plans[std::size_t(found.plan)].strategy);
    return score;
}

qint64 bucket(double value)
{
    if (!(value > 0) || !std::isfinite(value))
        return std::numeric_limits<qint64>::max();
    return qint64(std::floor(std::log(value) / std::log1p(sameWithin)));
}

double speedPerGpu(const FoundLayout& one) { return one.tokensPerSecond / one.layout.gpus(); }

double efficiencyOf(const SearchFinds& finds, const FoundLayout& one, const std::vector<double>& smallest)
{
    const double best = smallest[std::size_t(finds.planOf(one).kind)];
    return best > 0 ? qMin(1.0, speedPerGpu(one) / best) : 1;
}

using Key = std::array<qint64, 5>;

Key keyOf(const Score& score, Objective objective, double efficiency, bool published)
{
    const qint64 time = bucket(score.seconds), money = bucket(published ? score.money : score.gpuSeconds),
                 nodes = qint64(score.nodes);
    if (objective == Objective::Cost)
        return {0, money, time, nodes, score.effort};
    if (objective == Objective::Nodes)
        return {0, nodes, time, score.effort, money};
    if (objective == Objective::Recommended)
        return {efficiency<worthItsGpus, score.stepSeconds> 60, money, time, score.effort};
    return {efficiency < worthItsGpus, time, money, score.effort, nodes};
}

/// Where a layout stands in the ranking.
struct Place {
    Key key;
    double seconds = 0;
    std::size_t index = 0;
};

/// As a design says it.
Offload offloadOf(const Workload& workload)
{
    return workload.offload == Offload::None && workload.offloadActivations ? Offload::Activations : workload.offload;
}

QString whyOf(const Candidate& candidate)
{
    const Layout& layout = candidate.layout;
    QString where = layout.sharding == Sharding::Full ? u"states sharded over %1 ranks"_s.arg(
                        layout.shardGroup > 0 ? layout.shardGroup : layout.data * layout.context)
        : layout.sharding == Sharding::None ? u"a whole copy of the states on each data-parallel rank"_s
                                            : u"optimiser states split over %1 ranks"_s.arg(layout.data);
    if (layout.tensor > 1)
        where += u", each layer over %1"_s.arg(layout.tensor);
    if (layout.pipeline > 1)
        where += u", %1 stages"_s.arg(layout.pipeline);
    return u"%1: %2 of %3; %4 of the step computes."_s.arg(where, gibFigure(candidate.memoryBytes),
        gibText(candidate.usableBytes), percentText(100 * candidate.computeShare));
}

/// Of all that the purchase names.
TrainingTime timeOf(const SearchFinds& finds, const FoundLayout& found, const Purchase& purchase)
{
    const PlannedRun& base = finds.kindOf(found).base;
    // Weights in 16 bit, master weights and two moments (ZeRO paper, arXiv 1910.02054, section 3.1), of what is
    // trained.
    const double bytes = 14.0 * double(base.parameters.total) * base.workload.trainedFraction;
    const double computing = found.stepSeconds * purchase.samples / double(qMax<qint64>(1, found.layout.globalBatch()));
    return wholeTraining(computing, bytes, found.layout.nodes, found.layout.gpus(),
        found.partition != nullptr ? found.partition->maxTimeFor(found.layout.nodes) : std::nullopt);
}

Candidate candidateOf(
    const SearchFinds& finds, const FoundLayout& found, const ClusterProfile& profile, const Purchase& purchase)
{
    const SearchPlan& plan = finds.planOf(found);
    Candidate candidate;
    candidate.cluster = profile.name;
    candidate.partition = found.partition != nullptr ? found.partition->name : QString();
    const ResolvedSpec& resolved = finds.kindOf(found).resolved;
    const bool isOpen = !resolved.spec.partition && resolved.spec.options.qos.value_or(QString()).isEmpty()
        && resolved.spec.options.constraint.value_or(QString()).isEmpty();
    if (isOpen && found.partition != nullptr) {
        const PartitionRequest request{found.layout.nodes, found.layout.gpusPerNode, resolved.time,
            resolved.spec.account.value_or(QString()).trimmed()};
        candidate.needsPartition = choosePartition(request, profile).partition != found.partition;
    }
    candidate.gpu = finds.kindOf(found).resolved.node.gpu.model;
    candidate.strategy = plan.strategy;
    candidate.stack = plan.framework;
    candidate.layout = found.layout;
    candidate.recompute = plan.workload.recompute;
    candidate.offload = offloadOf(plan.workload);
    candidate.assumes = assumptionsOf(plan.strategy, plan.workload, found.layout);
    candidate.memoryBytes = found.memoryBytes;
    candidate.usableBytes = found.usableBytes;
    candidate.verdict = found.verdict;
    candidate.stepSeconds = found.stepSeconds;
    candidate.computeShare = found.computeShare;
    candidate.tokensPerSecond = found.tokensPerSecond;
    candidate.mfu = found.mfu;
    const TrainingTime time = timeOf(finds, found, purchase);
    candidate.totalSeconds = time.seconds;
    if (found.perHour) {
        candidate.cost = *found.perHour / 3600 * time.computing;
        candidate.totalCost = *found.perHour / 3600 * time.seconds;
    }
    return candidate;
}

QString shareText(double ratio)
{
    return ratio < 1 ? u"%1 less"_s.arg(percentText(100 * (1 - ratio), 0))
                     : u"%1 more"_s.arg(percentText(100 * (ratio - 1), 0));
}

QString timesText(double ratio) { return humanNumber(ratio, ratio < 10 ? 1 : 0) + u" times"_s; }

/// What a layout costs and brings beside the recommended one: "1.4 times the GPU-hours for 30 % less time".
QString besideText(const Candidate& one, const Candidate& recommended, const QString& unit)
{
    const double time = *one.totalSeconds / qMax(1e-9, *recommended.totalSeconds);
    const bool priced = one.cost && recommended.cost && *recommended.cost > 0;
    const double price
        = priced ? *one.cost / *recommended.cost : time * one.layout.gpus() / qMax(1, recommended.layout.gpus());
    const QString money = priced && !unit.isEmpty() ? unit : u"GPU-hours"_s;
    const QString cost
        = qAbs(price - 1) < 0.05 ? u"the same %1"_s.arg(money) : u"%1 the %2"_s.arg(timesText(price), money);
    if (qAbs(time - 1) < 0.05)
        return u"%1 for the same time"_s.arg(cost);
    return u"%1 for %2 time"_s.arg(cost, shareText(time));
}

/// One sentence: why this layout is listed, then what it does.
void wordCandidate(Candidate& one, const Candidate* recommended, bool first, Objective objective, const QString& unit)
{
    QString role;
    if (one.recommended) {
        const QString step = humanNumber(one.stepSeconds, 2);
        role = one.efficiency < 1 ? u"Recommended: %1 of the efficiency of the best small layout, a step of %2 s"_s.arg(
                   percentText(100 * one.efficiency, 0), step)
                                  : u"Recommended: as efficient as the best small layout, a step of %1 s"_s.arg(step);
    } else if (recommended != nullptr) {
        const QString beside = besideText(one, *recommended, unit);
        role = !first                      ? beside
            : objective == Objective::Time ? u"Fastest: "_s + beside
            : objective == Objective::Cost ? u"Cheapest: "_s + beside
                                           : u"Fewest nodes: "_s + beside;
    }
    one.why = role.isEmpty() ? whyOf(one) : role + u"; "_s + whyOf(one);
}

/// What two layouts that differ in trifles have in common: they differ in micro-batch or recomputation alone.
using Shape = std::tuple<int, int, int, int, int, int, int, int>;
constexpr double trifle = 0.05; // of the time

Shape shapeOf(const SearchFinds& finds, const FoundLayout& one)
{
    const SearchPlan& plan = finds.planOf(one);
    return {plan.kind, one.layout.nodes, one.layout.gpusPerNode, int(plan.strategy), one.layout.tensor,
        one.layout.pipeline, one.layout.context, int(plan.workload.offload)};
}

/// The same layout among those found.
std::optional<std::size_t> indexOf(const SearchFinds& finds, const Candidate& one)
{
    for (std::size_t index = 0; index < finds.layouts.size(); ++index) {
        const FoundLayout& found = finds.layouts[index];
        const SearchPlan& plan = finds.planOf(found);
        if (found.layout == one.layout && plan.strategy == one.strategy && plan.framework == one.stack
            && plan.workload.recompute == one.recompute && offloadOf(plan.workload) == one.offload
            && found.partition != nullptr && found.partition->name == one.partition)
            return index;
    }
    return std::nullopt;
}

/// What is charged for another program than the user's, and what it decides; empty: nothing.
QString programText(const SearchFinds& finds, const std::vector<double>& smallest, std::size_t recommended)
{
    const FoundLayout& taken = finds.layouts[recommended];
    const QString charge = percentText(100 * ownProgramIsWorth, 0);
    if (finds.planOf(taken).replacesProgram)
        return u" A program of %1 takes the place of yours, which counts as %2 slower."_s.arg(
            titleOf(finds.planOf(taken).framework), charge);
    const bool any = std::any_of(finds.layouts.cbegin(), finds.layouts.cend(),
        [&](const FoundLayout& one) { return finds.planOf(one).replacesProgram; });
    const auto uncharged = any ? recommendedOf(finds, smallest, 0) : std::nullopt;
    if (!uncharged || *uncharged == recommended)
        return {};
    const FoundLayout& other = finds.layouts[*uncharged];
    const double times = speedPerGpu(other) / qMax(1e-9, speedPerGpu(taken));
    return u" %1 with %2 on %3 would come first (each GPU does %4 of this), but takes the place of your program, which counts as %5 slower."_s
        .arg(titleOf(finds.planOf(other).framework), strategyName(finds.planOf(other).strategy),
            gpusText(other.layout.gpus(), u"GPU"_s), percentText(100 * times, 0), charge);
}

} // namespace

Purchase purchaseOf(const ResolvedSpec& resolved, const PlannedRun& base)
{
    const auto& training = resolved.spec.training;
    const auto family = base.workload.shape.family;
    const bool images = family == ModelFamily::Convolution || family == ModelFamily::Vision;
    const auto samples
        = images && !training.datasetSamples ? std::nullopt : samplesOf(training, base.workload.sequence);
    if (samples && *samples > 0) {
        const double epochs = training.epochs.value_or(1) > 0 ? training.epochs.value_or(1) : 1;
        return {*samples * epochs, u"the whole training"_s};
    }
    if (images)
        return {1e6, u"10⁶ images"_s};
    return {1e9 / double(qMax<qint64>(1, base.workload.sequence)), u"10⁹ tokens"_s};
}

void applyDemands(SearchFinds& finds, const SearchLimits& limits, SearchResult& result)
{
    if ((!limits.withinSeconds && !limits.budget) || finds.kinds.empty())
        return;
    const Purchase purchase = purchaseOf(finds.kinds.front().resolved, finds.kinds.front().base);
    qint64 slow = 0, dear = 0;
    std::vector<FoundLayout> kept;
    for (const FoundLayout& one : finds.layouts) {
        const double seconds = timeOf(finds, one, purchase).seconds;
        const double perHour = one.perHour.value_or(one.billedGpus);
        if (limits.withinSeconds && seconds > *limits.withinSeconds)
            ++slow;
        else if (limits.budget && perHour * seconds / 3600 > *limits.budget)
            ++dear;
        else
            kept.push_back(one);
    }
    finds.layouts = std::move(kept);
    if (slow > 0)
        result.rejected.append(
            {u"take longer than %1 for %2"_s.arg(humanDuration(Seconds{qint64(*limits.withinSeconds)}), purchase.text),
                slow});
    if (dear > 0)
        result.rejected.append(
            {u"cost more than %1 for %2"_s.arg(humanNumber(*limits.budget, 2), purchase.text), dear});
}

void rankLayouts(const SearchFinds& finds, const ClusterProfile& profile, const SearchLimits& limits,
    const Candidate* asNamed, SearchResult& result)
{
    const std::vector<FoundLayout>& found = finds.layouts;
    const ResolvedSpec& resolved = finds.kinds.front().resolved;
    const Purchase purchase = purchaseOf(resolved, finds.kinds.front().base);
    result.costOf = purchase.text;
    const CostQuote quote = quoteCost(resolved, profile);
    if (quote.billingAccounts && !quote.billingAccounts->isEmpty())
        result.costUnit = quote.billingAccounts->first().unit;
    const std::vector<double> smallest = smallestSpeeds(finds);
    const auto recommendedAt = asNamed != nullptr ? indexOf(finds, *asNamed) : recommendedOf(finds, smallest);
    const auto make = [&](std::size_t index) {
        Candidate one = candidateOf(finds, found[index], profile, purchase);
        one.efficiency = efficiencyOf(finds, found[index], smallest);
        one.recommended = index == recommendedAt;
        return one;
    };
    std::optional<Candidate> recommended;
    if (recommendedAt)
        recommended = make(*recommendedAt);
    else if (asNamed != nullptr)
        recommended = *asNamed;
    if (limits.onlyRecommended) {
        if (recommended) {
            wordCandidate(*recommended, nullptr, true, limits.objective, result.costUnit);
            result.candidates.append(*recommended);
        }
        return;
    }
    std::vector<Score> scores;
    std::vector<Place> places;
    scores.reserve(found.size());
    places.reserve(found.size());
    const bool published
        = std::all_of(found.cbegin(), found.cend(), [](const FoundLayout& one) { return one.perHour.has_value(); });
    for (const FoundLayout& one : found) {
        scores.push_back(scoreOf(one, finds.plans));
        places.push_back({keyOf(scores.back(), limits.objective, efficiencyOf(finds, one, smallest), published),
            scores.back().seconds, places.size()});
    }
    if (!published && limits.objective != Objective::Nodes && limits.objective != Objective::Time)
        result.notes.append(
            u"%1 publishes no price for these layouts: GPU-hours are compared in its place."_s.arg(profile.title));
    std::sort(places.begin(), places.end(),
        [](const Place& a, const Place& b) { return a.key != b.key ? a.key < b.key : a.seconds < b.seconds; });
    std::vector<std::size_t> order;
    order.reserve(places.size());
    for (const Place& place : places)
        order.push_back(place.index);
    if (limits.objective == Objective::Recommended && recommendedAt) {
        order.erase(std::find(order.begin(), order.end(), *recommendedAt));
        order.insert(order.begin(), *recommendedAt);
    } else if (limits.objective == Objective::Recommended && recommended) {
        result.candidates.append(*recommended);
    }
    const QString program = recommendedAt ? programText(finds, smallest, *recommendedAt) : QString();
    for (const FoundLayout& one : found) {
        if (finds.planOf(one).workload.offload == Offload::None)
            continue;
        const QString assumed = hostMemoryOf(finds.kindOf(one).resolved.node).assumed;
        if (!assumed.isEmpty())
            result.notes.append(
                u"%1 does not publish the memory of its nodes: offloading may use %2."_s.arg(profile.title, assumed));
        break;
    }
    std::vector<TimeAndMoney> prices;
    prices.reserve(scores.size());
    for (const Score& score : scores)
        prices.push_back({score.seconds, score.money});
    const std::vector<std::size_t> front = paretoFront(prices, sameWithin);
    const Candidate* beside = recommended ? &*recommended : nullptr;
    for (const std::size_t index : front) {
        result.pareto.append(make(index));
        result.pareto.last().pareto = true;
        wordCandidate(result.pareto.last(), beside, false, limits.objective, result.costUnit);
    }
    QHash<int, int> ofSize;
    std::map<Shape, double> kept; // seconds for a sample
    for (const std::size_t index : order) {
        if (result.candidates.size() >= limits.top)
            break;
        const auto [known, isNew] = kept.try_emplace(shapeOf(finds, found[index]), scores[index].seconds);
        if (!isNew && qAbs(scores[index].seconds / known->second - 1) < trifle) {
            ++result.folded;
            continue;
        }
        if (limits.perSize > 0 && ++ofSize[found[index].layout.gpus()] > limits.perSize)
            continue;
        result.candidates.append(make(index));
        result.candidates.last().pareto = std::find(front.begin(), front.end(), index) != front.end();
        wordCandidate(
            result.candidates.last(), beside, result.candidates.size() == 1, limits.objective, result.costUnit);
        if (index == recommendedAt)
            result.candidates.last().why += program;
    }
}

} // namespace rankwright::inline planner
