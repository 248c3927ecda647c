// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/cost.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/costformula.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

double amountOf(BillingTerm::Of of, const CostRequest& request)
{
    switch (of) {
    case BillingTerm::Of::Gpus: return double(request.gpus) * request.nodes;
    case BillingTerm::Of::Cores: return double(request.cores) * request.nodes;
    case BillingTerm::Of::MemoryGib: return request.memoryGib * request.nodes;
    case BillingTerm::Of::NvmeGib: return request.nvmeGib * request.nodes;
    case BillingTerm::Of::Nodes: return request.nodes;
    }
    return 0;
}

/// Who is named on a draw: the GPUs, since nothing can be saved without giving one up, then memory.
int drawRank(BillingTerm::Of of) { return of == BillingTerm::Of::Gpus ? 2 : of == BillingTerm::Of::MemoryGib ? 1 : 0; }

CostQuote::BillingAccount quoteRule(const BillingRule& rule, const CostRequest& request, double hours)
{
    CostQuote::BillingAccount billingAccount;
    billingAccount.billingAccount = rule.billingAccount;
    billingAccount.unit = rule.unit;
    billingAccount.summed = rule.combine == BillingRule::Combine::Sum;
    billingAccount.source = rule.source;
    double largest = -1;
    BillingTerm::Of decides = BillingTerm::Of::Nodes;
    for (const BillingTerm& term : rule.terms) {
        const CostQuote::Share share = shareOf(term, rule, request);
        billingAccount.shares.append(share);
        if (share.perHour > largest || (share.perHour == largest && drawRank(term.of) > drawRank(decides))) {
            largest = share.perHour;
            decides = term.of;
            billingAccount.decidedBy = term.of;
        }
    }
    billingAccount.perHour = pricePerHour(rule, request);
    billingAccount.amount = billingAccount.perHour * hours;
    return billingAccount;
}

CostQuote quote(const ClusterProfile& profile, const CostRequest& request, double hours)
{
    CostQuote result;
    const auto rules = rulesFor(profile, request.partition);
    if (rules.isEmpty())
        return result;
    QList<CostQuote::BillingAccount> billingAccounts;
    for (const BillingRule* rule : rules)
        billingAccounts.append(quoteRule(*rule, request, qMax(0.0, hours)));
    result.billingAccounts = billingAccounts;
    return result;
}

/// "2 GCDs", "1 core", "128 GiB of memory": what a share counts.
QString countedText(const CostQuote::Share& share, const QString& gpuWord)
{
    QString unit;
    switch (share.of) {
    case BillingTerm::Of::Gpus: unit = nounFor(share.asked, gpuWord); break;
    case BillingTerm::Of::Cores: unit = nounFor(share.asked, u"core"_s); break;
    case BillingTerm::Of::MemoryGib: unit = u"GiB of memory"_s; break;
    case BillingTerm::Of::NvmeGib: unit = u"GiB of local disk"_s; break;
    case BillingTerm::Of::Nodes: unit = nounFor(share.asked, u"node"_s); break;
    }
    return humanNumber(share.asked, 2) + u' ' + unit;
}

/// "0.5 GPU-hours", "1 GPU-hour".
QString unitsText(double units, const QString& unit)
{
    const bool one = units == 1 && unit.endsWith(u"-hours");
    return humanNumber(units, 2) + u' ' + (one ? unit.chopped(1) : unit);
}

} // namespace

QString toText(BillingTerm::Of of)
{
    switch (of) {
    case BillingTerm::Of::Gpus: return u"gpus"_s;
    case BillingTerm::Of::Cores: return u"cores"_s;
    case BillingTerm::Of::MemoryGib: return u"memory"_s;
    case BillingTerm::Of::NvmeGib: return u"nvme"_s;
    case BillingTerm::Of::Nodes: break;
    }
    return u"nodes"_s;
}

QString billedText(BillingTerm::Of of, const QString& gpuWord)
{
    return of == BillingTerm::Of::Gpus ? pluralOf(gpuWord) : toText(of);
}

CostRequest allocationOf(const ResolvedSpec& resolved)
{
    const NodeShape& node = resolved.node;
    Bytes memory = resolved.memoryPerNode.value_or(Bytes{});
    if (!resolved.memoryPerNode && node.memoryPerGpu)
        memory.count = node.memoryPerGpu->count * resolved.gpusPerNode;
    if (!resolved.memoryPerNode && node.knowsMemory())
        memory = qMin(memory, node.memory);
    const auto& options = resolved.spec.options;
    CostRequest request{resolved.partition, resolved.nodes, resolved.gpusPerNode,
        resolved.cpusPerGpu * resolved.gpusPerNode, memory.inGib(), options.localDisk.value_or(Bytes{}).inGib()};
    const bool whole = !resolved.partitionInfo.shared;
    if (!node.name.isEmpty() && (whole || options.exclusive.value_or(false))) { // what is allocated is billed
        request.gpus = node.gpus;
        request.cores = qMax(request.cores, node.usableCores);
        if (whole) // --exclusive on a shared partition leaves memory as asked (LUMI training materials, 201-Slurm)
            request.memoryGib = qMax(request.memoryGib, node.memory.inGib());
    }
    return request;
}

QList<const BillingRule*> rulesFor(const ClusterProfile& profile, const QString& partition)
{
    QList<const BillingRule*> rules;
    for (const BillingRule& rule : profile.billing) {
        if (rule.partitions.isEmpty() || rule.partitions.contains(partition))
            rules.append(&rule);
    }
    return rules;
}

CostQuote::Share shareOf(const BillingTerm& term, const BillingRule& rule, const CostRequest& request)
{
    CostQuote::Share share;
    share.of = term.of;
    share.asked = amountOf(term.of, request);
    share.per = term.per;
    // 1e-9: 0.1 GiB steps must not lift a slice that is exactly full
    share.slices = qMax(0.0, term.per ? std::ceil(share.asked / *term.per - 1e-9) : share.asked);
    share.perHour = rule.factor * term.weight * share.slices;
    return share;
}

double pricePerHour(const BillingRule& rule, const CostRequest& request)
{
    double price = 0;
    for (const BillingTerm& term : rule.terms) {
        const double units = shareOf(term, rule, request).perHour;
        price = rule.combine == BillingRule::Combine::Max ? qMax(price, units) : price + units;
    }
    return price;
}

std::optional<double> CostQuote::BillingAccount::share(BillingTerm::Of of) const
{
    std::optional<double> units;
    for (const Share& one : shares) {
        if (one.of == of)
            units = units.value_or(0.0) + one.perHour;
    }
    return units;
}

CostQuote quoteCost(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    CostQuote result = quote(profile, allocationOf(resolved), resolved.time.inHours());
    const auto rules = rulesFor(profile, resolved.partition);
    if (rules.isEmpty() || resolved.node.name.isEmpty())
        return result;
    result.cheaper = cheaperRequest(*rules.first(), resolved, profile);
    if (result.cheaper && result.cheaper->advised)
        result.advice = result.cheaper->text;
    return result;
}

CostQuote quoteCost(const ClusterProfile& profile, const QString& partition, int nodes, int gpusPerNode,
    int coresPerNode, Bytes memoryPerNode, double hours, double nvmeGibPerNode)
{
    return quote(profile, {partition, nodes, gpusPerNode, coresPerNode, memoryPerNode.inGib(), nvmeGibPerNode}, hours);
}

QStringList explainShares(const CostQuote::BillingAccount& billingAccount, const QString& gpuWord)
{
    QStringList lines;
    for (const CostQuote::Share& share : billingAccount.shares) {
        if (share.asked <= 0)
            continue;
        const QString asked = countedText(share, gpuWord);
        const QString price = unitsText(share.perHour, billingAccount.unit);
        if (share.per && *share.per != 1)
            lines.append(u"%1 count as %2 of %3: %4"_s.arg(asked,
                humanNumber(share.slices) + u' ' + nounFor(double(share.slices), u"slice"_s),
                humanNumber(*share.per, 2), price));
        else
            lines.append(u"%1: %2"_s.arg(asked, price));
    }
    return lines;
}

std::optional<BudgetShare> budgetShare(const CostQuote::BillingAccount& billingAccount, double budget)
{
    if (!(budget > 0))
        return std::nullopt;
    BudgetShare share;
    share.percent = 100 * billingAccount.amount / budget;
    if (billingAccount.amount > 0)
        share.jobs = std::floor(budget / billingAccount.amount + 1e-9);
    if (billingAccount.perHour > 0)
        share.hours = budget / billingAccount.perHour;
    return share;
}

} // namespace rankwright::inline planner
