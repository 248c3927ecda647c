// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer.h"
#include "app/cli/clusterscommand.h"
#include "app/cli/designfile.h"
#include "models/design/batchplan.h"
#include "models/design/cost.h"
#include "models/design/parallelplan.h"
#include "models/document/rules.h"
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

/// All findings of a design, with the members that the reader did not know.
QList<Finding> findingsOf(const LoadedDesign& design)
{
    QList<Finding> findings = check(design.resolved, *design.profile);
    for (const QString& path : design.unknownMembers) {
        Finding finding;
        finding.severity = Severity::Warning;
        finding.rule = u"R00"_s;
        finding.slug = u"unknown-member"_s;
        finding.field = path.startsWith(u"$.") ? path.mid(2) : path;
        finding.text = u"“%1” is not a member of a design: it changes nothing. Check its spelling, or remove it."_s.arg(
            finding.field);
        findings.append(finding);
    }
    return findings;
}

QJsonObject findingJson(const Finding& finding)
{
    return {
        {u"severity"_s, toText(finding.severity)},
        {u"rule"_s, orNull(finding.rule)},
        {u"slug"_s, orNull(finding.slug)},
        {u"line"_s, finding.line >= 0 ? QJsonValue(finding.line + 1) : QJsonValue()},
        {u"field"_s, orNull(finding.field)},
        {u"text"_s, finding.text},
        {u"fix"_s, finding.fix ? orNull(finding.fix->label) : QJsonValue()},
        {u"source"_s, orNull(finding.source)},
    };
}

void printFindings(const CliContext& context, const QList<Finding>& findings)
{
    if (findings.isEmpty()) {
        context.out << u"No findings.\n"_s;
        return;
    }
    for (const Finding& finding : findings) {
        context.out << toText(finding.severity).leftJustified(8) << finding.rule.leftJustified(5) << finding.text
                    << u'\n';
        if (!finding.field.isEmpty())
            context.out << QString(13, u' ') << u"field: "_s << finding.field << u'\n';
        if (finding.fix)
            context.out << QString(13, u' ') << u"fix: "_s << finding.fix->label << u'\n';
    }
}

int runCheck(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const QList<Finding> findings = findingsOf(*design);
    if (context.json) {
        QJsonArray list;
        for (const Finding& finding : findings)
            list.append(findingJson(finding));
        printJson(context.out, QJsonObject{{u"findings"_s, list}});
    } else {
        printFindings(context, findings);
    }
    const bool refused = std::any_of(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; });
    return refused ? ExitNo : ExitDone;
}

QJsonObject purseJson(const CostQuote::Purse& purse)
{
    return {
        {u"unit"_s, orNull(purse.unit)},
        {u"amount"_s, purse.amount},
        {u"perHour"_s, purse.perHour},
        {u"shares"_s,
            QJsonObject{{u"gpus"_s, purse.gpuShare}, {u"cores"_s, purse.coreShare}, {u"memory"_s, purse.memoryShare}}},
        {u"decidedBy"_s, orNull(purse.decidedBy)},
        {u"source"_s, orNull(purse.source)},
    };
}

QJsonObject costJson(const CostQuote& quote)
{
    if (!quote.purses || quote.purses->isEmpty()) {
        return {{u"unit"_s, QJsonValue()}, {u"amount"_s, QJsonValue()}, {u"perHour"_s, QJsonValue()},
            {u"shares"_s, QJsonValue()}, {u"decidedBy"_s, QJsonValue()}, {u"advice"_s, orNull(quote.advice)}};
    }
    QJsonObject answer;
    if (quote.purses->size() == 1) {
        answer = purseJson(quote.purses->first());
    } else {
        QJsonArray purses;
        for (const CostQuote::Purse& purse : *quote.purses) {
            QJsonObject one = purseJson(purse);
            one.insert(u"purse"_s, orNull(purse.purse));
            purses.append(one);
        }
        answer.insert(u"purses"_s, purses);
    }
    answer.insert(u"advice"_s, orNull(quote.advice));
    return answer;
}

int runCost(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const CostQuote quote = quoteCost(design->resolved, *design->profile);
    if (context.json) {
        printJson(context.out, costJson(quote));
        return ExitDone;
    }
    if (!quote.purses || quote.purses->isEmpty()) {
        context.out << design->profile->title << u" publishes no billing formula: the cost is not known.\n"_s;
        return ExitDone;
    }
    TextTable table({u"purse"_s, u"for "_s + humanDuration(design->resolved.time), u"per hour"_s, u"unit"_s,
        u"decided by"_s, u"formula"_s});
    for (const CostQuote::Purse& purse : *quote.purses) {
        table.add({purse.purse.isEmpty() ? u"project"_s : purse.purse, humanNumber(purse.amount, 2),
            humanNumber(purse.perHour, 2), purse.unit, purse.decidedBy, purse.source});
    }
    table.print(context.out);
    if (!quote.advice.isEmpty())
        context.out << quote.advice << u'\n';
    return ExitDone;
}

QJsonObject rankJson(const RankPlace& place)
{
    QJsonArray cores;
    for (const int core : place.cores)
        cores.append(core);
    return {
        {u"rank"_s, place.rank},
        {u"node"_s, place.node},
        {u"localRank"_s, place.localRank},
        {u"gpu"_s, place.gpu},
        {u"numa"_s, orNull(place.numa)},
        {u"cores"_s, cores},
        {u"mask"_s, orNull(place.mask)},
    };
}

int runBind(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    const ParallelPlan plan = planRanks(design->resolved, *design->profile);
    if (context.json) {
        QJsonArray ranks;
        for (const RankPlace& place : plan.ranks)
            ranks.append(rankJson(place));
        printJson(context.out,
            QJsonObject{{u"ranks"_s, ranks}, {u"bound"_s, plan.bound}, {u"reason"_s, orNull(plan.unboundReason)}});
        return ExitDone;
    }
    TextTable table(
        {u"rank"_s, u"node"_s, u"local"_s, design->resolved.node.gpu.word, u"NUMA"_s, u"cores"_s, u"mask"_s});
    for (const RankPlace& place : plan.ranks) {
        QStringList cores;
        for (const int core : place.cores)
            cores.append(QString::number(core));
        table.add({QString::number(place.rank), QString::number(place.node), QString::number(place.localRank),
            QString::number(place.gpu), place.numa ? QString::number(*place.numa) : u"not known"_s,
            cores.isEmpty() ? u"not bound"_s : cores.join(u','), place.mask});
    }
    table.print(context.out);
    if (!plan.bound)
        context.out << plan.unboundReason << u'\n';
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
        {"clusters", "List the clusters of the catalogue with their partitions", "", runClusters, "", 0, 0},
        {"script", "Write the batch script of a design", "DESIGN", runScript, "", 1, 1},
        {"check", "Check a design against its cluster; exit code 1 when it would fail", "DESIGN", runCheck, "", 1, 1},
        {"cost", "Tell what a design costs by the site's own formula", "DESIGN", runCost, "", 1, 1},
        {"bind", "Show the node, GPU, NUMA domain and cores of every rank", "DESIGN", runBind, "", 1, 1},
        {"batch", "Solve global batch = micro-batch x accumulation x ranks", "DESIGN", runBatch, "", 1, 1},
    };
}

} // namespace rankwright
