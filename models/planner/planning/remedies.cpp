// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/planning/remedies.h"
#include "models/core/quantitytext.h"
#include "models/planner/planning/advice.h"

#include "models/planner/design/searchspace.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

constexpr int mostRemedies = 5;

/// A change that may help; whether it does, the estimate says.
struct Trial {
    QString label;
    std::function<void(JobSpec&)> apply;
};

/// `most`: the largest micro-batch that fits; 0: not even one sample does.
QList<Trial> batchTrials(const DesignEstimate& estimate, qint64 most)
{
    const qint64 micro = estimate.run.layout.microBatch;
    if (most < 1 || most >= micro)
        return {};
    // The nearest size below that still splits the share of a rank evenly.
    const qint64 share = micro * estimate.run.layout.accumulation, data = estimate.run.layout.data;
    qint64 size = most;
    while (size > 1 && share % size != 0)
        --size;
    return {{size == 1 ? u"Micro-batch of 1"_s : u"Micro-batch of %1"_s.arg(size), [size, share, data](JobSpec& spec) {
                 spec.training.globalBatch = share * data; // the same training, in more accumulation steps
                 spec.training.microBatch = size;
             }}};
}

QList<Trial> recomputeTrials(const DesignEstimate& estimate)
{
    QList<Trial> trials;
    if (estimate.run.workload.shape.family == ModelFamily::Convolution)
        return trials;
    const Recompute now = estimate.run.workload.recompute;
    if (now == Recompute::None)
        trials.append({u"Recompute selectively"_s,
            [](JobSpec& spec) { spec.training.activationCheckpointing = ActivationCheckpointing::Selective; }});
    if (now != Recompute::Full)
        trials.append({u"Recompute all activations"_s,
            [](JobSpec& spec) { spec.training.activationCheckpointing = ActivationCheckpointing::Full; }});
    return trials;
}

QList<Trial> shardingTrials(const ResolvedSpec& resolved)
{
    QList<Trial> trials;
    if (resolved.worldSize() < 2 || resolved.tensor * resolved.pipeline > 1)
        return trials;
    const auto use = [](Strategy strategy) {
        return [strategy](JobSpec& spec) {
            spec.parallel.strategy = strategy;
            spec.training.framework.reset();
        };
    };
    const bool deepspeed = resolved.spec.training.framework == Framework::Deepspeed;
    switch (resolved.strategy) {
    case Strategy::Ddp:
    case Strategy::Horovod:
    case Strategy::Single: trials.append({u"Use FSDP"_s, use(deepspeed ? Strategy::Zero3 : Strategy::Fsdp)}); break;
    case Strategy::Zero1: trials.append({u"Use ZeRO-2"_s, use(Strategy::Zero2)}); [[fallthrough]];
    case Strategy::Zero2: trials.append({u"Use ZeRO-3"_s, use(Strategy::Zero3)}); break;
    case Strategy::Hsdp: trials.append({u"Shard over all ranks (FSDP)"_s, use(Strategy::Fsdp)}); break;
    default: break;
    }
    if (deepspeed && !trials.isEmpty() && trials.last().label == u"Use FSDP")
        trials.last().label = u"Use ZeRO-3"_s;
    return trials;
}

QList<Trial> sizeTrials(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    QList<Trial> trials;
    const int full = resolved.node.gpus;
    if (full > resolved.gpusPerNode)
        trials.append({u"Use all %1 %2s of a node"_s.arg(full).arg(resolved.node.gpu.word), [full](JobSpec& spec) {
                           spec.resources.gpusPerNode = full;
                           spec.resources.cpusPerGpu.reset();
                           spec.resources.memoryPerNode.reset();
                       }});
    const int limit = mostNodesOffered(resolved, profile);
    for (int nodes = resolved.nodes * 2; nodes <= qMin(limit, 256); nodes *= 2)
        trials.append({u"Use %1 nodes"_s.arg(nodes), [nodes, full](JobSpec& spec) {
                           spec.resources.nodes = nodes;
                           if (full > 0)
                               spec.resources.gpusPerNode = full;
                           spec.resources.cpusPerGpu.reset();
                           spec.resources.memoryPerNode.reset();
                       }});
    return trials;
}

QList<Trial> lastResorts(const ResolvedSpec& resolved, const DesignEstimate& estimate)
{
    QList<Trial> trials;
    if (estimate.run.workload.optimizer == Optimizer::AdamW)
        trials.append({u"8-bit AdamW"_s, [](JobSpec& spec) { spec.training.optimizer = Optimizer::AdamW8bit; }});
    const bool offloads = estimate.run.workload.offload == Offload::None
        && (resolved.strategy == Strategy::Zero2 || resolved.strategy == Strategy::Zero3
            || resolved.strategy == Strategy::Fsdp);
    if (offloads) {
        const Offload what
            = resolved.strategy == Strategy::Zero2 ? Offload::OptimizerStates : Offload::OptimizerAndParameters;
        trials.append({u"Offload to the node's memory"_s, [what](JobSpec& spec) { spec.training.offload = what; }});
    }
    return trials;
}

enum class Size { Kept, Open };

/// What advise() takes where nothing that keeps the design's shape helps: nodes and degrees are the model's to say.
QList<Trial> advisedTrial(
    const ResolvedSpec& resolved, const ClusterProfile& profile, const CalibrationTable& calibrations, Size size)
{
    JobSpec open = resolved.spec;
    if (size == Size::Open) {
        open.resources.nodes.reset();
        open.resources.gpusPerNode.reset();
    } else {
        open.resources.nodes = resolved.nodes;
        open.resources.gpusPerNode = resolved.gpusPerNode;
    }
    open.parallel = {};
    open.training.microBatch.reset();
    open.training.activationCheckpointing.reset();
    open.training.globalBatch = planBatch(resolved).globalBatch; // the same training
    const ResolvedSpec then = resolve(open, profile);
    const auto advice = adviseAsNamed(then, planBatch(then), profile, calibrations);
    if (!advice || advice->best.offload != Offload::None)
        return {};
    const Layout& layout = advice->best.layout;
    QStringList degrees;
    if (layout.tensor > 1)
        degrees.append(u"each layer over %1"_s.arg(layout.tensor));
    if (layout.pipeline > 1)
        degrees.append(u"%1 stages"_s.arg(layout.pipeline));
    return {{u"Use %1 on %2%3"_s.arg(strategyWords(advice->strategy), nodesText(advice->nodes),
                 degrees.isEmpty() ? QString() : u", "_s + degrees.join(u", "_s)),
        [best = advice->best](JobSpec& spec) {
            spec.resources.cpusPerGpu.reset();
            spec.resources.memoryPerNode.reset();
            best.applyTo(spec);
        }}};
}

/// The thriftiest way on a number of nodes: all sharded, all recomputed, one sample a pass. Batch 0: open.
void makeThrifty(JobSpec& spec, int nodes, int gpusPerNode, qint64 globalBatch)
{
    spec.resources = {};
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = gpusPerNode;
    spec.parallel = {};
    spec.parallel.strategy = nodes * gpusPerNode == 1 ? Strategy::Single : Strategy::Fsdp;
    spec.launcher.reset();
    spec.training.framework.reset();
    spec.training.offload.reset();
    spec.training.microBatch = 1;
    spec.training.globalBatch = globalBatch > 0 ? std::optional(globalBatch) : std::nullopt;
    const auto shape = namedModel(spec);
    if (shape && shape->family != ModelFamily::Convolution)
        spec.training.activationCheckpointing = ActivationCheckpointing::Full;
}

/// Where nothing that keeps the batch helps: more nodes, and as many samples a step as they need.
QList<Trial> largestTrials(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    QList<Trial> trials;
    const qint64 asked = resolved.spec.training.globalBatch.value_or(0);
    const int most = mostNodesOffered(resolved, profile), gpus = qMax(1, resolved.node.gpus);
    for (int nodes = 1;; nodes = qMin(2 * nodes, most)) {
        const qint64 ranks = qint64(nodes) * gpus;
        const qint64 batch = asked > 0 ? (asked + ranks - 1) / ranks * ranks : 0;
        const QString size = batch > 0 && batch != asked
            ? u"%1 and a global batch of %2"_s.arg(nodesText(nodes)).arg(batch)
            : nodesText(nodes);
        trials.append({u"Use FSDP on %1, all recomputed, micro-batch 1"_s.arg(size),
            [nodes, gpus, batch](JobSpec& spec) { makeThrifty(spec, nodes, gpus, batch); }});
        if (nodes >= most)
            return trials;
    }
}

/// Both changes in one sentence: "Use FSDP and recompute all activations".
Trial both(const Trial& one, const Trial& other, const QString& joint)
{
    return {one.label + joint + other.label.left(1).toLower() + other.label.mid(1), [one, other](JobSpec& spec) {
                one.apply(spec);
                other.apply(spec);
            }};
}

/// One after another: single changes, then pairs, then more GPUs, then all of it.
QList<Trial> allTrials(const ResolvedSpec& resolved, const ClusterProfile& profile, const DesignEstimate& estimate,
    qint64 largestMicroBatch)
{
    const QList<Trial> batch = batchTrials(estimate, largestMicroBatch), recompute = recomputeTrials(estimate),
                       sharding = shardingTrials(resolved), sizes = sizeTrials(resolved, profile);
    QList<Trial> pairs;
    if (!recompute.isEmpty()) {
        for (const Trial& shard : sharding)
            pairs.append(both(shard, recompute.last(), u" and "_s));
    }
    QList<Trial> trials = batch + recompute + sharding + pairs + sizes;
    for (const QList<Trial>& smaller : {sharding, recompute, pairs}) {
        for (const Trial& one : smaller) {
            for (const Trial& size : sizes)
                trials.append(both(one, size, u", "_s));
        }
    }
    return trials;
}

} // namespace

QList<Remedy> remedies(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const Result<DesignEstimate>& estimate, const CalibrationTable& calibrations, std::optional<double> neededBytes)
{
    QList<Remedy> found;
    if (!estimate)
        return found;
    const double total = estimate->memory.totalBytes;
    const double more = neededBytes && total > 0 ? qMax(1.0, *neededBytes / total) : 1;
    const auto verdictOf = [more](const MemoryEstimate& memory) {
        return more > 1 ? fitVerdict(memory.heldBytes * more, memory.usableBytes) : memory.verdict;
    };
    const auto fits = [](FitVerdict verdict) { return verdict == FitVerdict::Fits || verdict == FitVerdict::Probably; };
    if (fits(verdictOf(estimate->memory)))
        return found;
    const auto largestMicroBatch = [&]() -> qint64 {
        if (more <= 1)
            return estimate->largestMicroBatch;
        for (qint64 size = estimate->run.layout.microBatch / 2; size > 0; size /= 2) {
            JobSpec spec = resolved.spec;
            for (const Trial& trial : batchTrials(*estimate, size))
                trial.apply(spec);
            const ResolvedSpec after = resolve(spec, profile);
            const auto then = estimateDesign(after, planBatch(after), profile, calibrations);
            if (then && fits(verdictOf(then->memory)))
                return size;
        }
        return 0;
    };
    bool grown = false; // of larger sizes only the smallest that helps
    const auto tryAll = [&](const QList<Trial>& trials) {
        for (const Trial& trial : trials) {
            if (found.size() == mostRemedies)
                break;
            JobSpec spec = resolved.spec;
            trial.apply(spec);
            const ResolvedSpec after = resolve(spec, profile);
            const bool grows = after.worldSize() > resolved.worldSize();
            if ((grows && grown) || after.worldSize() < resolved.worldSize())
                continue;
            const auto then = estimateDesign(after, planBatch(after), profile, calibrations);
            if (!then || !fits(verdictOf(then->memory)))
                continue;
            grown = grown || grows;
            found.append({trial.label,
                u"%1 of %2, a step takes %3 s"_s.arg(gibFigure(then->memory.totalBytes * more),
                    gibText(then->memory.usableBytes), humanNumber(then->step.seconds, 2)),
                trial.apply, then->memory.totalBytes * more, then->step.seconds, verdictOf(then->memory)});
        }
    };
    tryAll(allTrials(resolved, profile, *estimate, largestMicroBatch()));
    for (const Size size : {Size::Kept, Size::Open}) {
        if (found.isEmpty())
            tryAll(advisedTrial(resolved, profile, calibrations, size));
    }
    tryAll(lastResorts(resolved, *estimate)); // what costs most time
    if (found.isEmpty())
        tryAll(largestTrials(resolved, profile));
    return found;
}

QString noRemedyReason(
    const ResolvedSpec& resolved, const ClusterProfile& profile, const Result<DesignEstimate>& estimate)
{
    if (!estimate || mayRun(estimate->memory))
        return {};
    const int most = mostNodesOffered(resolved, profile);
    const auto estimateOf = [&](const JobSpec& spec) {
        const ResolvedSpec then = resolve(spec, profile);
        return estimateDesign(then, planBatch(then), profile);
    };
    JobSpec least = resolved.spec;
    makeThrifty(least, most, qMax(1, resolved.node.gpus), 0);
    const auto largest = estimateOf(least);
    if (!largest)
        return u"No change that was tried helps: a smaller model, a shorter sequence or another cluster is needed."_s;
    QString text
        = u"No layout fits here: sharded over all %1 %2s of %3, the largest job that %4 gives, with one sample a pass and all activations recomputed, each %2 would still need %5 of %6."_s
              .arg(QString::number(largest->run.layout.gpus()), resolved.node.gpu.word, nodesText(most), profile.title,
                  gibText(largest->memory.totalBytes), gibText(largest->memory.usableBytes));
    const bool adapts = resolved.spec.adapter.method.value_or(AdapterMethod::None) != AdapterMethod::None
        || resolved.spec.training.trainedFraction.value_or(1) < 1;
    if (!adapts) {
        JobSpec adapted = least;
        adapted.adapter.method = AdapterMethod::Lora;
        adapted.adapter.quantisation = Quantisation::Nf4;
        const auto then = estimateOf(adapted);
        const bool decodes = largest->run.workload.shape.family == ModelFamily::Decoder;
        if (then && decodes && mayRun(then->memory))
            return text + u" Adapters on a base in nf4 (QLoRA) would take %1."_s.arg(gibText(then->memory.totalBytes));
    }
    return text + u" A smaller model, a shorter sequence or a cluster with more memory is needed."_s;
}

} // namespace rankwright::inline planner
