// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidequestions.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/estimatetext.h"
#include "models/planner/planning/remedies.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching::guideparts {

namespace {

/// One way to spread the model, before it is tried.
struct Way {
    QString id;
    QString title;
    QString term;
    QString termId;
    JobSpec spec;
};

/// How it is spread is left to the model.
JobSpec withOpenStrategy(const GuideContext& context)
{
    JobSpec spec = context.spec;
    spec.parallel = {};
    spec.training.framework.reset();
    if (!context.isLocked(field::microBatch))
        spec.training.microBatch.reset();
    return settled(spec, context.catalogue, context.settled.locks);
}

/// Spread in one way, with the size, the batch and the recomputation that the design has now, also where it leaves them
/// open: so that nothing else differs between the answers.
JobSpec withStrategy(const GuideContext& context, Strategy strategy)
{
    const ResolvedSpec now = resolve(context.spec, context.profile());
    JobSpec spec = withOpenStrategy(context);
    spec.resources.nodes = now.nodes;
    spec.resources.gpusPerNode = now.gpusPerNode;
    spec.training.activationCheckpointing = now.activationCheckpointing;
    spec.training.microBatch = planBatch(now).microBatch;
    spec.parallel.strategy = strategy;
    return settled(spec, context.catalogue, context.settled.locks);
}

QString titleOf(const ResolvedSpec& resolved)
{
    if (resolved.tensor * resolved.pipeline * resolved.context > 1)
        return u"Cut the layers as well"_s;
    switch (resolved.strategy) {
    case Strategy::Single: return u"All on one %1"_s.arg(resolved.node.gpu.word);
    case Strategy::Ddp:
    case Strategy::Horovod: return u"A whole copy on every %1"_s.arg(resolved.node.gpu.word);
    case Strategy::Zero1: return u"Share the optimiser"_s;
    case Strategy::Zero2: return u"Share a part"_s;
    case Strategy::Hsdp: return u"Share within a node"_s;
    case Strategy::Zero3:
    case Strategy::Fsdp: return u"Share everything"_s;
    default: return u"Cut the layers as well"_s;
    }
}

QString termIdOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single: return u"rank"_s;
    case Strategy::Ddp: return u"ddp"_s;
    case Strategy::Fsdp:
    case Strategy::Hsdp: return u"fsdp"_s;
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3: return u"zero"_s;
    case Strategy::Pipeline: return u"pipeline-parallel"_s;
    case Strategy::Tensor:
    case Strategy::ThreeD: return u"tensor-parallel"_s;
    case Strategy::Horovod: break;
    }
    return {};
}

Way wayOf(const GuideContext& context, const JobSpec& spec)
{
    const ResolvedSpec resolved = resolve(spec, context.profile());
    const bool split = resolved.tensor * resolved.pipeline * resolved.context > 1;
    const QString id = split ? u"split"_s : toText(resolved.strategy);
    return {id, titleOf(resolved), strategyName(resolved.strategy), termIdOf(resolved.strategy), spec};
}

/// One GPU: what can be kept smaller there.
QList<Way> waysAlone(const GuideContext& context)
{
    QList<Way> ways{wayOf(context, withStrategy(context, Strategy::Single))};
    JobSpec recomputing = withStrategy(context, Strategy::Single);
    recomputing.training.activationCheckpointing = ActivationCheckpointing::Full;
    ways.append({u"recompute"_s, u"Compute twice, keep less"_s, u"activation checkpointing"_s, u"recomputation"_s,
        recomputing});
    JobSpec thin = recomputing;
    thin.training.optimizer = Optimizer::AdamW8bit;
    ways.append({u"adamw-8bit"_s, u"A smaller optimiser, too"_s, u"8-bit AdamW"_s, u"optimiser-states"_s, thin});
    return ways;
}

/// Several GPUs: nothing, a part, or all of it shared.
QList<Way> waysTogether(const GuideContext& context)
{
    QList<Way> ways;
    for (const Strategy strategy : {Strategy::Ddp, Strategy::Zero2, Strategy::Fsdp})
        ways.append(wayOf(context, withStrategy(context, strategy)));
    return ways;
}

/// What helps where nothing of these does: what the planner would change, the least intrusive first.
std::optional<Way> remedyWay(const GuideContext& context, const GuideTrial& trial)
{
    if (context.isLocked(field::nodes) || context.isLocked(field::gpusPerNode))
        return {};
    const auto ways = remedies(trial.resolved, context.profile(), trial.estimate, context.calibrations);
    if (ways.isEmpty())
        return {};
    JobSpec spec = context.spec;
    ways.first().apply(spec);
    if (!context.isLocked(field::partition))
        spec.partition.reset();
    const ResolvedSpec resolved = resolve(spec, context.profile());
    return Way{u"remedy"_s, ways.first().label, sizeWords(resolved), u"world-size"_s,
        settled(spec, context.catalogue, context.settled.locks)};
}

double statesOf(const DesignEstimate& estimate)
{
    const MemoryParts& parts = estimate.memory.parts;
    return parts.weights + parts.gradients + parts.optimizer;
}

QString sharedSentence(const GuideTrial& trial, double copy)
{
    const QString word = trial.resolved.node.gpu.word;
    const int ranks = trial.resolved.dataParallel();
    const QString states = gibText(statesOf(*trial.estimate)), whole = gibText(copy);
    switch (trial.resolved.strategy) {
    case Strategy::Single:
        return u"Weights, gradients and optimiser take %1 of the %2 of this %3; the rest is for your samples."_s.arg(
            states, gibText(trial.estimate->memory.usableBytes), word);
    case Strategy::Ddp:
    case Strategy::Horovod:
        return u"Each of the %1 %2s holds all weights, gradients and optimiser states: %3. Once in a step the gradients "
               "are averaged, nothing else travels."_s.arg(ranks)
                   .arg(word, states);
    case Strategy::Zero1:
        return u"The optimiser is cut into %1 parts, weights and gradients stay whole: %2 on each %3 instead of %4."_s
            .arg(ranks)
            .arg(states, word, whole);
    case Strategy::Zero2:
        return u"Gradients and optimiser are cut into %1 parts, the weights stay whole: %2 on each %3 instead of %4."_s
            .arg(ranks)
            .arg(states, word, whole);
    case Strategy::Hsdp:
        return u"Weights, gradients and optimiser are cut into %1 parts, one node holding all of them: %2 on each %3 "
               "instead of %4."_s.arg(qMax(1, trial.estimate->run.layout.shardGroup))
                   .arg(states, word, whole);
    default: break;
    }
    const int parts = trial.resolved.worldSize();
    return u"Weights, gradients and optimiser are cut into %1 parts: %2 on each %3 instead of %4. The rest of the memory "
           "is free for your samples."_s.arg(parts)
               .arg(states, word, whole);
}

QString priceSentence(const GuideTrial& trial, const QString& id)
{
    const QString word = trial.resolved.node.gpu.word;
    const QString step = EstimateText::time(trial.estimate->step.seconds);
    if (id == u"recompute" || id == u"adamw-8bit")
        return u" The price: the forward pass is computed a second time, a step takes about %1."_s.arg(step);
    switch (trial.resolved.strategy) {
    case Strategy::Single: return u" The price: nobody helps, a step takes about %1."_s.arg(step);
    case Strategy::Ddp:
    case Strategy::Horovod:
        return u" The price: more %1s make it faster, never smaller; a model that one cannot hold cannot be trained "
               "this way (a step takes about %2)."_s.arg(word, step);
    case Strategy::Zero1:
    case Strategy::Zero2:
        return u" The price: the program has to use DeepSpeed or the like, and in every step (about %1) the updated "
               "weights go round."_s.arg(step);
    default:
        return u" The price: in every step (about %1) the layers travel from %2 to %2, forward and backward."_s.arg(
            step, word);
    }
}

GuideAnswer answerFor(const GuideContext& context, const Way& way)
{
    GuideAnswer answer;
    answer.id = way.id;
    answer.title = way.title;
    answer.term = way.term;
    answer.termId = way.termId;
    const GuideTrial trial = tried(way.spec, context.profile(), context.calibrations);
    assess(answer, trial);
    if (!trial.estimate) {
        answer.why = trial.estimate.error().oneLine();
        return answer;
    }
    const MemoryEstimate& memory = trial.estimate->memory;
    answer.figures = u"%1, likely %2"_s.arg(
        gibText(memory.totalBytes), EstimateText::range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib));
    answer.why = sharedSentence(trial, wholeCopyBytes(trial).value_or(0)) + priceSentence(trial, way.id);
    return answer;
}

bool isSame(const JobSpec& a, const JobSpec& b, const ClusterProfile& profile)
{
    const ResolvedSpec one = resolve(a, profile), other = resolve(b, profile);
    return one.strategy == other.strategy && one.tensor == other.tensor && one.pipeline == other.pipeline
        && one.context == other.context && one.worldSize() == other.worldSize()
        && one.activationCheckpointing == other.activationCheckpointing && a.training.optimizer == b.training.optimizer
        && a.training.offload == b.training.offload;
}

/// One answer is the design's, one is advised: each the first that is the same.
void markChosen(GuideQuestion& question, const JobSpec& present, const JobSpec& advised, const ClusterProfile& profile)
{
    bool isAdvised = false;
    for (int i = 0; i < question.answers.size(); ++i) {
        GuideAnswer& answer = question.answers[i];
        answer.advised = !isAdvised && answer.works() && isSame(answer.spec, advised, profile);
        isAdvised = isAdvised || answer.advised;
        if (!question.chosen && isSame(answer.spec, present, profile)) {
            answer.spec = present;
            question.chosen = i;
        }
    }
}

/// The ones that cannot work go first.
void limitAnswers(GuideQuestion& question)
{
    while (question.answers.size() > mostAnswers) {
        int gone = -1;
        for (int i = 0; i < question.answers.size(); ++i) {
            const bool kept = i == question.chosen || question.answers.at(i).advised;
            if (!kept && (gone < 0 || !question.answers.at(i).works()))
                gone = i;
        }
        question.answers.removeAt(gone);
        if (question.chosen && gone < *question.chosen)
            --*question.chosen;
    }
}

QString textFor(const GuideTrial& now)
{
    const QString word = now.resolved.node.gpu.word;
    if (!now.estimate)
        return u"Nothing is known about the memory that this needs: %1"_s.arg(now.estimate.error().oneLine());
    const auto copy = wholeCopyBytes(now);
    return u"Training %1 takes %2 before it has read a single word. Each of your %3 has %4 of memory%5."_s.arg(
        guideModelName(now.spec), copy ? gibText(*copy) : u"memory"_s, gpusText(now.resolved.worldSize(), word),
        gibText(now.estimate->memory.usableBytes),
        now.resolved.worldSize() > 1 ? u". So: one whole copy on each, or share it?"_s : u" that can be used"_s);
}

} // namespace

std::optional<JobSpec> firstThatFits(const GuideContext& context)
{
    const ClusterProfile& profile = context.profile();
    const bool alone = resolve(context.spec, profile).worldSize() == 1;
    for (const Way& way : alone ? waysAlone(context) : waysTogether(context)) {
        const GuideTrial trial = tried(way.spec, profile, context.calibrations);
        if (trial.estimate && mayRun(trial.estimate->memory))
            return way.spec;
    }
    return {};
}

GuideQuestion askFits(const GuideContext& context)
{
    GuideQuestion question;
    question.step = GuideStep::Fits;
    question.title = u"Does it fit?"_s;
    const ClusterProfile& profile = context.profile();
    const GuideTrial now = tried(context.spec, profile, context.calibrations);
    question.text = textFor(now);
    question.text.replace(u"?."_s, u"?"_s);
    const JobSpec open = withOpenStrategy(context);
    QList<Way> ways = now.resolved.worldSize() == 1 ? waysAlone(context) : waysTogether(context);
    const auto has = [&](const JobSpec& spec) {
        return std::any_of(ways.cbegin(), ways.cend(), [&](const Way& way) { return isSame(way.spec, spec, profile); });
    };
    if (!has(open))
        ways.append(wayOf(context, open));
    if (!has(context.spec)) {
        Way own = wayOf(context, context.spec);
        own.id = u"own"_s;
        ways.append(own);
    }
    for (const Way& way : ways)
        question.answers.append(answerFor(context, way));
    const bool helps = std::any_of(question.answers.cbegin(), question.answers.cend(),
        [](const GuideAnswer& one) { return one.works() && one.estimate && mayRun(one.estimate->memory); });
    if (const auto remedy = helps ? std::nullopt : remedyWay(context, now))
        question.answers.append(answerFor(context, *remedy));
    markChosen(question, context.spec, helps ? open : question.answers.last().spec, profile);
    limitAnswers(question);
    if (const QString why = context.lockedWhy({field::strategy}); !why.isEmpty())
        lock(question, why);
    return question;
}

} // namespace rankwright::inline teaching::guideparts
