// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/candidatejson.h"
#include "app/cli/designfile.h"
#include "app/cli/ownruns.h"
#include "models/core/quantitytext.h"
#include "models/planning/advice.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr double bytesPerGib = double(1LL << 30);

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
        {u"partition"_s, orNull(found.partition)}, {u"costOf"_s, orNull(found.costOf)},
        {u"costUnit"_s, orNull(found.costUnit)}, {u"candidates"_s, candidatesJson(found.candidates)},
        {u"pareto"_s, candidatesJson(found.pareto)}, {u"rejected"_s, rejected}};
}

void printSearch(const CliContext& context, const SearchResult& found)
{
    TextTable table({u"nodes"_s, u"GPUs"_s, u"strategy"_s, u"data x tensor x pipeline"_s, u"micro x accumulation"_s,
        u"recompute"_s, u"offload"_s, u"GiB"_s, u"step s"_s, u"tokens/s"_s, u"MFU"_s,
        found.costUnit.isEmpty() ? u"cost"_s : u"%1 for %2"_s.arg(found.costUnit, found.costOf)});
    for (const Candidate& one : found.candidates) {
        const Layout& layout = one.layout;
        table.add({QString::number(layout.nodes), QString::number(layout.gpus()), strategyWords(one.strategy),
            u"%1 x %2 x %3"_s.arg(layout.data).arg(layout.tensor).arg(layout.pipeline),
            u"%1 x %2"_s.arg(layout.microBatch).arg(layout.accumulation), toText(one.recompute), toText(one.offload),
            humanNumber(one.memoryBytes / bytesPerGib, 1), humanNumber(one.stepSeconds, 3),
            humanNumber(one.tokensPerSecond), humanNumber(one.mfu, 2),
            one.cost ? humanNumber(*one.cost, 2) : u"not published"_s});
    }
    table.print(context.out);
    context.out << u"%1 examined, %2 can run, %3 ms.\n"_s.arg(counted(found.examined, u"layout"_s),
        humanNumber(double(found.feasible)), humanNumber(found.elapsedSeconds * 1000, 1));
    if (!found.partition.isEmpty())
        context.out << u"Only sizes that %1 takes: the design names it.\n"_s.arg(found.partition);
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
    const auto found
        = searchLayouts(design->resolved, planBatch(design->resolved), *design->profile, limits, ownRuns(context));
    if (!found)
        return report(context, found.error().within(design->name));
    if (context.json)
        printJson(context.out, searchJson(*found));
    else
        printSearch(context, *found);
    return found->feasible > 0 ? ExitDone : ExitNo;
}

} // namespace

CliCommand searchCommand()
{
    return {
        .name = "search",
        .summary = "Search all layouts that fit and rank them",
        .words = "DESIGN",
        .run = runSearch,
        .options = withOwnRuns({{.name = "max-nodes", .value = "N", .text = "most nodes of a layout"},
            {.name = "objective", .value = "time|cost|nodes", .text = "what the best layout has least of"},
            {.name = "top", .value = "K", .text = "how many layouts"}}),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
