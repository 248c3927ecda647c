// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidequestions.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/partitionchoice.h"
#include "models/planner/planning/estimatetext.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching::guideparts {

namespace {

struct Size {
    int nodes = 1;
    int gpus = 1; ///< on each node
    int world() const { return nodes * gpus; }
    bool operator==(const Size&) const = default;
};

Size sizeOf(const ResolvedSpec& resolved) { return {resolved.nodes, resolved.gpusPerNode}; }

/// The design with another size; what follows from the size is left to it again.
JobSpec withSize(const GuideContext& context, const std::optional<Size>& size)
{
    JobSpec spec = context.spec;
    spec.resources = {};
    if (size) {
        spec.resources.nodes = size->nodes;
        spec.resources.gpusPerNode = size->gpus;
    }
    if (!context.isLocked(field::partition))
        spec.partition.reset();
    if (!context.isLocked(field::strategy))
        spec.parallel = {};
    if (!context.isLocked(field::microBatch))
        spec.training.microBatch.reset();
    if (!context.isLocked(field::activationCheckpointing))
        spec.training.activationCheckpointing.reset();
    return settled(spec, context.catalogue, context.settled.locks);
}

QString titleOf(const Size& size, const NodeShape& node)
{
    if (size.world() == 1)
        return u"One "_s + node.gpu.word;
    if (size.nodes == 1 && size.gpus == node.gpus)
        return u"A whole node"_s;
    if (size.nodes == 1)
        return u"A part of a node"_s;
    return size.nodes == 2 ? u"Two nodes"_s : nodesText(size.nodes);
}

/// The cluster itself has fewer nodes than are asked for, or the partition takes no such job. Empty: neither is known.
QString whyNeverStarted(const ResolvedSpec& resolved, const GuideContext& context)
{
    const QString why = partitionObstacle(
        {resolved.nodes, resolved.gpusPerNode, resolved.time}, resolved.partitionInfo, resolved.node);
    if (!why.isEmpty())
        return why;
    if (!context.facts)
        return {};
    for (const auto& fact : context.facts->partitions) {
        if (fact.name == resolved.partitionInfo.slurmName() && fact.nodes && *fact.nodes < resolved.nodes)
            return u"%1 has %2: a job on %3 would wait for ever."_s.arg(
                resolved.partition, nodesText(*fact.nodes), nodesText(resolved.nodes));
    }
    return {};
}

QString figuresOf(const GuideTrial& trial, const std::optional<GuidePrice>& price)
{
    QStringList parts;
    if (trial.resolved.nodes > 1)
        parts.append(gpusText(trial.resolved.worldSize(), trial.resolved.node.gpu.word));
    else if (trial.resolved.worldSize() > 1)
        parts.append(gpusText(trial.resolved.gpusPerNode, trial.resolved.node.gpu.word));
    if (trial.estimate && trial.estimate->memory.verdict != FitVerdict::DoesNotFit)
        parts.append(u"a step in about "_s + EstimateText::time(trial.estimate->step.seconds));
    if (price)
        parts.append(u"%1 an hour"_s.arg(amountText(price->perHour, price->unit)));
    return parts.join(u" · "_s);
}

QString speedSentence(const GuideTrial& trial, const GuideTrial& alone)
{
    const QString size = sizeWords(trial.resolved);
    if (!trial.estimate)
        return u"How fast %1 are is not known: %2"_s.arg(size, trial.estimate.error().what);
    if (trial.estimate->memory.verdict == FitVerdict::DoesNotFit)
        return u"%1 would have to hold %2, and has %3."_s.arg(
            trial.resolved.worldSize() > 1 ? u"Each of "_s + size : u"One "_s + trial.resolved.node.gpu.word,
            gibText(trial.estimate->memory.totalBytes), gibText(trial.estimate->memory.usableBytes));
    const QString samples = humanNumber(double(trial.estimate->run.layout.globalBatch()), 0);
    const QString step = EstimateText::time(trial.estimate->step.seconds);
    const bool many = trial.resolved.worldSize() > 1;
    if (many && alone.estimate && mayRun(alone.estimate->memory) && trial.estimate->step.seconds > 0)
        return u"%1 do a step of %2 samples in about %3, one alone in about %4: %5 times as fast."_s.arg(size, samples,
            step, EstimateText::time(alone.estimate->step.seconds),
            humanNumber(alone.estimate->step.seconds / trial.estimate->step.seconds, 1));
    if (many)
        return u"%1 do a step of %2 samples in about %3; each holds %4 of its %5."_s.arg(size, samples, step,
            gibText(trial.estimate->memory.totalBytes), gibText(trial.estimate->memory.usableBytes));
    return u"One %1 does a step of %2 samples in about %3, and holds %4 of its %5: nothing has to be exchanged, so "
           "nothing can wait."_s.arg(trial.resolved.node.gpu.word, samples, step,
               gibText(trial.estimate->memory.totalBytes), gibText(trial.estimate->memory.usableBytes));
}

QString priceSentence(const GuideTrial& trial, const std::optional<GuidePrice>& price)
{
    const QString costs = price ? priceWords(price) : u"more of the site's time (%1)"_s.arg(priceWords(price));
    if (trial.resolved.nodes > 1)
        return u" The price: %1, and what travels between nodes is slower than within one."_s.arg(costs);
    if (trial.resolved.worldSize() > 1)
        return u" The price: %1, also while a %2 waits for the others."_s.arg(costs, trial.resolved.node.gpu.word);
    return u" The price: %1, and the longest wait for each step."_s.arg(costs);
}

/// What one may choose from: one GPU, a node, two nodes, and what the model needs where that is more.
QList<Size> sizesFor(const NodeShape& node, const Size& needed)
{
    const int full = qMax(1, node.gpus);
    QList<Size> sizes{{1, 1}};
    for (const Size& size : {Size{1, full}, Size{2, full}, needed}) {
        if (!sizes.contains(size))
            sizes.append(size);
    }
    std::stable_sort(sizes.begin(), sizes.end(), [](const Size& a, const Size& b) { return a.world() < b.world(); });
    return sizes;
}

/// At a size, spread as the model wants it there; where that does not fit, the first way that does.
GuideTrial bestAt(const GuideContext& context, const Size& size)
{
    const JobSpec spec = withSize(context, size);
    const GuideTrial trial = tried(spec, context.profile(), context.calibrations);
    if (context.isLocked(field::strategy) || !trial.estimate
        || trial.estimate->memory.verdict != FitVerdict::DoesNotFit)
        return trial;
    GuideContext there = context;
    there.spec = spec;
    const auto way = firstThatFits(there);
    return way ? tried(*way, context.profile(), context.calibrations) : trial;
}

} // namespace

GuideQuestion askHowMany(const GuideContext& context)
{
    GuideQuestion question;
    question.step = GuideStep::HowMany;
    const ClusterProfile& profile = context.profile();
    const GuideTrial needed = tried(fitted(withSize(context, {}), context), profile, context.calibrations);
    const GuideTrial alone = tried(withSize(context, Size{1, 1}), profile, context.calibrations);
    const ResolvedSpec now = resolve(context.spec, profile);
    const QString words = pluralOf(needed.resolved.node.gpu.word);
    question.title = u"On how many %1?"_s.arg(words);
    question.text = u"One process, a rank, works on each %1. More of them share the %2 samples of a step; a node has "
                    "%3."_s.arg(needed.resolved.node.gpu.word, humanNumber(double(planBatch(now).globalBatch), 0),
                        gpusText(needed.resolved.node.gpus, needed.resolved.node.gpu.word));
    QList<Size> sizes = sizesFor(needed.resolved.node, sizeOf(needed.resolved));
    const bool own = !sizes.contains(sizeOf(now));
    if (own)
        sizes.append(sizeOf(now));
    while (sizes.size() > mostAnswers)
        sizes.removeAt(sizes.first() == sizeOf(needed.resolved) ? 1 : 0);
    for (const Size& size : sizes) {
        const bool isNow = size == sizeOf(now);
        const bool isNeeded = size == sizeOf(needed.resolved);
        const GuideTrial trial = isNow ? tried(context.spec, profile, context.calibrations)
            : isNeeded                 ? needed
                                       : bestAt(context, size);
        GuideAnswer answer;
        answer.id = u"%1x%2"_s.arg(size.nodes).arg(size.gpus);
        answer.title = own && isNow ? u"As in your design"_s : titleOf(size, trial.resolved.node);
        answer.term = u"world size %1"_s.arg(size.world());
        answer.termId = u"world-size"_s;
        assess(answer, trial);
        // How it is spread is the next question: this size is not what is wrong.
        if (isNow && !answer.works() && firstThatFits(context)) {
            answer.obstacle.clear();
            answer.tone = Tone::Warn;
        }
        const auto price = guidePrice(trial.resolved, profile);
        answer.figures = figuresOf(trial, price);
        answer.why = speedSentence(trial, alone) + priceSentence(trial, price);
        if (const QString never = whyNeverStarted(trial.resolved, context); !never.isEmpty()) {
            answer.obstacle = never;
            answer.tone = Tone::Bad;
            answer.verdict = u"Never starts"_s;
        }
        answer.advised = isNeeded;
        if (isNow)
            question.chosen = int(question.answers.size());
        question.answers.append(answer);
    }
    if (const QString why = context.lockedWhy({field::nodes, field::gpusPerNode}); !why.isEmpty())
        lock(question, why);
    return question;
}

} // namespace rankwright::inline teaching::guideparts
