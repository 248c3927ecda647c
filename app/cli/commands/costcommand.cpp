// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/designfile.h"
#include "models/planner/design/cost.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

using Of = BillingTerm::Of;

QJsonObject sharesJson(const CostQuote::BillingAccount& billingAccount)
{
    // GPUs, cores and memory are always reported, as null where the formula does not count them; others where it does.
    QJsonObject shares;
    for (const Of of : {Of::Gpus, Of::Cores, Of::MemoryGib, Of::NvmeGib, Of::Nodes}) {
        const auto units = billingAccount.share(of);
        if (units || of == Of::Gpus || of == Of::Cores || of == Of::MemoryGib)
            shares.insert(toText(of), orNull(units));
    }
    return shares;
}

QJsonObject billingAccountJson(const CostQuote::BillingAccount& billingAccount, const QString& gpuWord)
{
    QJsonArray explained;
    for (const QString& line : explainShares(billingAccount, gpuWord))
        explained.append(line);
    return {
        {u"unit"_s, orNull(billingAccount.unit)},
        {u"amount"_s, billingAccount.amount},
        {u"perHour"_s, billingAccount.perHour},
        {u"shares"_s, sharesJson(billingAccount)},
        {u"decidedBy"_s, billingAccount.decidedBy ? QJsonValue(toText(*billingAccount.decidedBy)) : QJsonValue()},
        {u"billed"_s, billingAccount.summed ? u"sum"_s : u"largest"_s},
        {u"explained"_s, explained},
        {u"source"_s, orNull(billingAccount.source)},
    };
}

QJsonValue cheaperJson(const CostQuote& quote, double hours)
{
    if (!quote.cheaper)
        return {};
    const CheaperRequest& cheaper = *quote.cheaper;
    QJsonObject change;
    if (cheaper.partition)
        change.insert(u"partition"_s, *cheaper.partition);
    if (cheaper.nodes)
        change.insert(u"resources.nodes"_s, *cheaper.nodes);
    if (cheaper.gpusPerNode)
        change.insert(u"resources.gpusPerNode"_s, *cheaper.gpusPerNode);
    if (cheaper.cpusPerGpu)
        change.insert(u"resources.cpusPerGpu"_s, *cheaper.cpusPerGpu);
    if (cheaper.memoryPerNode)
        change.insert(u"resources.memoryPerNode"_s, slurmMemory(*cheaper.memoryPerNode));
    return QJsonObject{{u"perHour"_s, cheaper.perHour}, {u"amount"_s, cheaper.perHour * hours},
        {u"keepsGpus"_s, cheaper.keepsGpus}, {u"change"_s, change}, {u"text"_s, cheaper.text}};
}

QJsonValue budgetJson(const CostQuote& quote, std::optional<double> budget)
{
    if (!budget || !quote.billingAccounts || quote.billingAccounts->isEmpty())
        return {};
    const auto share = budgetShare(quote.billingAccounts->first(), *budget);
    if (!share)
        return {};
    return QJsonObject{{u"amount"_s, *budget}, {u"unit"_s, quote.billingAccounts->first().unit},
        {u"sharePercent"_s, share->percent}, {u"jobs"_s, orNull(share->jobs)},
        {u"lastsSeconds"_s, share->hours ? QJsonValue(*share->hours * 3600) : QJsonValue()}};
}

QJsonObject costJson(const CostQuote& quote, const LoadedDesign& design, std::optional<double> budget)
{
    QJsonObject answer;
    const QString word = design.resolved.node.gpu.word;
    if (!quote.billingAccounts || quote.billingAccounts->isEmpty()) {
        for (const QString& member : {u"unit"_s, u"amount"_s, u"perHour"_s, u"shares"_s, u"decidedBy"_s, u"source"_s})
            answer.insert(member, QJsonValue());
    } else if (quote.billingAccounts->size() == 1) {
        answer = billingAccountJson(quote.billingAccounts->first(), word);
    } else {
        QJsonArray billingAccounts;
        for (const CostQuote::BillingAccount& billingAccount : *quote.billingAccounts) {
            QJsonObject one = billingAccountJson(billingAccount, word);
            one.insert(u"purse"_s, orNull(billingAccount.billingAccount));
            billingAccounts.append(one);
        }
        answer.insert(u"purses"_s, billingAccounts);
    }
    answer.insert(u"advice"_s, orNull(quote.advice));
    answer.insert(u"cheaper"_s, cheaperJson(quote, design.resolved.time.inHours()));
    if (budget)
        answer.insert(u"budget"_s, budgetJson(quote, budget));
    return answer;
}

void printCost(const CliContext& context, const CostQuote& quote, const LoadedDesign& design)
{
    TextTable table({u"billing account"_s, u"for "_s + humanDuration(design.resolved.time), u"per hour"_s, u"unit"_s,
        u"decided by"_s, u"formula"_s});
    for (const CostQuote::BillingAccount& billingAccount : *quote.billingAccounts) {
        table.add({billingAccount.billingAccount.isEmpty() ? u"project"_s : billingAccount.billingAccount,
            humanNumber(billingAccount.amount, 2), humanNumber(billingAccount.perHour, 2), billingAccount.unit,
            billingAccount.decidedBy ? toText(*billingAccount.decidedBy) : QString(), billingAccount.source});
    }
    table.print(context.out);
    for (const CostQuote::BillingAccount& billingAccount : *quote.billingAccounts) {
        context.out << (billingAccount.shares.size() < 2 ? u"Each hour costs:\n"_s
                : billingAccount.summed                  ? u"Each hour adds up:\n"_s
                                                         : u"Each hour costs the largest of:\n"_s);
        for (const QString& line : explainShares(billingAccount, design.resolved.node.gpu.word))
            context.out << u"  "_s << line << u'\n';
    }
    if (quote.cheaper)
        context.out << u"Next cheaper: "_s << quote.cheaper->text << u'\n';
}

void printBudget(const CliContext& context, const CostQuote& quote, double budget)
{
    const CostQuote::BillingAccount& billingAccount = quote.billingAccounts->first();
    const auto share = budgetShare(billingAccount, budget);
    if (!share)
        return;
    context.out << u"Of a budget of %1 %2 this job takes %3 %"_s.arg(
        humanNumber(budget, 2), billingAccount.unit, humanNumber(share->percent, 2));
    if (share->jobs && share->hours)
        context.out << u"; it pays %1 such jobs, or this request for %2"_s.arg(
            humanNumber(*share->jobs), humanDuration(Seconds{qint64(qMin(*share->hours * 3600, 1e15))}));
    context.out << u".\n"_s;
}

int runCost(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    std::optional<double> budget;
    if (context.has(u"budget"_s)) {
        bool number = false;
        budget = context.option(u"budget"_s).toDouble(&number);
        if (!number || !(*budget > 0))
            return report(context,
                {Fault::Invalid, u"--budget “%1” is not an amount"_s.arg(context.option(u"budget"_s)), {},
                    u"give a number above 0, in the site's billing units"_s});
    }
    const CostQuote quote = quoteCost(design->resolved, *design->profile);
    if (context.json) {
        printJson(context.out, costJson(quote, *design, budget));
        return ExitDone;
    }
    if (!quote.billingAccounts || quote.billingAccounts->isEmpty()) {
        context.out << design->profile->title << u" publishes no billing formula: the cost is not known.\n"_s;
        return ExitDone;
    }
    printCost(context, quote, *design);
    if (budget)
        printBudget(context, quote, *budget);
    return ExitDone;
}

} // namespace

CliCommand costCommand()
{
    return {
        .name = "cost",
        .summary = "Print what a design costs by the site's own formula",
        .words = "DESIGN",
        .run = runCost,
        .options = {{.name = "budget", .value = "UNITS", .text = "also how much of this budget that is"}},
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
