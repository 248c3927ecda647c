// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/layoutsearch.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/commandfigures.h"
#include "models/planner/design/recommendation.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/stagelayers.h"

#include <QElapsedTimer>

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr qint64 largestMicro = 256;
// Megatron-LM's advice: "use CP when sequence length >= 8K" (022bcb5, megatron/core/transformer/moe/README.md).
constexpr qint64 shortestContext = 8192;
// Chunks are tried where stages would otherwise wait for this share of the time.
constexpr double leastWaiting = 0.02;

/// Why a layout is not a candidate; order of the texts below.
enum Reason {
    Memory,
    NearLimit,
    Batch,
    Heads,
    HostMemory,
    Size,
    Layers,
    Sequence,
    MicroBatch,
    Experts,
    Accumulation,
    ReasonCount
};

QString textOf(Reason reason, const QString& partition)
{
    switch (reason) {
    case Memory: return u"need more memory than there is"_s;
    case NearLimit: return u"come too close to the limit of the memory"_s;
    case Batch: return u"cannot split the global batch over their data-parallel ranks"_s;
    case Heads: return u"cannot split the attention heads over their tensor ranks"_s;
    case HostMemory: return u"offload more than the node's memory holds"_s;
    case Size:
        return partition.isEmpty() ? u"sizes that no partition takes"_s
                                   : u"sizes that %1 does not take"_s.arg(partition);
    case Layers: return u"cannot split the layers into their stages"_s;
    case Sequence: return u"cannot split the sequence over their context ranks"_s;
    case MicroBatch: return u"cannot split the global batch into micro-batches of this size"_s;
    case Experts: return u"cannot share out the experts over their ranks"_s;
    case Accumulation: return u"need several passes a step, which the stack does not do with this optimiser step"_s;
    case ReasonCount: break;
    }
    return {};
}

/// The two models of one plan and what one size of it found.
struct PlanModels {
    PlanModels(const SearchPlan& from, const GpuFigures& gpu, const Calibration& learned)
        : plan(&from), memory(from.workload, *from.stack, gpu), time(from.workload, *from.stack, gpu),
          calibration(learned)
    { }
    const SearchPlan* plan;
    MemoryModel memory;
    TimeModel time;
    Calibration calibration;
};

/// What of the design each layout has to have.
struct Fixed {
    std::optional<int> tensor, pipeline, context, expert, chunks;
    std::optional<qint64> micro;
};

/// One search of one kind of node: walks sizes, plans and degrees; the inner loop is arithmetic only.
class LayoutSearch {
public:
    LayoutSearch(int kind, const ClusterProfile& profile, const SearchLimits& limits,
        const CalibrationTable& calibrations, SearchFinds& finds)
        : m_kind(kind), m_limits(limits), m_finds(finds), m_resolved(finds.kinds[std::size_t(kind)].resolved),
          m_base(finds.kinds[std::size_t(kind)].base), m_global(finds.globalBatch)
    {
        SearchPlans ways = searchPlans(finds.kinds[std::size_t(kind)], limits.kept);
        m_plans = std::move(ways.plans);
        m_leftOut = ways.leftOut;
        const JobSpec& spec = m_resolved.spec;
        if (limits.kept != Kept::Machine) {
            if (spec.resources.nodes.value_or(0) > 0 && limits.maxNodes == 0)
                m_limits.onlyNodes = m_resolved.nodes;
            if (spec.resources.gpusPerNode.value_or(0) > 0)
                m_limits.onlyGpusPerNode = m_resolved.gpusPerNode;
            else if (m_limits.onlyNodes > 0)
                m_limits.onlyGpusPerNode = qMax(1, m_resolved.node.gpus);
        }
        const CommandBatch command = commandBatch(spec);
        if (command.micro && !spec.training.microBatch)
            m_fixed.micro = command.micro->count();
        if (limits.kept == Kept::Named) {
            m_fixed.tensor = spec.parallel.tensor;
            m_fixed.pipeline = spec.parallel.pipeline;
            m_fixed.context = spec.parallel.context;
            m_fixed.expert = spec.parallel.expert;
            m_fixed.chunks = spec.parallel.virtualStages;
            if (spec.training.microBatch.value_or(0) > 0)
                m_fixed.micro = spec.training.microBatch;
        }
        // A design that names its size and no batch: one sample on each rank, as the batch plan takes it.
        if (m_limits.onlyNodes > 0 && m_global == 0 && !m_fixed.micro && limits.kept != Kept::Machine)
            m_fixed.micro = 1;
        qint64 refused = 0;
        m_sizes = searchSizes(m_resolved, profile, m_limits, m_global, refused);
        m_rejected[Size] = refused;
        m_models.reserve(m_plans.size());
        for (SearchPlan& plan : m_plans) {
            plan.kind = kind;
            m_models.emplace_back(
                plan, m_base.gpu, learnedFor(calibrations, profile, m_resolved.node, m_base.workload, *plan.stack));
        }
        const ModelShape& shape = m_base.workload.shape;
        for (const int stages : m_fixed.pipeline ? std::vector<int>{*m_fixed.pipeline} : stagesFor(shape)) {
            const bool even = stages > 0 && pipelineLayers(shape) % stages == 0;
            m_stages.push_back({stages, even || m_fixed.pipeline, chunksOf(shape, stages, StageCuts::Even),
                chunksOf(shape, stages, StageCuts::Any)});
        }
        for (const Stages& cut : m_stages)
            m_unevenStages += cut.even ? 0 : 1;
        m_experts = m_fixed.expert ? std::vector<int>{*m_fixed.expert} : expertDegreesFor(shape);
        const bool longContext = m_base.workload.sequence >= shortestContext;
        m_contexts = m_fixed.context ? std::vector<int>{*m_fixed.context}
            : longContext            ? std::vector<int>{1, 2, 4, 8, 16}
                                     : std::vector<int>{1};
        m_firstPlan = int(finds.plans.size());
        finds.plans.insert(finds.plans.end(), m_plans.cbegin(), m_plans.cend());
    }

    void run()
    {
        // Without offloading first: what follows is for models that fit nowhere else, on no other kind of node either.
        walk(false);
        const bool fits = std::any_of(m_finds.layouts.cbegin(), m_finds.layouts.cend(),
            [this](const FoundLayout& one) { return m_finds.planOf(one).workload.offload == Offload::None; });
        if (!m_limits.onlyRecommended || !fits)
            walk(true);
    }

    qint64 examined() const { return m_examined; }
    bool wasCancelled() const { return m_cancelled; }
    const QStringList& leftOut() const { return m_leftOut; }
    qint64 rejected(Reason reason) const { return m_rejected[reason]; }

private:
    void walk(bool offloading)
    {
        int nodes = 0;
        for (const SearchSize& size : m_sizes) {
            if (m_limits.cancelled != nullptr && m_limits.cancelled->load(std::memory_order_relaxed)) {
                m_cancelled = true;
                break;
            }
            if (m_limits.onlyRecommended && size.nodes != nodes && isDecided(m_finds, m_kind, size.nodes))
                break;
            nodes = size.nodes;
            for (std::size_t plan = 0; plan < m_models.size(); ++plan) {
                if ((m_plans[plan].workload.offload != Offload::None) == offloading)
                    trySize(size, plan);
            }
        }
    }

    void trySize(const SearchSize& size, std::size_t index)
    {
        const SearchPlan& plan = m_plans[index];
        const bool single = plan.strategy == Strategy::Single;
        if (single != (size.gpus() == 1) || (plan.strategy == Strategy::Hsdp && size.nodes == 1))
            return; // one GPU is "single", several are not; HSDP on one node is FSDP
        const bool needsTensor = plan.strategy == Strategy::Tensor || plan.strategy == Strategy::ThreeD;
        const bool needsStages = plan.strategy == Strategy::Pipeline || plan.strategy == Strategy::ThreeD;
        const int most = plan.tensor ? size.gpusPerNode : 1;
        for (int power = 0; (1 << power) <= most; ++power) {
            const int tensor = 1 << power;
            if (m_fixed.tensor && tensor != *m_fixed.tensor)
                continue;
            if (size.gpusPerNode % tensor != 0 || (tensor == 1 && needsTensor))
                continue;
            if (!splitsHeads(tensor)) {
                ++m_rejected[Heads];
                continue;
            }
            if (plan.pipeline && !plan.uneven)
                m_rejected[Layers] += m_unevenStages;
            for (const Split& split : splitsOf(size, power)) {
                const Stages& cut = m_stages[split.stages];
                const int context = m_contexts[split.context];
                if (cut.count > 1 && !plan.pipeline)
                    break;
                if ((cut.count == 1 && needsStages) || (!cut.even && !plan.uneven) || (context > 1 && !plan.context))
                    continue;
                if (!split.sequence) {
                    ++m_rejected[Sequence];
                    continue;
                }
                if (!split.batch && !plan.experts) {
                    ++m_rejected[Batch];
                    continue;
                }
                m_chunks = !plan.chunks ? nullptr : plan.uneven ? &cut.unevenChunks : &cut.evenChunks;
                Layout layout;
                layout.nodes = size.nodes;
                layout.gpusPerNode = size.gpusPerNode;
                layout.tensor = tensor;
                layout.pipeline = cut.count;
                layout.context = context;
                layout.data = split.data;
                applyDefaults(plan.defaults, layout);
                if (plan.experts)
                    tryExperts(size, index, layout);
                else
                    tryBatches(size, index, layout);
            }
        }
    }

    bool splitsHeads(int tensor) const
    {
        const ModelShape& shape = m_base.workload.shape;
        return tensor == 1 || (shape.heads % tensor == 0 && shape.kvHeads % tensor == 0 && shape.ffn % tensor == 0);
    }

    /// What stages and context ranks leave of a size, beside certain tensor ranks.
    struct Split {
        std::size_t stages = 0, context = 0; ///< places in the lists
        int data = 0;
        bool sequence = true, batch = true; ///< these can be split so
    };

    /// Those that come out even, in the order of the lists; worked out once for all plans of a size. `power`: of two,
    /// the tensor ranks.
    const std::vector<Split>& splitsOf(const SearchSize& size, int power)
    {
        if (m_splitsOf != &size) {
            m_splitsOf = &size;
            for (TensorSplits& each : m_splits)
                each.known = false;
        }
        if (std::size_t(power) >= m_splits.size())
            m_splits.resize(std::size_t(power) + 1);
        TensorSplits& splits = m_splits[std::size_t(power)];
        if (splits.known)
            return splits.all;
        splits.known = true;
        splits.all.clear();
        const int gpus = size.gpus();
        for (std::size_t stages = 0; stages < m_stages.size() && m_stages[stages].count > 0; ++stages) {
            if (m_stages[stages].count > gpus >> power)
                break; // stages ascend
            const int without = m_stages[stages].count << power;
            for (std::size_t at = 0; at < m_contexts.size(); ++at) {
                const int context = m_contexts[at];
                if (context < 1 || without > gpus / context || gpus % (without * context) != 0)
                    continue;
                const int data = gpus / (without * context);
                const bool sequence = context == 1 || m_base.workload.sequence % (2 * context) == 0;
                splits.all.push_back({stages, at, data, sequence, splitsBatch(data)});
            }
        }
        return splits.all;
    }

    void tryExperts(const SearchSize& size, std::size_t index, Layout layout)
    {
        const qint64 ranks = qint64(layout.data) * layout.context * layout.tensor / layout.expertSplit();
        for (const int expert : m_experts) {
            if (expert < 1 || ranks % expert != 0) {
                ++m_rejected[Experts];
                continue;
            }
            layout.expert = expert;
            tryBatches(size, index, layout);
        }
    }

    bool splitsBatch(int data) const { return m_global <= 0 || m_global % data == 0; }

    void tryBatches(const SearchSize& size, std::size_t index, Layout layout)
    {
        if (!splitsBatch(layout.data)) {
            ++m_rejected[Batch];
            return;
        }
        const qint64 share = m_global > 0 ? m_global / layout.data : qMax(largestMicro, m_fixed.micro.value_or(1));
        if (m_fixed.micro && (*m_fixed.micro < 1 || share % *m_fixed.micro != 0) && m_global > 0) {
            ++m_rejected[MicroBatch];
            return;
        }
        const qint64 most = m_fixed.micro ? *m_fixed.micro : qMin(share, largestMicro);
        for (qint64 micro = m_fixed.micro.value_or(1); micro <= most; micro *= 2) {
            if (m_global > 0 && share % micro != 0)
                break;
            layout.microBatch = micro;
            // With an open batch a pipeline is given enough micro-batches to be worth while.
            layout.accumulation = m_global > 0 ? share / micro : layout.pipeline > 1 ? 4 * layout.pipeline : 1;
            if (m_plans[index].oneOff && layout.accumulation > 1) {
                ++m_rejected[Accumulation];
                continue;
            }
            const bool isCut = layout.virtualStages > 1 || layout.firstLayers > 0 || layout.lastLayers > 0;
            if (isCut && !checkSpread(m_base.workload, layout)) { // as the design asks for it
                ++m_rejected[Layers];
                continue;
            }
            if (!tryLayout(size, index, layout))
                break;
            tryChunks(size, index, layout);
        }
    }

    /// The same with interleaved chunks, which need micro-batches in groups of the stages, more memory, and pay where
    /// stages wait.
    void tryChunks(const SearchSize& size, std::size_t index, Layout layout)
    {
        if (m_chunks == nullptr || layout.virtualStages > 1 || layout.accumulation % layout.pipeline != 0
            || layout.pipeline - 1 < leastWaiting * double(layout.accumulation))
            return;
        layout.schedule = PipelineSchedule::Interleaved;
        for (const int chunks : *m_chunks) {
            layout.virtualStages = chunks;
            if (chunks > 1)
                tryLayout(size, index, layout);
        }
    }

    std::vector<int> chunksOf(const ModelShape& shape, int stages, StageCuts cuts) const
    {
        if (m_fixed.chunks)
            return {1};
        return stages > 0 ? chunksFor(shape, stages, cuts) : std::vector<int>{1};
    }

    /// False when a larger micro-batch cannot fit either.
    bool tryLayout(const SearchSize& size, std::size_t index, const Layout& layout)
    {
        const PlanModels& models = m_models[index];
        ++m_examined;
        const MemoryEstimate memory = calibrated(models.memory.withoutBand(layout), models.calibration);
        if (!mayRun(memory)) {
            ++m_rejected[memory.verdict == FitVerdict::DoesNotFit ? Memory : NearLimit];
            return false;
        }
        if (memory.hostBytesPerNode > size.hostBytes) {
            ++m_rejected[HostMemory];
            return false;
        }
        const StepEstimate step = calibrated(models.time.estimate(layout), models.calibration);
        FoundLayout found;
        found.plan = m_firstPlan + int(index);
        found.layout = layout;
        found.partition = size.partition;
        found.billedGpus = size.billedGpus;
        found.memoryBytes = memory.totalBytes;
        found.usableBytes = memory.usableBytes;
        found.verdict = memory.verdict;
        found.stepSeconds = step.seconds;
        found.computeShare = step.seconds > 0 ? step.parts.compute / step.seconds : 0;
        found.tokensPerSecond = step.tokensPerSecondPerGpu * size.gpus();
        found.mfu = step.mfu;
        found.perHour = size.perHour;
        m_finds.layouts.push_back(found);
        return true;
    }

    int m_kind;
    int m_firstPlan = 0;
    SearchLimits m_limits;
    SearchFinds& m_finds;
    const ResolvedSpec& m_resolved;
    const PlannedRun& m_base;
    std::vector<SearchPlan> m_plans;
    QStringList m_leftOut;
    std::vector<PlanModels> m_models;
    std::vector<SearchSize> m_sizes;
    struct Stages {
        int count = 1;
        bool even = true;
        std::vector<int> evenChunks, unevenChunks;
    };
    std::vector<Stages> m_stages;
    std::vector<int> m_experts;
    const std::vector<int>* m_chunks = nullptr; ///< of the stages that are being tried
    std::vector<int> m_contexts;
    qint64 m_unevenStages = 0; ///< entries of m_stages that are not even
    struct TensorSplits {
        bool known = false;
        std::vector<Split> all;
    };
    std::vector<TensorSplits> m_splits; ///< by powers of two, of the size ...
    const SearchSize* m_splitsOf = nullptr; ///< ... that is being tried
    std::array<qint64, ReasonCount> m_rejected{};
    Fixed m_fixed;
    qint64 m_global = 0; ///< 0: open
    qint64 m_examined = 0;
    bool m_cancelled = false;
};

/// Names of what the design says beside its size, for the sentence why it could not be kept.
QString namedWays(const JobSpec& spec)
{
    QStringList ways;
    if (spec.parallel.strategy)
        ways.append(strategyName(*spec.parallel.strategy));
    if (spec.parallel.tensor || spec.parallel.pipeline || spec.parallel.context || spec.parallel.expert
        || spec.parallel.virtualStages)
        ways.append(u"these degrees"_s);
    if (spec.training.microBatch)
        ways.append(u"micro-batch %1"_s.arg(*spec.training.microBatch));
    if (spec.training.activationCheckpointing)
        ways.append(u"recomputation “%1”"_s.arg(toText(*spec.training.activationCheckpointing)));
    if (spec.training.offload)
        ways.append(u"offload “%1”"_s.arg(toText(*spec.training.offload)));
    return ways.join(u", "_s);
}

bool namesSize(const JobSpec& spec) { return spec.resources.nodes || spec.resources.gpusPerNode; }

SearchResult searchOnce(const std::vector<SearchKind>& kinds, const ClusterProfile& profile, const SearchLimits& limits,
    const CalibrationTable& calibrations, const Candidate* asNamed = nullptr)
{
    SearchResult result;
    result.objective = limits.objective;
    SearchFinds finds;
    finds.kinds = kinds;
    const ResolvedSpec& resolved = kinds.front().resolved;
    result.partition = resolved.spec.partition.value_or(QString());
    // The batch as asked, whatever this design's own ranks make of it.
    const auto asked = resolved.spec.training.globalBatch;
    const auto passed = commandBatch(resolved.spec).global;
    finds.globalBatch = asked && *asked > 0 ? *asked : passed ? passed->count().value_or(0) : 0;
    std::array<qint64, ReasonCount> rejected{};
    for (int kind = 0; kind < int(finds.kinds.size()); ++kind) {
        LayoutSearch search(kind, profile, limits, calibrations, finds);
        search.run();
        result.examined += search.examined();
        result.cancelled = result.cancelled || search.wasCancelled();
        for (const QString& sentence : search.leftOut()) {
            if (!result.notes.contains(sentence))
                result.notes.append(sentence);
        }
        for (int reason = 0; reason < ReasonCount; ++reason)
            rejected[std::size_t(reason)] += search.rejected(Reason(reason));
    }
    applyDemands(finds, limits, result);
    result.feasible = qint64(finds.layouts.size());
    rankLayouts(finds, profile, limits, asNamed, result);
    for (int reason = 0; reason < ReasonCount; ++reason) {
        if (rejected[std::size_t(reason)] > 0)
            result.rejected.append({textOf(Reason(reason), result.partition), rejected[std::size_t(reason)]});
    }
    std::stable_sort(result.rejected.begin(), result.rejected.end(),
        [](const Rejection& a, const Rejection& b) { return a.count > b.count; });
    return result;
}

/// With the strategy opened where nothing fits with it.
SearchResult searchIn(const std::vector<SearchKind>& kinds, const ClusterProfile& profile, const SearchLimits& limits,
    const CalibrationTable& calibrations, const Candidate* asNamed = nullptr)
{
    SearchResult result = searchOnce(kinds, profile, limits, calibrations, asNamed);
    const QString named = namedWays(kinds.front().resolved.spec);
    if (result.feasible > 0 || limits.kept != Kept::Named || limits.onlyRecommended || named.isEmpty())
        return result;
    SearchLimits wider = limits;
    wider.kept = Kept::Size;
    SearchResult opened = searchOnce(kinds, profile, wider, calibrations);
    if (opened.feasible == 0)
        return result;
    const QString why
        = result.rejected.isEmpty() ? u"nothing fits"_s : u"all layouts "_s + result.rejected.first().reason;
    opened.opened = u"With %1 %2: these layouts change it."_s.arg(named, why);
    return opened;
}

} // namespace

Result<SearchResult> searchLayouts(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const SearchLimits& limits, const CalibrationTable& calibrations)
{
    QElapsedTimer timer;
    timer.start();
    const Result<PlannedRun> base = planRun(resolved, batch, profile);
    if (!base)
        return fail(base.error());
    const std::vector<SearchKind> kinds = searchKinds(resolved, batch, *base, profile);
    // A search of everything marks what one of all that the design names recommends.
    std::optional<Candidate> asNamed;
    if (limits.kept == Kept::Machine && (!namedWays(resolved.spec).isEmpty() || namesSize(resolved.spec))) {
        SearchLimits narrow = limits;
        narrow.kept = Kept::Named;
        narrow.objective = Objective::Recommended;
        narrow.usualSizes = true;
        narrow.top = 1;
        narrow.perSize = 0;
        const SearchResult found = searchIn(kinds, profile, narrow, calibrations);
        if (!found.candidates.isEmpty())
            asNamed = found.candidates.first();
    }
    SearchResult result = searchIn(kinds, profile, limits, calibrations, asNamed ? &*asNamed : nullptr);
    result.elapsedSeconds = double(timer.nsecsElapsed()) * 1e-9;
    return result;
}

QString toText(Objective objective)
{
    switch (objective) {
    case Objective::Recommended: return u"recommended"_s;
    case Objective::Time: return u"time"_s;
    case Objective::Cost: return u"cost"_s;
    case Objective::Nodes: return u"nodes"_s;
    }
    return {};
}

std::optional<Objective> objectiveFrom(const QString& text)
{
    for (const Objective one : {Objective::Recommended, Objective::Time, Objective::Cost, Objective::Nodes}) {
        if (toText(one) == text)
            return one;
    }
    return std::nullopt;
}

void Candidate::applyTo(JobSpec& spec) const
{
    if (needsPartition)
        spec.partition = partition;
    spec.resources.nodes = layout.nodes;
    spec.resources.gpusPerNode = layout.gpusPerNode;
    spec.resources.cpusPerGpu.reset(); // shares of the new size
    spec.resources.memoryPerNode.reset();
    spec.parallel.strategy = strategy;
    const auto degree = [](int value) { return value > 1 ? std::optional(value) : std::nullopt; };
    const bool layers = strategy == Strategy::Tensor || strategy == Strategy::Pipeline || strategy == Strategy::ThreeD;
    spec.parallel.tensor = layers ? std::optional(layout.tensor) : degree(layout.tensor);
    spec.parallel.pipeline = layers ? std::optional(layout.pipeline) : degree(layout.pipeline);
    spec.parallel.context = degree(layout.context);
    const auto shape = namedModel(spec);
    spec.parallel.expert = shape && shape->experts > 0 ? std::optional(layout.expert) : std::nullopt;
    spec.parallel.expertTensor.reset();
    spec.parallel.virtualStages = degree(layout.virtualStages);
    spec.parallel.firstStageLayers = layout.firstLayers > 0 ? std::optional(layout.firstLayers) : std::nullopt;
    spec.parallel.lastStageLayers = layout.lastLayers > 0 ? std::optional(layout.lastLayers) : std::nullopt;
    spec.training.microBatch = layout.microBatch;
    spec.training.globalBatch = layout.globalBatch();
    spec.training.activationCheckpointing = checkpointingOf(recompute);
    spec.training.offload = offload == Offload::None ? std::nullopt : std::optional(offload);
    if (spec.training.framework)
        spec.training.framework = stack;
}

} // namespace rankwright::inline planner
