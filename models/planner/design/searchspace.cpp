// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/searchspace.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/core/quantitytext.h"
#include "models/planner/design/costformula.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/estimate/stagelayers.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr int mostSearched = 10000; // nodes; as resolve() clamps

/// The strategies that a design leaves to the search, by the table of stacks; an open framework means the usual stack
/// of each.
QList<Strategy> strategiesOf(const ResolvedSpec& resolved)
{
    const auto& framework = resolved.spec.training.framework;
    const auto& launcher = resolved.spec.launcher;
    QList<Strategy> known{Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Hsdp, Strategy::Zero1,
        Strategy::Zero2, Strategy::Zero3, Strategy::Tensor, Strategy::Pipeline, Strategy::ThreeD};
    if (!framework && launcher == Launcher::Horovod)
        return {Strategy::Horovod};
    if (!framework && launcher == Launcher::Deepspeed)
        known = {Strategy::Zero1, Strategy::Zero2, Strategy::Zero3};
    if (!framework && (launcher == Launcher::Lightning || launcher == Launcher::Accelerate))
        known = {Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero1, Strategy::Zero2, Strategy::Zero3};
    known.removeIf([&](Strategy strategy) {
        const Framework stack = framework.value_or(usualStack(strategy, resolved.launcher));
        // torchtitan splits layers beside its sharding: FSDP with a tensor degree
        return supportOf(stack, strategy) != Support::Yes || (stack == Framework::Fsdp2 && splitsLayers(strategy));
    });
    return known;
}

/// What a strategy of a stack may keep in the node's memory.
bool canOffload(Strategy strategy, Framework stack, Offload offload)
{
    const bool sharded = strategy == Strategy::Zero2 || strategy == Strategy::Zero3 || strategy == Strategy::Fsdp;
    // FSDP offloads shards as a whole, ZeRO-2 has whole weights.
    const bool whole = offload == Offload::OptimizerAndParameters;
    if (!sharded || (strategy == Strategy::Fsdp && !whole) || (strategy == Strategy::Zero2 && whole))
        return false;
    const QList<StackFeature> features = featuresOf(offload);
    return std::all_of(features.cbegin(), features.cend(),
        [&](StackFeature feature) { return supportOf(toText(stack), feature) == Support::Yes; });
}

/// What a design trains, with the habits of another stack and strategy than its own.
Workload workloadWith(const SearchKind& kind, Strategy strategy, Framework stack)
{
    ResolvedSpec resolved = kind.resolved;
    resolved.strategy = strategy;
    resolved.spec.training.framework = stack;
    resolved.offload = resolved.spec.training.offload;
    BatchPlan batch;
    batch.microBatch = batch.gradientAccumulation = 1;
    return planTraining(resolved, batch, kind.base.workload.shape).workload;
}

/// Where the script can ask the program to recompute, only ways for which it does.
bool isWritten(ResolvedSpec resolved, Strategy strategy, Recompute way)
{
    resolved.strategy = strategy;
    return way == Recompute::None || !writesRecomputing(resolved, ActivationCheckpointing::Full)
        || writesRecomputing(resolved, checkpointingOf(way));
}

void addVariants(std::vector<SearchPlan>& plans, const SearchPlan& plain, bool transformer,
    const std::optional<ActivationCheckpointing>& named, const ResolvedSpec& resolved)
{
    QList<Recompute> ways{Recompute::None};
    if (named)
        ways = {recomputeOf(*named, plain.framework)};
    else if (transformer)
        ways << recomputeOf(ActivationCheckpointing::Selective, plain.framework) << Recompute::Full;
    for (const Recompute way : ways) {
        if (!named && !isWritten(resolved, plain.strategy, way))
            continue;
        plans.push_back(plain);
        plans.back().workload.recompute = way;
        if (!resolved.offload)
            plans.back().workload.offloadActivations = offloadsByHabit(plain.framework, way);
    }
}

/// The design itself says in which queue it runs.
bool isPinned(const ResolvedSpec& resolved)
{
    const auto& options = resolved.spec.options;
    return resolved.spec.partition || !options.qos.value_or(QString()).isEmpty()
        || !options.constraint.value_or(QString()).isEmpty();
}

QString accountOf(const ResolvedSpec& resolved) { return resolved.spec.account.value_or(QString()).trimmed(); }

constexpr int mostAssumed = 256; // nodes of a job where no limit is published

/// How large a job this partition takes, as far as it says.
int mostNodesOf(const Partition& partition, const ClusterProfile& profile)
{
    const NodeShape* shape = profile.nodeShape(partition.name);
    const int gpus = shape != nullptr ? qMax(1, shape->gpus) : 1;
    std::optional<int> most;
    const auto atMost = [&most](std::optional<int> limit) {
        if (limit)
            most = qMin(most.value_or(*limit), *limit);
    };
    atMost(partition.maxNodes);
    atMost(partition.nodes ? partition.nodes : shape != nullptr ? shape->count : std::nullopt);
    for (const auto& limit : {partition.maxGpusPerJob, partition.maxGpusPerUser}) {
        if (limit)
            atMost(*limit / gpus);
    }
    return qMax(1, most.value_or(mostAssumed));
}

} // namespace

int mostNodesOffered(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const int named = resolved.spec.resources.nodes.value_or(1);
    if (isPinned(resolved))
        return qMax(mostNodesOf(resolved.partitionInfo, profile), named);
    int most = named;
    for (const Partition& partition : profile.partitions) {
        if (partition.offered == Partition::Offer::Normal || partition.offered == Partition::Offer::Last)
            most = qMax(most, mostNodesOf(partition, profile));
    }
    return most;
}

bool isUsualSize(int nodes, qint64 globalBatch)
{
    constexpr int mostRecommended = 256;
    if (nodes > mostRecommended)
        return false;
    const int odd = nodes >> __builtin_ctz(static_cast<unsigned>(qMax(1, nodes)));
    return nodes <= 16 || odd == 1 || odd == 3 || (globalBatch > 0 && globalBatch % nodes == 0);
}

NodeMemory hostMemoryOf(const NodeShape& node)
{
    const double gpus = qMax(1, node.gpus);
    NodeMemory host;
    if (node.knowsMemory()) {
        host.bytes = double(node.memory.count);
    } else if (node.memoryPerGpu) {
        host.bytes = double(node.memoryPerGpu->count) * gpus;
    } else if (node.installedMemory) {
        host.bytes = leastUsableMemory * double(node.installedMemory->count);
        host.assumed = u"%1 of the %2 that are installed, as little as any site leaves to jobs"_s.arg(
            gibText(host.bytes), gibText(double(node.installedMemory->count)));
    } else {
        const auto least = leastHostBytesPerGpu(node.gpu.model);
        const double each = least.value_or(double(node.gpu.memory.count));
        host.bytes = each * gpus;
        host.assumed = u"%1 for each %2, %3"_s.arg(gibText(each), node.gpu.word,
            least ? u"the least of the sites with this GPU"_s : u"as much as it has itself"_s);
    }
    return host;
}

NodeMemory hostMemoryShare(const NodeShape& node, int gpus)
{
    NodeMemory host = hostMemoryOf(node);
    const double share = node.memoryPerGpu ? double(node.memoryPerGpu->count) : host.bytes / qMax(1, node.gpus);
    host.bytes = qMin(host.bytes, share * gpus);
    return host;
}

std::vector<SearchKind> searchKinds(
    const ResolvedSpec& resolved, const BatchPlan& batch, const PlannedRun& base, const ClusterProfile& profile)
{
    std::vector<SearchKind> kinds{{resolved, base}};
    if (isPinned(resolved))
        return kinds;
    for (const Partition& partition : profile.partitions) {
        const NodeShape* node = profile.nodeShape(partition.name);
        const bool offered
            = partition.offered == Partition::Offer::Normal || partition.offered == Partition::Offer::Last;
        const bool known = node == nullptr || std::any_of(kinds.cbegin(), kinds.cend(), [&](const SearchKind& one) {
            return one.resolved.node.name == node->name;
        });
        if (!offered || known || node->gpus < 1)
            continue;
        SearchKind kind{resolved, {}};
        kind.resolved.node = *node;
        kind.resolved.partition = partition.name;
        kind.resolved.partitionInfo = partition;
        const auto& training = resolved.spec.training;
        kind.resolved.precision = training.precision.value_or(usualPrecision(profile, *node, training.framework));
        const auto run = planRun(kind.resolved, batch, profile);
        if (!run)
            continue;
        kind.base = *run;
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

namespace {

bool worthTrying(int nodes, int last, const SearchLimits& limits, qint64 globalBatch)
{
    if (limits.onlyRecommended || limits.usualSizes)
        return limits.onlyNodes > 0 || isUsualSize(nodes, globalBatch);
    if (globalBatch > 0 || nodes <= 16 || nodes == last)
        return true;
    const int odd = nodes >> std::min(30, __builtin_ctz(static_cast<unsigned>(nodes)));
    return odd == 1 || odd == 3;
}

/// How many nodes exist at all, as far as the entry says.
std::optional<int> nodesOf(const Partition& partition, const NodeShape* shape)
{
    return partition.nodes ? partition.nodes : shape != nullptr ? shape->count : std::nullopt;
}

/// The partition that each size would run in: what does not depend on the size is looked up once.
class SizePartitions {
public:
    SizePartitions(const ResolvedSpec& resolved, const ClusterProfile& profile)
        : m_request{1, {}, resolved.time, accountOf(resolved), resolved.node.name}
    {
        if (!isPinned(resolved)) {
            m_usable = usablePartitions(m_request, profile);
            return;
        }
        m_pinned = {&resolved.partitionInfo, &resolved.node};
        m_pinnedNodes = nodesOf(resolved.partitionInfo, profile.nodeShape(resolved.partitionInfo.name));
    }

    /// Null when none takes it.
    const Partition* of(int nodes, int gpus)
    {
        m_request.nodes = nodes;
        m_request.gpusPerNode = gpus;
        if (m_pinned.partition != nullptr)
            return takesRequest(m_request, *m_pinned.partition, *m_pinned.node)
                    && nodes <= m_pinnedNodes.value_or(nodes)
                ? m_pinned.partition
                : nullptr;
        const UsablePartition* found = fittingPartition(m_request, m_usable);
        return found != nullptr && nodes <= nodesOf(*found->partition, found->node).value_or(nodes) ? found->partition
                                                                                                    : nullptr;
    }

private:
    PartitionRequest m_request;
    UsablePartition m_pinned; ///< the one that the design names
    std::optional<int> m_pinnedNodes;
    std::vector<UsablePartition> m_usable; ///< else
};

/// What an hour of a size costs, and what offloading may use of its nodes.
class SizePrices {
public:
    SizePrices(const ResolvedSpec& resolved, const ClusterProfile& profile) : m_node(resolved.node), m_profile(profile)
    { }

    std::optional<double> perHour(const SearchSize& size, bool whole)
    {
        if (size.partition != m_partition) {
            m_partition = size.partition;
            const auto rules = rulesFor(m_profile, m_partition->name);
            m_rule = rules.isEmpty() ? nullptr : rules.first();
        }
        if (m_rule == nullptr)
            return std::nullopt;
        const int gpus = size.gpusPerNode;
        const int cores = whole ? m_node.usableCores : m_node.coresPerGpu.value_or(1) * gpus;
        const Bytes memory = whole || !m_node.memoryPerGpu ? m_node.memory : Bytes{m_node.memoryPerGpu->count * gpus};
        return pricePerHour(*m_rule, {{}, size.nodes, gpus, cores, memory.inGib()});
    }

    double hostBytes(bool whole, int gpus)
    {
        if (whole) {
            if (!m_whole)
                m_whole = hostMemoryOf(m_node).bytes;
            return *m_whole;
        }
        return hostMemoryShare(m_node, gpus).bytes;
    }

private:
    const NodeShape& m_node;
    const ClusterProfile& m_profile;
    const Partition* m_partition = nullptr;
    const BillingRule* m_rule = nullptr;
    std::optional<double> m_whole;
};

} // namespace

SearchPlans searchPlans(const SearchKind& kind, Kept kept)
{
    const JobSpec& spec = kind.resolved.spec;
    const PlannedRun& base = kind.base;
    const bool named = kept == Kept::Named;
    JobSpec::Parallel asked = spec.parallel;
    if (!named) {
        asked.expert.reset();
        asked.virtualStages.reset();
        asked.firstStageLayers.reset();
        asked.lastStageLayers.reset();
    }
    const auto& framework = spec.training.framework;
    const bool transformer = base.workload.shape.family != ModelFamily::Convolution;
    QList<Strategy> strategies = strategiesOf(kind.resolved);
    if (named && spec.parallel.strategy)
        strategies = {*spec.parallel.strategy};
    QList<Offload> offloads{Offload::None, Offload::OptimizerStates, Offload::OptimizerAndParameters};
    if (named && spec.training.offload)
        offloads = {*spec.training.offload == Offload::Activations ? Offload::None : *spec.training.offload};
    const auto checkpointing = named ? spec.training.activationCheckpointing : std::nullopt;
    const bool isOwnProgram
        = !framework && !spec.parallel.strategy && !isMegatronProgram(spec.command.value_or(QString()));
    QList<StackFeature> asks;
    for (const StackNeed& need : needsBesideLayout(spec)) {
        if (need.field != field::offload)
            asks.append(need.feature);
    }
    SearchPlans found;
    std::vector<SearchPlan>& plans = found.plans;
    const auto can
        = [](Framework stack, StackFeature feature) { return supportOf(toText(stack), feature) == Support::Yes; };
    for (const Offload offload : std::as_const(offloads)) {
        for (const Strategy strategy : std::as_const(strategies)) {
            if (splitsLayers(strategy) && !transformer)
                continue;
            const Framework name = framework && *framework != Framework::Pytorch
                ? *framework
                : usualStack(strategy, kind.resolved.launcher);
            SearchPlan plan{strategy, name, trainingStack(toText(name)), workloadWith(kind, strategy, name),
                defaultsOf(strategy, name, base.workload.shape.experts, asked), false, false, false};
            if (plan.stack == nullptr)
                continue;
            if (const auto obstacle = stackObstacle(name, base.gpu.gpuClass, featuresOf(strategy) + asks)) {
                const QString sentence = u"%1 with %2 is left out: %3 (%4)."_s.arg(
                    titleOf(name), strategyName(strategy), obstacle->text, obstacle->source);
                if (!found.leftOut.contains(sentence))
                    found.leftOut.append(sentence);
                continue;
            }
            if (offload != Offload::None && !canOffload(strategy, name, offload))
                continue;
            plan.workload.offload = offload;
            plan.replacesProgram = isOwnProgram && splitsLayers(strategy);
            const bool layers = splitsLayers(strategy);
            const bool titan = strategy == Strategy::Fsdp && name == Framework::Fsdp2 && transformer;
            plan.tensor = strategy == Strategy::Tensor || strategy == Strategy::ThreeD
                || (titan && can(name, StackFeature::Tensor));
            plan.pipeline = strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
            plan.context = (titan || (layers && strategy != Strategy::Pipeline)) && can(name, StackFeature::Context);
            plan.chunks = plan.pipeline && can(name, StackFeature::VirtualStages);
            plan.uneven = plan.pipeline && can(name, StackFeature::UnevenStages);
            plan.oneOff = asks.contains(StackFeature::OptimizerInBackward)
                && clashAmong(toText(name), asks + QList{StackFeature::Accumulation});
            plan.experts = base.workload.shape.experts > 0
                && (plan.defaults.experts > 0 || (titan && trainerOf(kind.resolved) == Trainer::Titan));
            addVariants(plans, plan, transformer, checkpointing, kind.resolved);
        }
    }
    return found;
}

std::vector<SearchSize> searchSizes(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const SearchLimits& limits, qint64 globalBatch, qint64& refused)
{
    const int most = qBound(1,
        limits.onlyNodes > 0      ? limits.onlyNodes
            : limits.maxNodes > 0 ? limits.maxNodes
                                  : mostNodesOffered(resolved, profile),
        mostSearched);
    const int full = qMax(1, resolved.node.gpus > 0 ? resolved.node.gpus : resolved.gpusPerNode);
    const std::vector<int> parts
        = limits.onlyGpusPerNode > 0 ? std::vector<int>{limits.onlyGpusPerNode} : divisorsOf(full, full);
    SizePartitions partitions(resolved, profile);
    SizePrices prices(resolved, profile);
    std::vector<SearchSize> sizes;
    for (int nodes = qMax(1, limits.onlyNodes); nodes <= most; ++nodes) {
        if (!worthTrying(nodes, most, limits, globalBatch))
            continue;
        for (const int gpus : parts) {
            if (limits.onlyGpusPerNode == 0 && nodes > 1 && gpus != full)
                continue; // parts of several nodes, unasked: slower links for the same price
            const Partition* partition = partitions.of(nodes, gpus);
            if (partition == nullptr) {
                ++refused;
                continue;
            }
            SearchSize size{nodes, gpus, partition, std::nullopt};
            const bool whole = !partition->shared || gpus == full;
            size.billedGpus = double(nodes) * (whole ? full : gpus);
            size.hostBytes = prices.hostBytes(whole, gpus);
            size.perHour = prices.perHour(size, whole);
            sizes.push_back(size);
        }
    }
    return sizes;
}

std::vector<int> stagesFor(const ModelShape& shape)
{
    constexpr int mostStages = 512;
    const int layers = pipelineLayers(shape);
    std::vector<int> stages = divisorsOf(shape.layers, mostStages);
    for (int power = 1; power <= qMin(layers, mostStages); power *= 2) {
        for (const int count : {power, 3 * power}) {
            Layout layout;
            layout.pipeline = count;
            if (count <= qMin(layers, mostStages) && checkStageLayers(layers, layout))
                stages.push_back(count);
        }
    }
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    return stages;
}

std::vector<int> chunksFor(const ModelShape& shape, int stages, StageCuts cuts)
{
    const int layers = pipelineLayers(shape);
    std::vector<int> chunks{1};
    if (stages < 2)
        return chunks;
    for (const int count : {2, 4, 5, 8, 10, layers / stages}) {
        if (count < 2 || qint64(stages) * count > layers)
            continue;
        Layout layout;
        layout.pipeline = stages;
        layout.virtualStages = count;
        const bool isEven = layers % (stages * count) == 0;
        const bool known = std::find(chunks.begin(), chunks.end(), count) != chunks.end();
        if (!known && (isEven || (cuts == StageCuts::Any && checkStageLayers(layers, layout))))
            chunks.push_back(count);
    }
    std::sort(chunks.begin(), chunks.end());
    return chunks;
}

std::vector<int> expertDegreesFor(const ModelShape& shape)
{
    return shape.experts > 0 ? divisorsOf(shape.experts, shape.experts) : std::vector<int>{1};
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

} // namespace rankwright::inline planner
