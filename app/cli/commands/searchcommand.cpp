// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/searchcommand.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "models/planning/advice.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr double gib = double(1LL << 30);

QJsonObject candidateJson(const Candidate& one)
{
    const Layout& layout = one.layout;
    return {{u"nodes"_s, layout.nodes}, {u"gpus"_s, layout.gpus()}, {u"gpusPerNode"_s, layout.gpusPerNode},
        {u"strategy"_s, toText(one.strategy)}, {u"framework"_s, one.stack}, {u"data"_s, layout.data},
        {u"tensor"_s, layout.tensor}, {u"pipeline"_s, layout.pipeline}, {u"context"_s, layout.context},
        {u"microBatch"_s, double(layout.microBatch)}, {u"gradientAccumulation"_s, double(layout.accumulation)},
        {u"globalBatch"_s, double(layout.globalBatch())}, {u"activationCheckpointing"_s, toText(one.recompute)},
        {u"offload"_s, toText(one.offload)}, {u"memoryBytes"_s, one.memoryBytes}, {u"usableBytes"_s, one.usableBytes},
        {u"verdict"_s, toText(one.verdict)}, {u"stepSeconds"_s, one.stepSeconds},
        {u"tokensPerSecond"_s, one.tokensPerSecond}, {u"mfu"_s, one.mfu}, {u"cost"_s, orNull(one.cost)},
        {u"pareto"_s, one.pareto}, {u"why"_s, one.why}};
}

QJsonArray candidatesJson(const QList<Candidate>& candidates)
{
    QJsonArray json;
    for (const Candidate& one : candidates)
        json.append(candidateJson(one));
    return json;
}

QJsonObject searchJson(const SearchResult& found)
{
    QJsonArray rejected;
    for (const Rejection& one : found.rejected)
        rejected.append(QJsonObject{{u"reason"_s, one.reason}, {u"count"_s, double(one.count)}});
    return {{u"examined"_s, double(found.examined)}, {u"feasible"_s, double(found.feasible)},
        {u"elapsedSeconds"_s, found.elapsedSeconds}, {u"objective"_s, toText(found.objective)},
        {u"costOf"_s, orNull(found.costOf)}, {u"costUnit"_s, orNull(found.costUnit)},
        {u"candidates"_s, candidatesJson(found.candidates)}, {u"pareto"_s, candidatesJson(found.pareto)},
        {u"rejected"_s, rejected}};
}

void printSearch(const CliContext& context, const SearchResult& found)
{
    TextTable table({u"nodes"_s, u"GPUs"_s, u"strategy"_s, u"data x tensor x pipeline"_s, u"micro x turns"_s,
        u"recompute"_s, u"offload"_s, u"GiB"_s, u"step s"_s, u"tokens/s"_s, u"MFU"_s,
        found.costUnit.isEmpty() ? u"cost"_s : u"%1 for %2"_s.arg(found.costUnit, found.costOf)});
    for (const Candidate& one : found.candidates) {
        const Layout& layout = one.layout;
        table.add({QString::number(layout.nodes), QString::number(layout.gpus()), strategyWords(one.strategy),
            u"%1 x %2 x %3"_s.arg(layout.data).arg(layout.tensor).arg(layout.pipeline),
            u"%1 x %2"_s.arg(layout.microBatch).arg(layout.accumulation), toText(one.recompute), toText(one.offload),
            humanNumber(one.memoryBytes / gib, 1), humanNumber(one.stepSeconds, 3), humanNumber(one.tokensPerSecond),
            humanNumber(one.mfu, 2), one.cost ? humanNumber(*one.cost, 2) : u"not published"_s});
    }
    table.print(context.out);
    context.out << u"%1 layouts examined, %2 can run, %3 ms.\n"_s.arg(humanNumber(double(found.examined)),
        humanNumber(double(found.feasible)), humanNumber(found.elapsedSeconds * 1000, 1));
    for (const Rejection& one : found.rejected)
        context.out << u"  %1 %2\n"_s.arg(humanNumber(double(one.count)), one.reason);
}

/// A whole number of an option; the error names it.
Result<int> wholeOption(const CliContext& context, const QString& name, int fallback, int most)
{
    if (!context.has(name))
        return fallback;
    bool good = false;
    const int value = context.option(name).toInt(&good);
    if (!good || value < 1 || value > most)
        return fail(Fault::Invalid,
            u"--%1 takes a whole number from 1 to %2, found “%3”"_s.arg(name).arg(most).arg(context.option(name)));
    return value;
}

int runSearch(const CliContext& context)
{
    SearchLimits limits;
    const auto nodes = wholeOption(context, u"max-nodes"_s, 0, 10000), top = wholeOption(context, u"top"_s, 20, 100000);
    if (!nodes || !top)
        return report(context, nodes ? top.error() : nodes.error());
    limits.maxNodes = *nodes;
    limits.top = *top;
    if (context.has(u"objective"_s)) {
        const auto objective = objectiveFrom(context.option(u"objective"_s));
        if (!objective)
            return report(context,
                Error{Fault::Invalid,
                    u"--objective takes time, cost or nodes, found “%1”"_s.arg(context.option(u"objective"_s)), {},
                    {}});
        limits.objective = *objective;
    }
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const auto found = searchLayouts(design->resolved, planBatch(design->resolved), *design->profile, limits);
    if (!found)
        return report(context, found.error().within(design->name));
    if (context.json)
        printJson(context.out, searchJson(*found));
    else
        printSearch(context, *found);
    return found->feasible > 0 ? ExitDone : ExitNo;
}

int runAdvise(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const BatchPlan batch = planBatch(design->resolved);
    if (const auto run = planRun(design->resolved, batch, *design->profile); !run)
        return report(context, run.error().within(design->name));
    const auto advice = advise(design->resolved, batch, *design->profile);
    if (!advice) // it was understood, and nothing fits
        return report(context, advice.error().within(design->name), ExitNo);
    if (context.json) {
        printJson(context.out,
            QJsonObject{{u"strategy"_s, toText(advice->strategy)}, {u"launcher"_s, toText(advice->launcher)},
                {u"nodes"_s, advice->nodes}, {u"gpusPerNode"_s, advice->gpusPerNode}, {u"reason"_s, advice->reason},
                {u"alternatives"_s, QJsonArray::fromStringList(advice->alternatives)},
                {u"best"_s, candidateJson(advice->best)}});
        return ExitDone;
    }
    TextFacts facts;
    facts.add(u"use"_s,
        u"%1, started by %2, on %3 x %4 GPUs"_s.arg(strategyWords(advice->strategy), toText(advice->launcher))
            .arg(advice->nodes)
            .arg(advice->gpusPerNode));
    facts.add(u"why"_s, advice->reason);
    for (const QString& other : advice->alternatives)
        facts.add(u"or"_s, other);
    facts.print(context.out);
    return ExitDone;
}

} // namespace

QList<CliCommand> planCommands()
{
    return {
        {"estimate", "Estimate memory per GPU, step time and rate of a design, or of a table of runs",
            "DESIGN | --runs RUNS.csv", runEstimate, "runs=", 0, 1},
        {"search", "Search all layouts that fit and rank them",
            "DESIGN [--max-nodes N] [--objective time|cost|nodes] [--top K]", runSearch,
            "max-nodes= objective= top=", 1, 1},
        {"advise", "Recommend strategy, launcher and size for a design's model", "DESIGN", runAdvise, "", 1, 1},
    };
}

} // namespace rankwright
