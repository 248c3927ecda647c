// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planning/layoutsearch.h"

#include "models/planning/searchrank.h"
#include "models/planning/searchspace.h"

#include <QElapsedTimer>

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr qint64 largestMicro = 256;

/// Why a layout is no candidate; order of the texts below.
enum Reason { Memory, NearLimit, Batch, Heads, HostMemory, Size, Layers, Sequence, ReasonCount };

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

/// One search: walks sizes, plans and degrees; the inner loop is arithmetic only.
class LayoutSearch {
public:
    LayoutSearch(const ResolvedSpec& resolved, const ClusterProfile& profile, const SearchLimits& limits,
        const PlannedRun& base, const CalibrationTable& calibrations)
        : m_limits(limits), m_base(base), m_plans(searchPlans(resolved, base))
    {
        const auto asked = resolved.spec.training.globalBatch;
        m_global = asked && *asked > 0 ? *asked : 0; // as asked: what this design's own ranks make of it is no matter
        qint64 refused = 0;
        m_sizes = searchSizes(resolved, profile, limits, m_global > 0, refused);
        m_rejected[Size] = refused;
        m_hostBytes = double(resolved.node.memory.count);
        m_models.reserve(m_plans.size());
        for (const SearchPlan& plan : m_plans)
            m_models.emplace_back(
                plan, base.gpu, learnedFor(calibrations, profile, resolved.node, base.workload, *plan.stack));
        const ModelShape& shape = base.workload.shape;
        m_stages = divisorsOf(shape.layers, 512);
        const bool longContext = base.workload.sequence >= 16384;
        m_contexts = longContext ? std::vector<int>{1, 2, 4, 8, 16} : std::vector<int>{1};
    }

    std::vector<FoundLayout> run()
    {
        for (const SearchSize& size : m_sizes) {
            if (m_limits.cancelled != nullptr && m_limits.cancelled->load(std::memory_order_relaxed)) {
                m_cancelled = true;
                break;
            }
            for (std::size_t plan = 0; plan < m_models.size(); ++plan)
                trySize(size, plan);
        }
        return std::move(m_found);
    }

    qint64 examined() const { return m_examined; }
    bool wasCancelled() const { return m_cancelled; }
    const std::vector<SearchPlan>& plans() const { return m_plans; }
    qint64 rejected(Reason reason) const { return m_rejected[reason]; }

private:
    void trySize(const SearchSize& size, std::size_t index)
    {
        const SearchPlan& plan = m_plans[index];
        const bool single = plan.strategy == Strategy::Single;
        if (single != (size.gpus() == 1) || (plan.strategy == Strategy::Hsdp && size.nodes == 1))
            return; // one GPU is "single", several are not; HSDP on one node is FSDP
        const ModelShape& shape = m_base.workload.shape;
        for (int tensor = 1; tensor <= (plan.tensor ? size.gpusPerNode : 1); tensor *= 2) {
            if (size.gpusPerNode % tensor != 0 || (tensor == 1 && plan.strategy == Strategy::Tensor)
                || (tensor == 1 && plan.strategy == Strategy::ThreeD))
                continue;
            if (tensor > 1 && (shape.heads % tensor != 0 || shape.kvHeads % tensor != 0 || shape.ffn % tensor != 0)) {
                ++m_rejected[Heads];
                continue;
            }
            for (const int stages : m_stages) {
                if (stages > 1 && !plan.pipeline)
                    break;
                const bool needs = plan.strategy == Strategy::Pipeline || plan.strategy == Strategy::ThreeD;
                if (stages == 1 && needs)
                    continue;
                tryContexts(size, index, tensor, stages);
            }
        }
    }

    void tryContexts(const SearchSize& size, std::size_t index, int tensor, int stages)
    {
        for (const int context : m_contexts) {
            if (context > 1 && !m_plans[index].context)
                break;
            const qint64 group = qint64(tensor) * stages * context;
            if (group > size.gpus() || size.gpus() % group != 0)
                continue;
            if (context > 1 && m_base.workload.sequence % (2 * context) != 0) {
                ++m_rejected[Sequence];
                continue;
            }
            Layout layout;
            layout.nodes = size.nodes;
            layout.gpusPerNode = size.gpusPerNode;
            layout.tensor = tensor;
            layout.pipeline = stages;
            layout.context = context;
            layout.data = int(size.gpus() / group);
            applyDefaults(m_plans[index].defaults, layout);
            tryBatches(size, index, layout);
        }
    }

    void tryBatches(const SearchSize& size, std::size_t index, Layout layout)
    {
        if (m_global > 0 && m_global % layout.data != 0) {
            ++m_rejected[Batch];
            return;
        }
        const qint64 share = m_global > 0 ? m_global / layout.data : largestMicro;
        for (qint64 micro = 1; micro <= qMin(share, largestMicro); micro *= 2) {
            if (m_global > 0 && share % micro != 0)
                break;
            layout.microBatch = micro;
            // With an open batch a pipeline is given enough micro-batches to be worth while.
            layout.accumulation = m_global > 0 ? share / micro : layout.pipeline > 1 ? 4 * layout.pipeline : 1;
            if (!tryLayout(size, index, layout))
                break;
        }
    }

    /// False when a larger micro-batch cannot fit either.
    bool tryLayout(const SearchSize& size, std::size_t index, const Layout& layout)
    {
        const PlanModels& models = m_models[index];
        ++m_examined;
        const MemoryEstimate memory = calibrated(models.memory.estimate(layout), models.calibration);
        if (!mayRun(memory)) {
            ++m_rejected[memory.verdict == FitVerdict::DoesNotFit ? Memory : NearLimit];
            return false;
        }
        if (memory.hostBytesPerNode > m_hostBytes && m_hostBytes > 0) {
            ++m_rejected[HostMemory];
            return false;
        }
        const StepEstimate step = calibrated(models.time.estimate(layout), models.calibration);
        FoundLayout found;
        found.plan = int(index);
        found.layout = layout;
        found.memoryBytes = memory.totalBytes;
        found.usableBytes = memory.usableBytes;
        found.verdict = memory.verdict;
        found.stepSeconds = step.seconds;
        found.computeShare = step.seconds > 0 ? step.parts.compute / step.seconds : 0;
        found.tokensPerSecond = step.tokensPerSecondPerGpu * size.gpus();
        found.mfu = step.mfu;
        found.perHour = size.perHour.value_or(-1);
        m_found.push_back(found);
        return true;
    }

    const SearchLimits& m_limits;
    const PlannedRun& m_base;
    std::vector<SearchPlan> m_plans;
    std::vector<PlanModels> m_models;
    std::vector<SearchSize> m_sizes;
    std::vector<int> m_stages;
    std::vector<int> m_contexts;
    std::vector<FoundLayout> m_found;
    std::array<qint64, ReasonCount> m_rejected{};
    qint64 m_global = 0; ///< 0: open
    double m_hostBytes = 0;
    qint64 m_examined = 0;
    bool m_cancelled = false;
};

} // namespace

Result<SearchResult> searchLayouts(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const SearchLimits& limits, const CalibrationTable& calibrations)
{
    QElapsedTimer timer;
    timer.start();
    const Result<PlannedRun> base = planRun(resolved, batch, profile);
    if (!base)
        return fail(base.error());
    SearchResult result;
    result.objective = limits.objective;
    result.partition = resolved.spec.partition.value_or(QString());
    LayoutSearch search(resolved, profile, limits, *base, calibrations);
    const std::vector<FoundLayout> found = search.run();
    result.examined = search.examined();
    result.feasible = qint64(found.size());
    result.cancelled = search.wasCancelled();
    rankLayouts(found, search.plans(), resolved, *base, profile, limits, result);
    for (int reason = 0; reason < ReasonCount; ++reason) {
        if (const qint64 count = search.rejected(Reason(reason)))
            result.rejected.append({textOf(Reason(reason), result.partition), count});
    }
    std::stable_sort(result.rejected.begin(), result.rejected.end(),
        [](const Rejection& a, const Rejection& b) { return a.count > b.count; });
    result.elapsedSeconds = double(timer.nsecsElapsed()) * 1e-9;
    return result;
}

QString toText(Objective objective)
{
    return objective == Objective::Time ? u"time"_s : objective == Objective::Cost ? u"cost"_s : u"nodes"_s;
}

std::optional<Objective> objectiveFrom(const QString& text)
{
    for (const Objective one : {Objective::Time, Objective::Cost, Objective::Nodes}) {
        if (toText(one) == text)
            return one;
    }
    return std::nullopt;
}

} // namespace rankwright
