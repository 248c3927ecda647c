// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/fitchecks.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/commandfigures.h"
#include "models/planner/design/searchspace.h"
#include "models/planner/design/trainingprogram.h"
#include "models/planner/planning/advice.h"
#include "models/planner/planning/estimatetext.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

std::optional<Fix> fixOf(const QList<Remedy>& cures)
{
    return cures.isEmpty() ? std::nullopt : std::optional(Fix{cures.first().label, cures.first().apply});
}

QList<Fix> furtherFixes(const QList<Remedy>& cures)
{
    QList<Fix> fixes;
    for (const Remedy& cure : cures.mid(1))
        fixes.append(Fix{cure.label, cure.apply});
    return fixes;
}

// Of published runs none that needed this much more than the usable memory, by the low end of its band, has run.
constexpr double hopelessFrom = 1.1;
// Below this share of the peak a step is launching and waiting: published trainings are at ten times as much.
constexpr double leastUse = 0.03;
// As many tokens as encoders of text take at most (BERT, Devlin et al. 2019, appendix A.2): samples of classification.
constexpr qint64 shortSample = 512;

/// The low end of what the design may need: what it leaves open, the program may do in the thriftiest way.
double thriftiestBytes(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    const auto& training = resolved.spec.training;
    PlannedRun run = estimate.run;
    if (!training.activationCheckpointing)
        run.workload.recompute = Recompute::Full;
    if (!training.microBatch)
        run.layout.microBatch = 1;
    const MemoryEstimate least = MemoryModel(run.workload, stackOf(run.stack), run.gpu).estimate(run.layout);
    return qMin(least.lowBytes, estimate.memory.lowBytes);
}

/// Which field a person would turn first.
FieldPath fieldOf(const DesignEstimate& estimate)
{
    const MemoryParts& parts = estimate.memory.parts;
    const bool states = parts.weights + parts.gradients + parts.optimizer > estimate.memory.usableBytes * 0.8;
    return states ? field::strategy : field::microBatch;
}

QList<Finding> memoryFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved,
    const ClusterProfile& profile, const QList<Remedy>& cures)
{
    const MemoryEstimate& memory = estimate.memory;
    const QString figures = u"%1 are expected on each %2, likely %3 to %4, and %5 can be used"_s.arg(
        gibText(memory.totalBytes), resolved.node.gpu.word, gibFigure(memory.lowBytes), gibFigure(memory.highBytes),
        gibFigure(memory.usableBytes));
    // A prediction alone stops no launch; what no error of it can bring below the limit does. Stand-ins hold anything.
    const MemoryParts& parts = memory.parts;
    const bool hopeless = !resolved.node.gpu.standIn
        && (parts.weights + parts.gradients + parts.optimizer > memory.usableBytes
            || thriftiestBytes(estimate, resolved) > hopelessFrom * memory.usableBytes);
    if (memory.verdict == FitVerdict::DoesNotFit)
        return {
            {hopeless ? Severity::Error : Severity::Warning, u"R150"_s, slug::memoryDoesNotFit, fieldOf(estimate), {},
                figures + u": the job would end in its first steps, out of memory."_s
                    + (cures.isEmpty() ? u' ' + noRemedyReason(resolved, profile, estimate) : QString()),
                fixOf(cures), u"docs/planner.md, Memory"_s, furtherFixes(cures)}};
    if (memory.verdict == FitVerdict::Borderline)
        return {{Severity::Warning, u"R151"_s, u"memory-borderline"_s, fieldOf(estimate), {},
            figures + u": about every third such job runs out of memory."_s, fixOf(cures), u"docs/planner.md, Memory"_s,
            furtherFixes(cures)}};
    return {};
}

/// A design that names a model and no size: what the model made of it, in one sentence.
QList<Finding> sizeFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    if (resolved.spec.resources.nodes || !mayRun(estimate.memory) || resolved.node.gpu.standIn)
        return {};
    QString reason;
    for (const Choice& choice : resolved.choices)
        reason = choice.field == field::nodes ? choice.reason : reason;
    const QString split = resolved.tensor > 1 ? u", each layer split over %1"_s.arg(resolved.tensor) : QString();
    const bool partitionChosen = std::any_of(resolved.choices.cbegin(), resolved.choices.cend(),
        [](const Choice& choice) { return choice.field == field::partition; });
    const auto keep = [taken = resolved, partitionChosen](JobSpec& spec) {
        spec.resources.nodes = taken.nodes;
        spec.resources.gpusPerNode = taken.gpusPerNode;
        if (partitionChosen && !taken.partition.isEmpty())
            spec.partition = taken.partition;
        spec.parallel.strategy = taken.strategy;
        const auto degree = [](int value, std::optional<int>& open) {
            if (value > 1)
                open = value;
        };
        degree(taken.tensor, spec.parallel.tensor);
        degree(taken.pipeline, spec.parallel.pipeline);
        degree(taken.context, spec.parallel.context);
        spec.parallel.expert = taken.parallel.expert;
        spec.parallel.virtualStages = taken.parallel.virtualStages;
        spec.parallel.firstStageLayers = taken.parallel.firstStageLayers;
        spec.parallel.lastStageLayers = taken.parallel.lastStageLayers;
        if (taken.activationCheckpointing)
            spec.training.activationCheckpointing = taken.activationCheckpointing;
        if (taken.microBatch && !spec.training.microBatch)
            spec.training.microBatch = taken.microBatch;
        if (taken.globalBatch && !spec.training.globalBatch)
            spec.training.globalBatch = taken.globalBatch;
        if (taken.offload)
            spec.training.offload = taken.offload;
    };
    return {{Severity::Hint, u"R158"_s, slug::sizeByModel, field::nodes, {},
        u"The design names a model and no size: %1 on %2 with %3 each is taken%4 (%5)."_s.arg(
            strategyWords(resolved.strategy), nodesText(resolved.nodes),
            gpusText(resolved.gpusPerNode, resolved.node.gpu.word), split, reason),
        Fix{u"Keep this size"_s, keep}, u"docs/planner.md, Advice"_s, {}}};
}

/// Recomputation that the estimate needs and the script does not ask for.
QList<Finding> recomputeFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    static const QRegularExpression asked(
        u"(?:activation|gradient)[-_.]?checkpoint|recompute"_s, QRegularExpression::CaseInsensitiveOption);
    const Recompute recompute = estimate.run.workload.recompute;
    if (recompute == Recompute::None || writesRecomputing(resolved, checkpointingOf(recompute))
        || resolved.command.contains(asked))
        return {};
    Workload kept = estimate.run.workload;
    kept.recompute = Recompute::None;
    const MemoryEstimate without
        = MemoryModel(kept, stackOf(estimate.run.stack), estimate.run.gpu).estimate(estimate.run.layout);
    if (mayRun(without))
        return {};
    const bool isChosen = !resolved.spec.training.activationCheckpointing;
    return {{isChosen ? Severity::Warning : Severity::Hint, u"R157"_s, u"recompute-unwritten"_s,
        field::activationCheckpointing, {},
        u"The program must recompute activations (%1): the estimate relies on it, and nothing in the script asks for it. "
        "Without it, each %2 would need %3 of %4."_s.arg(
            toText(recompute), resolved.node.gpu.word, gibText(without.totalBytes), gibText(without.usableBytes)),
        std::nullopt, u"docs/planner.md, Memory"_s}};
}

QList<Finding> hostFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved)
{
    const double need = estimate.memory.hostBytesPerNode;
    if (need <= 0)
        return {};
    const bool asks = resolved.memoryPerNode && resolved.memoryPerNode->count > 0;
    const NodeMemory host = asks ? hostMemoryShare(resolved.node, resolved.gpusPerNode) : hostMemoryOf(resolved.node);
    const double have = asks ? double(resolved.memoryPerNode->count) : host.bytes;
    if (have <= 0 || need <= have)
        return {};
    const QString what = asks ? u"the job asks for %1."_s.arg(gibFigure(have))
        : host.assumed.isEmpty()
        ? u"a node gives %1."_s.arg(gibFigure(have))
        : u"a node is taken to have %1: %2, since the site does not publish it."_s.arg(gibFigure(have), host.assumed);
    Workload kept = estimate.run.workload;
    kept.offload = Offload::None;
    const bool fits
        = mayRun(MemoryModel(kept, stackOf(estimate.run.stack), estimate.run.gpu).estimate(estimate.run.layout));
    const auto fix = fits
        ? std::optional(Fix{u"Keep all on the GPUs"_s, [](JobSpec& spec) { spec.training.offload = Offload::None; }})
        : std::nullopt;
    return {{Severity::Warning, u"R152"_s, u"host-memory"_s, field::offload, {},
        u"Offloading needs %1 of each node's memory, "_s.arg(gibText(need)) + what, fix, u"docs/planner.md, Memory"_s}};
}

/// What the job is asked to do: the steps of its command, or the epochs of design or command.
struct AskedSteps {
    double count = 0; ///< 0: not known
    QString words; ///< "90 steps"
};

AskedSteps askedSteps(const ResolvedSpec& resolved, const BatchPlan& batch)
{
    if (const auto steps = commandSteps(resolved.spec))
        return {double(*steps), counted(*steps, u"step"_s)};
    const auto& asked = resolved.spec.training.epochs;
    const auto epochs = asked ? asked : commandEpochs(resolved.spec);
    if (!epochs || !(*epochs > 0) || !batch.stepsPerEpoch)
        return {};
    const double count = std::ceil(*epochs * *batch.stepsPerEpoch);
    return {count, u"%1 steps (%2 epochs)"_s.arg(humanNumber(count, 0), humanNumber(*epochs))};
}

/// A limit with a quarter to spare, in half hours; within what the partition allows, where that is enough.
std::optional<Seconds> sufficientLimit(double needed, const ResolvedSpec& resolved)
{
    double wanted = std::ceil(needed * 1.25 / 1800) * 1800;
    if (const auto most = resolved.partitionInfo.maxTimeFor(resolved.nodes))
        wanted = qMin(wanted, double(most->count));
    return wanted > needed && wanted < 366.0 * 86400 ? std::optional(Seconds{qint64(wanted)}) : std::nullopt;
}

QList<Finding> timeFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved, const BatchPlan& batch)
{
    const AskedSteps steps = askedSteps(resolved, batch);
    const double needed = resolved.node.gpu.standIn ? 0 : steps.count * estimate.step.seconds;
    const double limit = double(resolved.time.count);
    if (needed <= 0 || limit <= 0 || !std::isfinite(needed))
        return {};
    const QString expected = humanDuration(Seconds{qint64(qMin(needed, 1e12))});
    const QString allowed = humanDuration(resolved.time);
    const auto& options = resolved.spec.options;
    const bool continues = options.requeueAtLimit.value_or(0) > 0 || options.array.has_value();
    if (needed > limit * 1.05 && !continues) {
        const double fit = std::floor(limit / estimate.step.seconds);
        const auto enough = sufficientLimit(needed, resolved);
        const auto fix = enough
            ? std::optional(Fix{u"Use "_s + slurmTime(*enough), [enough](JobSpec& spec) { spec.time = *enough; }})
            : std::nullopt;
        return {{Severity::Warning, u"R153"_s, u"time-too-short"_s, field::time, {},
            u"%1 are asked for, and the time limit of %2 has room for %3: at %4 a step the training is expected to take %5. %6"_s
                .arg(steps.words, allowed, fit < 1 ? u"not one"_s : humanNumber(fit, 0),
                    EstimateText::time(estimate.step.seconds), expected,
                    enough
                        ? u"Ask for more time, or save checkpoints and let it queue itself again."_s
                        : u"No limit of the partition is long enough: save checkpoints and let it queue itself again."_s),
            fix, u"docs/planner.md, Time"_s}};
    }
    // A quarter more than expected is prudent; three times as much only delays the start.
    const double prudent = std::ceil(needed * 1.25 / 1800) * 1800;
    if (limit > 3 * needed && limit > 3600 && prudent < limit)
        return {{Severity::Hint, u"R154"_s, u"time-too-long"_s, field::time, {},
            u"%1 is more than this training needs (expected %2). A shorter limit may start sooner."_s.arg(
                allowed, expected),
            Fix{u"Use "_s + slurmTime(Seconds{qint64(prudent)}),
                [prudent](JobSpec& spec) { spec.time = Seconds{qint64(prudent)}; }},
            u"docs/planner.md, Time"_s}};
    return {};
}

/// The smallest size on which the design may still run: one GPU, then one node, two, four ... Empty: none below its
/// own.
std::optional<Fix> fewerGpus(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const auto mayRunWith = [&](const std::function<void(JobSpec&)>& change) {
        JobSpec spec = resolved.spec;
        change(spec);
        const ResolvedSpec after = resolve(spec, profile);
        const auto estimate = estimateDesign(after, planBatch(after), profile);
        return estimate && mayRun(estimate->memory) && estimate->memory.verdict < FitVerdict::Borderline
            && after.worldSize() < resolved.worldSize();
    };
    const auto one = [](JobSpec& spec) {
        spec.resources = {};
        spec.resources.nodes = spec.resources.gpusPerNode = 1;
        spec.parallel = {};
        spec.launcher.reset();
    };
    if (mayRunWith(one))
        return Fix{u"Use "_s + gpusText(1, resolved.node.gpu.word), one};
    for (int nodes = 1; nodes < resolved.nodes; nodes *= 2) {
        const auto use = [nodes](JobSpec& spec) { spec.resources.nodes = nodes; };
        if (mayRunWith(use))
            return Fix{u"Use "_s + nodesText(nodes), use};
    }
    return std::nullopt;
}

/// GPUs that wait most of the time: for work, or for one another.
QList<Finding> useFindings(const DesignEstimate& estimate, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const StepEstimate& step = estimate.step;
    const int gpus = resolved.worldSize();
    if (gpus < 2 || !(step.mfu > 0) || step.mfu >= leastUse || resolved.node.gpu.standIn
        || estimate.memory.verdict >= FitVerdict::Borderline)
        return {};
    const QString word = resolved.node.gpu.word;
    const qint64 most = qMin<qint64>(estimate.largestMicroBatch, 4096), micro = estimate.run.layout.microBatch;
    const auto fix = fewerGpus(resolved, profile);
    QStringList advice;
    if (fix)
        advice.append(u"fewer %1s"_s.arg(word));
    if (most > micro)
        advice.append(u"a larger micro-batch (it is %1, up to %2 fits)"_s.arg(micro).arg(most));
    const bool communicates = step.parts.communication > step.seconds / 2;
    const QString cause = communicates
        ? u"ranks wait for one another's data in %1 of a step (%2)."_s.arg(
            percentText(100 * step.parts.communication / step.seconds, 0), EstimateText::time(step.seconds))
        : u"the work of a step (%1) is too small to share out."_s.arg(EstimateText::time(step.seconds));
    return {{Severity::Warning, u"R156"_s, u"gpus-idle"_s, field::gpusPerNode, {},
        u"Only %1 of the computing power of %2 is expected to be used: "_s.arg(
            percentText(100 * step.mfu, 1), gpusText(gpus, word))
            + cause + (advice.isEmpty() ? QString() : u" Use %1."_s.arg(advice.join(u", or "_s))),
        fix, u"docs/planner.md, Time"_s}};
}

/// A model given by its number of parameters alone: whether its samples are long, which was assumed, decides whether
/// the GPUs have enough to do.
QList<Finding> shortSampleFindings(
    const DesignEstimate& estimate, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    PlannedRun run = estimate.run;
    const int gpus = resolved.worldSize();
    const bool isOpen = run.workload.shape.assumed && !resolved.sequence && run.workload.sequence > shortSample
        && !resolved.node.gpu.standIn;
    if (gpus < 2 || !isOpen || estimate.memory.verdict >= FitVerdict::Borderline || estimate.step.mfu < leastUse)
        return {};
    const qint64 assumed = run.workload.sequence;
    run.workload.sequence = shortSample;
    const StepEstimate step = TimeModel(run.workload, stackOf(run.stack), run.gpu).estimate(run.layout);
    if (!(step.mfu > 0) || step.mfu >= leastUse)
        return {};
    const QString word = resolved.node.gpu.word;
    return {{Severity::Hint, u"R159"_s, u"gpus-may-idle"_s, field::sequence, {},
        u"The model is small for %1, and how long its samples are is not said: %2 tokens each are assumed. With %3, only %4 of the computing power would be used (%5 for each step). Say the length; with short samples use fewer %6s or a larger micro-batch (it is %7)."_s
            .arg(gpusText(gpus, word), humanNumber(double(assumed), 0), humanNumber(double(shortSample), 0),
                percentText(100 * step.mfu, 1), EstimateText::time(step.seconds), word,
                QString::number(run.layout.microBatch)),
        fewerGpus(resolved, profile), u"docs/planner.md, Time"_s}};
}

} // namespace

QList<Finding> fitFindings(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile,
    const Result<DesignEstimate>& estimate, const QList<Remedy>& cures)
{
    if (!estimate) {
        if (resolved.model.isEmpty())
            return {}; // nothing was asked
        const Error& error = estimate.error();
        const bool isSentence = error.what.endsWith(u'.');
        const QString next = error.remedy.isEmpty() ? (isSentence ? QString() : u"."_s)
                                                    : (isSentence ? u" "_s : u": "_s) + error.remedy;
        return {{Severity::Warning, u"R155"_s, u"model-unclear"_s, field::model, {}, error.what + next, std::nullopt,
            u"docs/planner.md, Models"_s}};
    }
    return memoryFindings(*estimate, resolved, profile, cures) + sizeFindings(*estimate, resolved)
        + recomputeFindings(*estimate, resolved) + hostFindings(*estimate, resolved)
        + useFindings(*estimate, resolved, profile) + shortSampleFindings(*estimate, resolved, profile)
        + timeFindings(*estimate, resolved, batch);
}

} // namespace rankwright::inline script
