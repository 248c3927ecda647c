// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planning/searchspace.h"

#include "models/design/cost.h"
#include "models/design/partitionchoice.h"
#include "models/design/strategyname.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostSearched = 10000; // nodes; as resolve() clamps

/// What a framework can do; an open framework means the usual stack of each strategy.
struct StackWays {
    Framework framework;
    QList<Strategy> strategies;
};

QList<Strategy> strategiesOf(const std::optional<Framework>& framework)
{
    static const QList<StackWays> ways{
        {Framework::Pytorch, {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Hsdp}},
        {Framework::Fsdp2, {Strategy::Fsdp, Strategy::Hsdp}}, {Framework::Fsdp1, {Strategy::Fsdp, Strategy::Hsdp}},
        {Framework::Deepspeed, {Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::MegatronCore, {Strategy::Ddp, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD}},
        {Framework::MegatronDeepspeed, {Strategy::Zero1, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD}},
        {Framework::Nemo, {Strategy::Ddp, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD}},
        {Framework::HfTrainer,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::Torchtune, {Strategy::Single, Strategy::Fsdp}}, {Framework::Unsloth, {Strategy::Single}},
        {Framework::Trl,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::Peft,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::Axolotl,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::LlamaFactory,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::MsSwift,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}},
        {Framework::Litgpt, {Strategy::Single, Strategy::Fsdp}},
        {Framework::Lightning,
            {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3}}};
    if (framework) {
        for (const StackWays& one : ways) {
            if (*framework == one.framework)
                return one.strategies;
        }
    }
    return {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Hsdp, Strategy::Zero1, Strategy::Zero2,
        Strategy::Zero3, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD};
}

bool canOffload(Strategy strategy, Framework stack)
{
    if (strategy == Strategy::Zero2 || strategy == Strategy::Zero3)
        return true;
    return strategy == Strategy::Fsdp && stack != Framework::Fsdp1;
}

void addVariants(std::vector<SearchPlan>& plans, const SearchPlan& plain, bool transformer)
{
    QList<Recompute> ways{Recompute::None};
    if (transformer)
        ways << recomputeOf(ActivationCheckpointing::Selective, plain.framework) << Recompute::Full;
    for (const Recompute way : ways) {
        plans.push_back(plain);
        plans.back().workload.recompute = way;
    }
}

/// How large a job this partition takes; 0: no limit is published.
int mostNodesOf(const Partition& partition)
{
    if (partition.maxNodes)
        return *partition.maxNodes;
    return partition.nodes.value_or(0);
}

} // namespace

int mostNodes(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (resolved.spec.partition) {
        const int limit = mostNodesOf(resolved.partitionInfo);
        return limit > 0 ? limit : qMax(1, resolved.nodes);
    }
    int most = resolved.nodes;
    for (const Partition& partition : profile.partitions) {
        if (partition.offered == Partition::Offer::Normal)
            most = qMax(most, mostNodesOf(partition));
    }
    return most;
}

namespace {

bool worthTrying(int nodes, int last, bool every)
{
    if (every || nodes <= 16 || nodes == last)
        return true;
    const int odd = nodes >> std::min(30, __builtin_ctz(static_cast<unsigned>(nodes)));
    return odd == 1 || odd == 3;
}

/// Whether so many nodes exist at all, as far as the entry says.
bool hasNodes(const Partition& partition, int nodes, const ClusterProfile& profile)
{
    const NodeShape* shape = profile.nodeShape(partition.name);
    const auto count = partition.nodes ? partition.nodes : shape ? shape->count : std::nullopt;
    return nodes <= count.value_or(nodes);
}

/// The partition that a size would run in; null when none takes it.
const Partition* partitionFor(const ResolvedSpec& resolved, const ClusterProfile& profile, int nodes, int gpus)
{
    const PartitionRequest request{nodes, gpus, resolved.time};
    if (resolved.spec.partition) {
        const QString obstacle = partitionObstacle(request, resolved.partitionInfo, resolved.node);
        return obstacle.isEmpty() && hasNodes(resolved.partitionInfo, nodes, profile) ? &resolved.partitionInfo
                                                                                      : nullptr;
    }
    const PartitionChoice choice = choosePartition(request, profile);
    return choice.fits && hasNodes(*choice.partition, nodes, profile) ? choice.partition : nullptr;
}

} // namespace

std::vector<SearchPlan> searchPlans(const ResolvedSpec& resolved, const PlannedRun& base)
{
    const auto& framework = resolved.spec.training.framework;
    const bool transformer = base.workload.shape.family != ModelFamily::Convolution;
    std::vector<SearchPlan> plans;
    for (const Offload offload : {Offload::None, Offload::OptimizerStates, Offload::OptimizerAndParameters}) {
        for (const Strategy strategy : strategiesOf(framework)) {
            if (splitsLayers(strategy) && !transformer)
                continue;
            const Framework name
                = framework && *framework != Framework::Pytorch ? *framework : usualStack(strategy, resolved.launcher);
            SearchPlan plan{strategy, name, trainingStack(toText(name)), base.workload,
                defaultsOf(strategy, name, base.workload.shape.experts), false, false, false};
            if (plan.stack == nullptr)
                continue;
            if (offload != Offload::None && !canOffload(strategy, name))
                continue;
            if (offload == Offload::OptimizerStates && strategy == Strategy::Fsdp)
                continue; // FSDP offloads shards as a whole
            if (offload == Offload::OptimizerAndParameters && strategy == Strategy::Zero2)
                continue;
            plan.workload.offload = offload;
            const bool titan = strategy == Strategy::Fsdp && name == Framework::Fsdp2 && transformer;
            plan.tensor = strategy == Strategy::Tensor || strategy == Strategy::ThreeD || titan;
            plan.pipeline = strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
            plan.context = titan || strategy == Strategy::ThreeD || strategy == Strategy::Tensor;
            addVariants(plans, plan, transformer);
        }
    }
    return plans;
}

std::vector<SearchSize> searchSizes(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const SearchLimits& limits, bool every, qint64& refused)
{
    const int most = qBound(1,
        limits.onlyNodes > 0      ? limits.onlyNodes
            : limits.maxNodes > 0 ? limits.maxNodes
                                  : mostNodes(resolved, profile),
        mostSearched);
    const int full = qMax(1, resolved.node.gpus > 0 ? resolved.node.gpus : resolved.gpusPerNode);
    std::vector<SearchSize> sizes;
    for (int nodes = qMax(1, limits.onlyNodes); nodes <= most; ++nodes) {
        if (!worthTrying(nodes, most, every))
            continue;
        for (const int gpus : divisorsOf(full, full)) {
            if (limits.onlyGpusPerNode > 0 ? gpus != limits.onlyGpusPerNode : nodes > 1 && gpus != full)
                continue; // parts of several nodes, unasked: slower links for the same price
            const Partition* partition = partitionFor(resolved, profile, nodes, gpus);
            if (partition == nullptr) {
                ++refused;
                continue;
            }
            SearchSize size{nodes, gpus, std::nullopt};
            const bool whole = !partition->shared || gpus == full;
            const int cores = whole ? resolved.node.usableCores : resolved.node.coresPerGpu.value_or(1) * gpus;
            const Bytes memory = whole || !resolved.node.memoryPerGpu ? resolved.node.memory
                                                                      : Bytes{resolved.node.memoryPerGpu->count * gpus};
            const CostQuote quote = quoteCost(profile, partition->name, nodes, gpus, cores, memory, 1);
            if (quote.billingAccounts && !quote.billingAccounts->isEmpty())
                size.perHour = quote.billingAccounts->first().perHour;
            sizes.push_back(size);
        }
    }
    return sizes;
}

std::vector<int> divisorsOf(qint64 number, int most)
{
    std::vector<int> divisors;
    for (int i = 1; i <= most && i <= number; ++i) {
        if (number % i == 0)
            divisors.push_back(i);
    }
    return divisors;
}

} // namespace rankwright
