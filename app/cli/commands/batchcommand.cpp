// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "models/planner/design/batchsolver.h"
#include "models/planner/planning/designestimate.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject batchJson(const BatchPlan& plan)
{
    QJsonArray nearest;
    for (const qint64 batch : plan.nearest)
        nearest.append(static_cast<double>(batch));
    return {
        {u"globalBatch"_s, static_cast<double>(plan.globalBatch)},
        {u"microBatch"_s, static_cast<double>(plan.microBatch)},
        {u"gradientAccumulation"_s, static_cast<double>(plan.gradientAccumulation)},
        {u"dataParallel"_s, plan.dataParallel},
        {u"stepsPerEpoch"_s, orNull(plan.stepsPerEpoch)},
        {u"exact"_s, plan.exact},
        {u"nearest"_s, nearest},
        {u"learningRateScale"_s,
            QJsonObject{{u"linear"_s, orNull(plan.scaleLinear)}, {u"sqrt"_s, orNull(plan.scaleSqrt)},
                {u"rule"_s,
                    !plan.rule                                  ? QJsonValue()
                        : *plan.rule == ScalingRule::SquareRoot ? QJsonValue(u"sqrt"_s)
                                                                : QJsonValue(u"linear"_s)}}},
        {u"warmupSteps"_s, orNull(plan.warmupSteps)},
        {u"warmupReason"_s, orNull(plan.warmupReason)},
        {u"reason"_s, orNull(plan.reason)},
    };
}

void printBatch(const CliContext& context, const BatchPlan& plan)
{
    const auto figure
        = [](const std::optional<double>& value) { return value ? humanNumber(*value, 3) : u"not known"_s; };
    TextFacts facts;
    facts.add(u"global batch"_s,
        u"%1 = %2 per rank x %3 accumulation steps x %4 ranks"_s.arg(plan.globalBatch)
            .arg(plan.microBatch)
            .arg(plan.gradientAccumulation)
            .arg(plan.dataParallel));
    if (!plan.exact) {
        QStringList nearest;
        for (const qint64 batch : plan.nearest)
            nearest.append(QString::number(batch));
        facts.add(u"asked for"_s, u"not possible; the nearest are "_s + nearest.join(u", "_s));
    }
    facts.add(u"steps per epoch"_s, figure(plan.stepsPerEpoch));
    const bool squareRoot = plan.rule.value_or(ScalingRule::Linear) == ScalingRule::SquareRoot;
    facts.add(u"learning rate"_s,
        (!plan.rule          ? u"x %1 (linear rule, SGD), x %2 (square-root rule, Adam)"_s
                : squareRoot ? u"x %2 (square-root rule of this optimiser); x %1 would be the linear rule of SGD"_s
                             : u"x %1 (linear rule of SGD); x %2 would be the square-root rule of Adam"_s)
            .arg(figure(plan.scaleLinear), figure(plan.scaleSqrt)));
    if (plan.warmupSteps)
        facts.add(u"warm-up"_s, u"%1 steps: %2"_s.arg(humanNumber(*plan.warmupSteps, 0), plan.warmupReason));
    facts.add(u"why"_s, plan.reason);
    facts.print(context.out);
}

/// A term given as an option; false: it is not a whole number.
bool readTerm(const CliContext& context, const QString& option, std::optional<qint64>& term)
{
    if (!context.has(option))
        return true;
    bool read = false;
    term = context.option(option).toLongLong(&read);
    return read;
}

/// Terms and data set of the design, where there is one, with the options before them.
Result<BatchPlan> solved(const CliContext& context)
{
    BatchTerms terms;
    std::optional<qint64> samples;
    std::optional<double> epochs;
    std::optional<ScalingRule> rule;
    if (!context.positional.isEmpty()) {
        const Result<LoadedDesign> design = loadDesign(context);
        if (!design)
            return fail(design.error());
        const auto& training = design->resolved.spec.training;
        terms = {training.globalBatch, training.microBatch, std::nullopt, design->resolved.dataParallel()};
        if (const auto counted = samplesOf(design->resolved))
            samples = qint64(std::ceil(*counted));
        epochs = training.epochs;
        if (training.optimizer)
            rule = scalingRule(*training.optimizer);
    }
    for (const auto& [option, term] : {std::pair(u"global"_s, &terms.global), std::pair(u"micro"_s, &terms.micro),
             std::pair(u"accumulation"_s, &terms.accumulation), std::pair(u"ranks"_s, &terms.ranks),
             std::pair(u"samples"_s, &samples)})
        if (!readTerm(context, option, *term))
            return fail(Fault::Invalid, u"--%1 %2 is not a whole number"_s.arg(option, context.option(option).left(40)),
                {}, u"give one of at least 1"_s);
    if (samples && *samples < 1)
        return fail(Fault::Invalid, u"--samples is %1"_s.arg(*samples), {}, u"give a whole number from 1"_s);
    const Result<BatchSolution> solution = solveBatch(terms);
    if (!solution)
        return fail(solution.error());
    BatchPlan plan = planOf(*solution, samples, epochs);
    plan.rule = rule;
    return plan;
}

/// The batch, and the largest micro-batch that memory allows; empty: no design, or one that names no model.
struct AskedBatch {
    BatchPlan plan;
    std::optional<double> largestMicroBatch;
};

Result<AskedBatch> asked(const CliContext& context)
{
    const bool options = context.has(u"global"_s) || context.has(u"micro"_s) || context.has(u"accumulation"_s)
        || context.has(u"ranks"_s) || context.has(u"samples"_s);
    if (options) {
        const auto plan = solved(context);
        return plan ? Result<AskedBatch>(AskedBatch{*plan, {}}) : fail(plan.error());
    }
    if (context.positional.isEmpty())
        return fail(Fault::Invalid, u"batch needs a design or a term"_s, {},
            u"give a design file, or some of --global, --micro, --accumulation, --ranks"_s);
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return fail(design.error());
    AskedBatch batch{planBatch(design->resolved), {}};
    if (const auto estimate = estimateDesign(design->resolved, batch.plan, *design->profile))
        batch.largestMicroBatch = double(estimate->largestMicroBatch);
    return batch;
}

int runBatch(const CliContext& context)
{
    const Result<AskedBatch> batch = asked(context);
    if (!batch)
        return report(context, batch.error());
    if (context.json) {
        QJsonObject answer = batchJson(batch->plan);
        answer.insert(u"largestMicroBatch"_s, orNull(batch->largestMicroBatch));
        printJson(context.out, answer);
    } else {
        printBatch(context, batch->plan);
        if (batch->largestMicroBatch)
            context.out << (*batch->largestMicroBatch < 1
                    ? u"Not even one sample fits a GPU's memory.\n"_s
                    : u"Memory allows micro-batches up to %1.\n"_s.arg(humanNumber(*batch->largestMicroBatch)));
    }
    return ExitDone;
}

} // namespace

CliCommand batchCommand()
{
    return {
        .name = "batch",
        .summary = "Solve global batch = micro-batch x accumulation x ranks in any direction",
        .words = "[DESIGN]",
        .run = runBatch,
        .options = {{.name = "global", .value = "N", .text = "the global batch"},
            {.name = "micro", .value = "N", .text = "samples of one GPU in one pass"},
            {.name = "accumulation", .value = "N", .text = "passes of one step"},
            {.name = "ranks", .value = "N", .text = "GPUs that share the batch"},
            {.name = "samples", .value = "N", .text = "samples of an epoch"}},
        .maximumWords = 1,
    };
}

} // namespace rankwright
