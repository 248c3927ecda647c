// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/designcommands.h"
#include "app/cli/answer.h"
#include "app/cli/checkcommand.h"
#include "app/cli/clusterscommand.h"
#include "app/cli/designfile.h"
#include "app/cli/loginoptions.h"
#include "app/cli/modelscommand.h"
#include "app/cli/readcommand.h"
#include "models/design/batchplan.h"
#include "models/script/scriptwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runScript(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    context.out << writeScript(design->resolved, *design->profile).text();
    return ExitDone;
}

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
            QJsonObject{{u"linear"_s, orNull(plan.scaleLinear)}, {u"sqrt"_s, orNull(plan.scaleSqrt)}}},
        {u"reason"_s, orNull(plan.reason)},
    };
}

int runBatch(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const BatchPlan plan = planBatch(design->resolved);
    if (context.json) {
        printJson(context.out, batchJson(plan));
        return ExitDone;
    }
    const auto figure
        = [](const std::optional<double>& value) { return value ? humanNumber(*value, 3) : u"not known"_s; };
    TextFacts facts;
    facts.add(u"global batch"_s,
        u"%1 = %2 per rank x %3 accumulated x %4 ranks"_s.arg(plan.globalBatch)
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
    facts.add(u"learning rate"_s,
        u"x %1 (linear rule), x %2 (square-root rule)"_s.arg(figure(plan.scaleLinear), figure(plan.scaleSqrt)));
    facts.add(u"why"_s, plan.reason);
    facts.print(context.out);
    return ExitDone;
}

} // namespace

QList<CliCommand> offlineCommands()
{
    return {
        {"clusters", "List the clusters of the catalogue; --draft asks a live cluster and drafts an entry for it",
            "[CLUSTER] | --draft NAME [--as NAME] [--save] [connection options as of connect]", runClusters,
            RANKWRIGHT_LOGIN_OPTIONS " draft= as= save", 0, 1},
        modelsCommand(),
        {"script", "Write the batch script of a design", "DESIGN", runScript, "", 1, 1},
        checkCommand(),
        readCommand(),
        {"cost", "Tell what a design costs by the site's own formula", "DESIGN [--budget UNITS]", runCost, "budget=", 1,
            1},
        {"bind", "Show the node, GPU, NUMA domain and cores of every rank",
            "DESIGN [--order GPU,GPU,...] [--gpus-per-task N] [--all-threads]", runBind,
            "order= gpus-per-task= all-threads", 1, 1},
        {"batch", "Solve global batch = micro-batch x accumulation x ranks", "DESIGN", runBatch, "", 1, 1},
    };
}

} // namespace rankwright
