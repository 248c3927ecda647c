// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/candidatejson.h"
#include "app/cli/designfile.h"
#include "app/cli/ownruns.h"
#include "models/planner/planning/advice.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// The answer where no layout can be recommended: the members of the other one, unknown, and why.
QJsonObject noAdviceJson(const Error& why)
{
    QJsonObject json{{u"reason"_s, why.oneLine()}, {u"alternatives"_s, QJsonArray()}, {u"assumes"_s, QJsonArray()}};
    for (const QString& member : {u"strategy"_s, u"launcher"_s, u"nodes"_s, u"gpusPerNode"_s, u"best"_s})
        json.insert(member, QJsonValue::Null);
    return json;
}

int runAdvise(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const BatchPlan batch = planBatch(design->resolved);
    if (const auto run = planRun(design->resolved, batch, *design->profile); !run)
        return report(context, run.error().within(design->name));
    const auto advice = advise(design->resolved, batch, *design->profile, ownRuns(context));
    if (!advice) { // it was understood, and nothing fits
        if (context.json)
            printJson(context.out, noAdviceJson(advice.error()));
        return report(context, advice.error().within(design->name), ExitNo);
    }
    if (context.json) {
        printJson(context.out,
            QJsonObject{{u"strategy"_s, toText(advice->strategy)}, {u"launcher"_s, toText(advice->launcher)},
                {u"nodes"_s, advice->nodes}, {u"gpusPerNode"_s, advice->gpusPerNode}, {u"reason"_s, advice->reason},
                {u"alternatives"_s, QJsonArray::fromStringList(advice->alternatives)},
                {u"best"_s, candidateJson(advice->best)}, {u"assumes"_s, assumesJson(advice->best.assumes)}});
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

CliCommand adviseCommand()
{
    return {
        .name = "advise",
        .summary = "Recommend strategy, launcher and size for a design's model",
        .words = "DESIGN",
        .run = runAdvise,
        .options = withOwnRuns(),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
