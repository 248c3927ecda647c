// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/cost.h"

#include "models/design/partitionchoice.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// What one node gives to the job.
struct Request {
    QString partition;
    int nodes = 1;
    int gpus = 0;
    int cores = 0;
    double memoryGib = 0;
    double nvmeGib = 0;
};

double amountOf(BillingTerm::Of of, const Request& request)
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

QString nameOf(BillingTerm::Of of)
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

double unitsOf(const BillingTerm& term, const BillingRule& rule, const Request& request)
{
    const double amount = amountOf(term.of, request);
    // 1e-9: 0.1 GiB steps must not lift a slice that is exactly full
    const double slices = term.per ? std::ceil(amount / *term.per - 1e-9) : amount;
    return rule.factor * term.weight * qMax(0.0, slices);
}

CostQuote::Purse quoteRule(const BillingRule& rule, const Request& request, double hours)
{
    CostQuote::Purse purse{rule.purse, rule.unit, 0, 0, 0, 0, 0, {}, rule.source};
    double largest = -1;
    for (const BillingTerm& term : rule.terms) {
        const double units = unitsOf(term, rule, request);
        if (term.of == BillingTerm::Of::Gpus)
            purse.gpuShare += units;
        else if (term.of == BillingTerm::Of::Cores)
            purse.coreShare += units;
        else if (term.of == BillingTerm::Of::MemoryGib)
            purse.memoryShare += units;
        purse.perHour = rule.combine == BillingRule::Combine::Max ? qMax(purse.perHour, units) : purse.perHour + units;
        // on a draw the GPUs decide: nothing can be saved without giving one up
        if (units > largest || (units == largest && term.of == BillingTerm::Of::Gpus)) {
            largest = units;
            purse.decidedBy = nameOf(term.of);
        }
    }
    purse.amount = purse.perHour * hours;
    return purse;
}

QList<BillingRule> rulesFor(const ClusterProfile& profile, const QString& partition)
{
    QList<BillingRule> rules;
    for (const BillingRule& rule : profile.billing) {
        if (rule.partitions.isEmpty() || rule.partitions.contains(partition))
            rules.append(rule);
    }
    return rules;
}

CostQuote quote(const ClusterProfile& profile, const Request& request, double hours)
{
    CostQuote result;
    const auto rules = rulesFor(profile, request.partition);
    if (rules.isEmpty())
        return result;
    QList<CostQuote::Purse> purses;
    for (const BillingRule& rule : rules)
        purses.append(quoteRule(rule, request, qMax(0.0, hours)));
    result.purses = purses;
    return result;
}

Request requestOf(const ResolvedSpec& resolved)
{
    const NodeShape& node = resolved.node;
    Bytes memory = resolved.memoryPerNode.value_or(Bytes{});
    if (!resolved.memoryPerNode && node.memoryPerGpu)
        memory.count = node.memoryPerGpu->count * resolved.gpusPerNode;
    if (!resolved.memoryPerNode && node.knowsMemory())
        memory = qMin(memory, node.memory);
    return {resolved.partition, resolved.nodes, resolved.gpusPerNode, resolved.cpusPerGpu * resolved.gpusPerNode,
        memory.inGib(), 0};
}

double perHour(const BillingRule& rule, const Request& request) { return quoteRule(rule, request, 1).perHour; }

/// "1 instead of 2 GPU-hours for each hour".
QString priceText(double cheaper, double now, const QString& unit)
{
    const QString half = std::abs(cheaper * 2 - now) < 1e-9 ? u", half the price"_s : QString();
    return u"%1 instead of %2 %3 for each hour"_s.arg(humanNumber(cheaper, 2), humanNumber(now, 2), unit) + half;
}

/// Fewer cores or less memory that the bill would notice: the largest request below the one asked for that is cheaper.
QString shareAdvice(const BillingRule& rule, const ResolvedSpec& resolved)
{
    const Request now = requestOf(resolved);
    const double price = perHour(rule, now);
    Request gpusOnly = now;
    gpusOnly.cores = 0;
    gpusOnly.memoryGib = 0;
    if (perHour(rule, gpusOnly) >= price)
        return {}; // nothing can be saved without giving up a GPU
    Request coresOnly = gpusOnly;
    int cores = resolved.cpusPerGpu;
    for (coresOnly.cores = cores * now.gpus; perHour(rule, coresOnly) >= price; coresOnly.cores = cores * now.gpus)
        --cores;
    Request memoryOnly = gpusOnly;
    double memory = std::ceil(now.memoryGib);
    for (memoryOnly.memoryGib = memory; perHour(rule, memoryOnly) >= price; memoryOnly.memoryGib = memory)
        memory -= 1;
    if (cores < 1 || memory < 1)
        return {};
    Request fewer = now;
    fewer.cores = cores * now.gpus;
    const QString coresText = u"%1 cores for each %2 instead of %3"_s.arg(
        QString::number(cores), resolved.node.gpu.word, QString::number(resolved.cpusPerGpu));
    const QString memoryText = u"%1G of memory for each node instead of %2"_s.arg(
        QString::number(memory), slurmMemory(Bytes::gib(now.memoryGib)));
    if (perHour(rule, fewer) < price)
        return coresText + u" would cost "_s + priceText(perHour(rule, fewer), price, rule.unit) + u'.';
    Request less = now;
    less.memoryGib = memory;
    if (perHour(rule, less) < price)
        return memoryText + u" would cost "_s + priceText(perHour(rule, less), price, rule.unit) + u'.';
    fewer.memoryGib = memory;
    return coresText + u" and "_s + memoryText + u" would cost "_s + priceText(perHour(rule, fewer), price, rule.unit)
        + u'.';
}

/// A shared partition for a job that pays whole nodes but uses a part of each.
QString partitionAdvice(const BillingRule& rule, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const Request now = requestOf(resolved);
    const double price = perHour(rule, now);
    for (const Partition& other : profile.partitions) {
        const auto rules = rulesFor(profile, other.name);
        if (!other.shared || other.node != resolved.node.name || rules.size() != 1 || rules.first().unit != rule.unit)
            continue;
        Request there = now;
        there.partition = other.name;
        there.memoryGib = resolved.node.memoryPerGpu ? resolved.node.memoryPerGpu->inGib() * now.gpus : now.memoryGib;
        const double cheaper = perHour(rules.first(), there);
        if (cheaper < price && partitionObstacle({now.nodes, now.gpus, resolved.time}, other, resolved.node).isEmpty())
            return u"In %1 this job would cost %2."_s.arg(other.name, priceText(cheaper, price, rule.unit));
    }
    return {};
}

} // namespace

CostQuote quoteCost(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    CostQuote result = quote(profile, requestOf(resolved), resolved.time.inHours());
    const auto rules = rulesFor(profile, resolved.partition);
    if (rules.isEmpty())
        return result;
    const BillingRule& rule = rules.first();
    if (!resolved.partitionInfo.shared && resolved.gpusPerNode < resolved.node.gpus)
        result.advice = partitionAdvice(rule, resolved, profile);
    else if (rule.combine == BillingRule::Combine::Max)
        result.advice = shareAdvice(rule, resolved);
    return result;
}

CostQuote quoteCost(const ClusterProfile& profile, const QString& partition, int nodes, int gpusPerNode,
    int coresPerNode, Bytes memoryPerNode, double hours, double nvmeGibPerNode)
{
    return quote(profile, {partition, nodes, gpusPerNode, coresPerNode, memoryPerNode.inGib(), nvmeGibPerNode}, hours);
}

} // namespace rankwright
