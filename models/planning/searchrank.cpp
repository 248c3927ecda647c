// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planning/searchrank.h"

#include "models/core/quantitytext.h"
#include "models/design/cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// Differences below a per cent are no difference: the simpler layout goes first.
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

/// What the user's money buys: the whole training where the data set is known, else a round amount of data.
struct Purchase {
    double samples = 0;
    QString text;
};

Purchase purchaseOf(const ResolvedSpec& resolved, const PlannedRun& base)
{
    const auto& training = resolved.spec.training;
    if (training.datasetSamples && *training.datasetSamples > 0) {
        const double epochs = training.epochs.value_or(1) > 0 ? training.epochs.value_or(1) : 1;
        return {double(*training.datasetSamples) * epochs, u"the whole training"_s};
    }
    const auto family = base.workload.shape.family;
    if (family == ModelFamily::Convolution || family == ModelFamily::Vision)
        return {1e6, u"10⁶ images"_s};
    return {1e9 / double(qMax<qint64>(1, base.workload.sequence)), u"10⁹ tokens"_s};
}

/// Seconds and money for one sample: what layouts with different batches are compared by.
struct Score {
    double seconds = 0;
    double money = std::numeric_limits<double>::infinity();
    double nodes = 0;
    int effort = 0;
};

Score scoreOf(const FoundLayout& found, const std::vector<SearchPlan>& plans)
{
    Score score;
    score.seconds = found.stepSeconds / double(qMax<qint64>(1, found.layout.globalBatch()));
    if (found.perHour >= 0)
        score.money = score.seconds / 3600 * found.perHour;
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

// Layouts whose GPUs do less than this share of what they do in the smallest layouts follow behind the others.
constexpr double worthItsGpus = 0.5;

/// Speed of one GPU in the best of the layouts with fewest GPUs.
double bestSmall(const std::vector<FoundLayout>& found)
{
    int fewest = std::numeric_limits<int>::max();
    double best = 0;
    for (const FoundLayout& one : found) {
        const int gpus = one.layout.gpus();
        if (gpus > fewest)
            continue;
        best = std::max(gpus < fewest ? 0.0 : best, one.tokensPerSecond / gpus);
        fewest = gpus;
    }
    return best;
}

double efficiencyOf(const FoundLayout& one, double best)
{
    return best > 0 ? one.tokensPerSecond / one.layout.gpus() / best : 1;
}

using Key = std::array<qint64, 5>;

Key keyOf(const Score& score, Objective objective, double efficiency)
{
    const qint64 time = bucket(score.seconds), money = bucket(score.money), nodes = qint64(score.nodes);
    if (objective == Objective::Cost && std::isfinite(score.money))
        return {0, money, time, nodes, score.effort};
    if (objective == Objective::Nodes)
        return {0, nodes, time, score.effort, money};
    return {efficiency < worthItsGpus, time, money, score.effort, nodes};
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

Candidate candidateOf(const FoundLayout& found, const std::vector<SearchPlan>& plans, const Purchase& purchase)
{
    const SearchPlan& plan = plans[std::size_t(found.plan)];
    Candidate candidate;
    candidate.strategy = plan.strategy;
    candidate.stack = plan.framework;
    candidate.layout = found.layout;
    candidate.recompute = plan.workload.recompute;
    candidate.offload = plan.workload.offload;
    candidate.memoryBytes = found.memoryBytes;
    candidate.usableBytes = found.usableBytes;
    candidate.verdict = found.verdict;
    candidate.stepSeconds = found.stepSeconds;
    candidate.computeShare = found.computeShare;
    candidate.tokensPerSecond = found.tokensPerSecond;
    candidate.mfu = found.mfu;
    if (found.perHour >= 0)
        candidate.cost = found.perHour / 3600 * found.stepSeconds * purchase.samples
            / double(qMax<qint64>(1, found.layout.globalBatch()));
    candidate.why = whyOf(candidate);
    candidate.assumes = assumptionsOf(plan.strategy, plan.workload, found.layout);
    return candidate;
}

/// Indices of the fastest layout of every price level that no cheaper one beats, fastest first.
std::vector<std::size_t> paretoOf(const std::vector<Score>& scores)
{
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(scores[a].seconds, scores[a].money) < std::pair(scores[b].seconds, scores[b].money);
    });
    std::vector<std::size_t> front;
    double cheapest = std::numeric_limits<double>::infinity();
    for (const std::size_t index : order) {
        if (scores[index].money < cheapest * (1 - sameWithin)) {
            front.push_back(index);
            cheapest = scores[index].money;
        }
    }
    return front;
}

} // namespace

void rankLayouts(const std::vector<FoundLayout>& found, const std::vector<SearchPlan>& plans,
    const ResolvedSpec& resolved, const PlannedRun& base, const ClusterProfile& profile, const SearchLimits& limits,
    SearchResult& result)
{
    const Purchase purchase = purchaseOf(resolved, base);
    result.costOf = purchase.text;
    const CostQuote quote = quoteCost(resolved, profile);
    if (quote.billingAccounts && !quote.billingAccounts->isEmpty())
        result.costUnit = quote.billingAccounts->first().unit;
    const double best = bestSmall(found);
    std::vector<Score> scores;
    std::vector<Key> keys;
    scores.reserve(found.size());
    keys.reserve(found.size());
    for (const FoundLayout& one : found) {
        scores.push_back(scoreOf(one, plans));
        keys.push_back(keyOf(scores.back(), limits.objective, efficiencyOf(one, best)));
    }
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : scores[a].seconds < scores[b].seconds;
    });
    const std::vector<std::size_t> front = paretoOf(scores);
    for (const std::size_t index : front) {
        result.pareto.append(candidateOf(found[index], plans, purchase));
        result.pareto.last().pareto = true;
        result.pareto.last().efficiency = efficiencyOf(found[index], best);
    }
    QHash<int, int> ofSize;
    for (const std::size_t index : order) {
        if (result.candidates.size() >= limits.top)
            break;
        if (limits.perSize > 0 && ++ofSize[found[index].layout.gpus()] > limits.perSize)
            continue;
        result.candidates.append(candidateOf(found[index], plans, purchase));
        result.candidates.last().efficiency = efficiencyOf(found[index], best);
        result.candidates.last().pareto = std::find(front.begin(), front.end(), index) != front.end();
    }
}

} // namespace rankwright
