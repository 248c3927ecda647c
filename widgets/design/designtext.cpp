// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/designtext.h"

#include "models/planning/estimatetext.h"

#include <QStringList>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Weights and gradients in 16 bit, master weights and two moments of Adam in 32 bit: 2 + 2 + 12 bytes for each
// parameter (Rajbhandari et al. 2020, "ZeRO", arXiv 1910.02054, section 3.1).
constexpr double stateBytesPerParameter = 16;

double parametersIn(double bytes) { return bytes / stateBytesPerParameter / 1e9; }

std::optional<double> bestLink(const NodeShape& node, bool inPackage)
{
    std::optional<double> best;
    for (const GpuLink& link : node.links) {
        if (link.inPackage == inPackage)
            best = qMax(best.value_or(0), link.gigabytesPerSecond);
    }
    return best;
}

/// Without leading zeros: what one compares by eye.
QString shortMask(const QString& mask)
{
    qsizetype at = 2;
    while (at < mask.size() - 1 && mask.at(at) == u'0')
        ++at;
    return mask.left(2) + mask.mid(at);
}

const GpuPlace* placeOf(const NodeShape& node, int gpu)
{
    const auto found
        = std::find_if(node.places.begin(), node.places.end(), [gpu](const auto& p) { return p.gpu == gpu; });
    return found == node.places.end() ? nullptr : &*found;
}

} // namespace

QString DesignText::coreRanges(const QList<int>& cores)
{
    QList<int> sorted = cores;
    std::sort(sorted.begin(), sorted.end());
    QStringList parts;
    for (int i = 0; i < sorted.size();) {
        int end = i;
        while (end + 1 < sorted.size() && sorted.at(end + 1) == sorted.at(end) + 1)
            ++end;
        parts.append(end == i ? QString::number(sorted.at(i)) : u"%1–%2"_s.arg(sorted.at(i)).arg(sorted.at(end)));
        i = end + 1;
    }
    return parts.join(u", "_s);
}

QString DesignText::nodesText(int count) { return count == 1 ? tr("1 node") : tr("%1 nodes").arg(humanNumber(count)); }

QString DesignText::gpusText(int count, const QString& word)
{
    return u"%1 %2%3"_s.arg(humanNumber(count), word, count == 1 ? QString() : u"s"_s);
}

QString DesignText::rankLine(const Derived& derived, int rank)
{
    if (rank < 0 || rank >= derived.ranks.ranks.size())
        return tr("Choose a rank to read where it runs: click, or Tab and the arrow keys.");
    const RankPlace& place = derived.ranks.ranks.at(rank);
    const NodeShape& node = derived.resolved.node;
    QStringList parts{tr("Rank %1").arg(place.rank), tr("local rank %1").arg(place.localRank),
        tr("node %1").arg(place.node + 1), u"%1 %2"_s.arg(node.gpu.word).arg(place.gpu)};
    if (place.numa)
        parts.append(tr("NUMA %1").arg(*place.numa));
    if (place.cores.isEmpty())
        parts.append(tr("cores not bound"));
    else
        parts << tr("cores %1").arg(coreRanges(place.cores)) << tr("mask %1").arg(shortMask(place.mask));
    return parts.join(u" · "_s);
}

QString DesignText::rankToolTip(const Derived& derived, int rank)
{
    if (rank < 0 || rank >= derived.ranks.ranks.size())
        return {};
    const RankPlace& place = derived.ranks.ranks.at(rank);
    const NodeShape& node = derived.resolved.node;
    QStringList lines{tr("Rank %1 of %2").arg(place.rank).arg(derived.ranks.ranks.size()),
        tr("Local rank %1 on node %2").arg(place.localRank).arg(place.node + 1)};
    QString gpu = u"%1 %2"_s.arg(node.gpu.word).arg(place.gpu);
    const GpuPlace* known = placeOf(node, place.gpu);
    if (node.gpu.perPackage > 1)
        gpu = tr("%1 of %2 number %3")
                  .arg(gpu, node.gpu.packageName)
                  .arg(known ? known->package : place.gpu / node.gpu.perPackage);
    else
        gpu += tr(", an %1").arg(node.gpu.model);
    if (known && !known->pciBus.isEmpty())
        gpu += tr(", PCI bus %1").arg(known->pciBus);
    lines.append(gpu);
    if (known && known->numa)
        lines.append(known->ccd ? tr("NUMA domain %1, core complex %2").arg(*known->numa).arg(*known->ccd)
                                : tr("NUMA domain %1").arg(*known->numa));
    if (place.cores.isEmpty()) {
        lines.append(derived.ranks.unboundReason.isEmpty()
                ? tr("Cores are not bound")
                : tr("Cores are not bound: %1").arg(derived.ranks.unboundReason));
    } else {
        lines.append(tr("Cores %1, the nearest to it").arg(coreRanges(place.cores)));
        lines.append(tr("Mask %1").arg(place.mask));
    }
    for (const GpuLink& link : node.links) {
        if (link.from == place.gpu || link.to == place.gpu)
            lines.append(tr("%1 GB/s to %2 %3%4")
                             .arg(humanNumber(link.gigabytesPerSecond), node.gpu.word)
                             .arg(link.from == place.gpu ? link.to : link.from)
                             .arg(link.inPackage ? tr(" in the same package") : QString()));
    }
    return lines.join(u'\n');
}

QString DesignText::idleGpuText(const Derived& derived, int node, int gpu)
{
    const ResolvedSpec& resolved = derived.resolved;
    const QString name = tr("%1 %2 of node %3: no rank of this job").arg(resolved.node.gpu.word).arg(gpu).arg(node + 1);
    const QString why = resolved.partitionInfo.shared
        ? tr("Other jobs may use it. On a shared node Slurm chooses which %1s the job gets; the picture takes the "
             "first.")
              .arg(resolved.node.gpu.word)
        : tr("The partition gives whole nodes, so it is billed all the same.");
    return name + u'\n' + why;
}

QString DesignText::mapTitle(const Derived& derived)
{
    const ResolvedSpec& resolved = derived.resolved;
    const QString how = derived.ranks.bound ? tr("ranks on their own cores") : tr("cores not bound");
    return QStringList{nodesText(resolved.nodes), gpusText(resolved.worldSize(), resolved.node.gpu.word), how}.join(
        u" · "_s);
}

QString DesignText::mapLegend(const Derived& derived, RankMapLayout::Detail detail)
{
    using Detail = RankMapLayout::Detail;
    const NodeShape& node = derived.resolved.node;
    QStringList parts;
    if (detail == Detail::Dense)
        parts.append(tr("one square = one %1, one block = one node").arg(node.gpu.word));
    parts.append(derived.resolved.tensor * derived.resolved.pipeline > 1
            ? tr("colour = the ranks that hold one copy together")
            : tr("colour = data-parallel group (all %1)").arg(humanNumber(derived.resolved.worldSize())));
    const bool reserved
        = std::any_of(node.places.begin(), node.places.end(), [](const auto& p) { return !p.reservedCores.isEmpty(); });
    if (reserved && detail == Detail::Full)
        parts.append(tr("grey core = system"));
    const auto inner = bestLink(node, true);
    if (inner && detail != Detail::Dense)
        parts.append(tr("bar = %1 GB/s").arg(humanNumber(*inner)));
    const auto outer = bestLink(node, false);
    if (outer && detail == Detail::Full)
        parts.append(tr("line = up to %1 GB/s").arg(humanNumber(*outer)));
    if (node.links.isEmpty() && detail == Detail::Full)
        parts.append(tr("links between %1s: not published").arg(node.gpu.word));
    if (derived.resolved.gpusPerNode < node.gpus)
        parts.append(detail == Detail::Dense ? tr("hollow = unused") : tr("dashed = unused"));
    return parts.join(u" · "_s);
}

QString DesignText::nodeText(const NodeShape& node)
{
    const int packages = node.gpu.perPackage > 0 ? node.gpus / node.gpu.perPackage : node.gpus;
    QStringList parts;
    const QString name = node.gpu.perPackage > 1 ? node.gpu.packageName : node.gpu.model;
    parts.append(name.isEmpty() ? gpusText(node.gpus, node.gpu.word) : u"%1 × %2"_s.arg(packages).arg(name));
    if (node.usableCores > 0)
        parts.append(tr("%1 cores").arg(node.usableCores));
    if (node.memory.count > 0)
        parts.append(humanBytes(node.memory, 0));
    if (node.nicGigabytesPerSecond)
        parts.append(tr("network %1 GB/s").arg(humanNumber(*node.nicGigabytesPerSecond)));
    return parts.join(u" · "_s);
}

QString DesignText::strategyTitle(Strategy strategy) { return EstimateText::strategy(strategy); }

QString DesignText::strategySummary(const Derived& derived)
{
    const ResolvedSpec& resolved = derived.resolved;
    const NodeShape& node = resolved.node;
    const int ranks = resolved.worldSize();
    const double bytes = double(node.gpu.memory.count);
    const QString memory = node.gpu.memory.count > 0 ? humanBytes(node.gpu.memory, 0) : tr("an unknown amount");
    const QString one = humanNumber(parametersIn(bytes), 1);
    const QString all = humanNumber(parametersIn(bytes * ranks), 0);
    QStringList speeds;
    if (const auto inner = bestLink(node, true))
        speeds.append(tr("%1 GB/s inside a package").arg(humanNumber(*inner)));
    else if (const auto outer = bestLink(node, false))
        speeds.append(tr("%1 GB/s between %2s").arg(humanNumber(*outer), node.gpu.word));
    if (resolved.nodes > 1 && node.nicGigabytesPerSecond)
        speeds.append(tr("%1 GB/s out of each node").arg(humanNumber(*node.nicGigabytesPerSecond)));
    const QString over
        = speeds.isEmpty() ? tr("over links whose speed is not published") : tr("at %1").arg(speeds.join(u", "_s));
    switch (resolved.strategy) {
    case Strategy::Single:
        return tr("One process on one %1, nothing to exchange. With Adam in mixed precision %2 hold at most %3 billion "
                  "parameters, less what activations take.")
            .arg(node.gpu.word, memory, one);
    case Strategy::Ddp:
    case Strategy::Horovod:
        return tr(
            "Each of the %1 ranks keeps a whole copy: with Adam in mixed precision %2 hold at most %3 billion "
            "parameters, less what activations take. Once per step the gradients are averaged over all ranks, %4.")
            .arg(humanNumber(ranks), memory, one, over);
    default:
        return tr("Weights, gradients and optimiser are split over %1 ranks: together their %2 each hold up to %3 "
                  "billion parameters, one alone only %4. In return the pieces travel in every step, %5.")
            .arg(humanNumber(ranks), memory, all, one, over);
    }
}

QString DesignText::batchEquation(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    return tr("%1 = %2 per micro-batch × %3 × %4")
        .arg(humanNumber(double(batch.globalBatch)), humanNumber(double(batch.microBatch)),
            batch.gradientAccumulation == 1
                ? tr("1 accumulation")
                : tr("%1 accumulations").arg(humanNumber(double(batch.gradientAccumulation))),
            batch.dataParallel == 1 ? tr("1 rank") : tr("%1 ranks").arg(humanNumber(batch.dataParallel)));
}

QString DesignText::batchStory(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    const QString turns = batch.gradientAccumulation == 1
        ? tr("1 turn")
        : tr("%1 turns").arg(humanNumber(double(batch.gradientAccumulation)));
    const QString sequences
        = batch.microBatch == 1 ? tr("1 sequence") : tr("%1 sequences").arg(humanNumber(double(batch.microBatch)));
    return tr("one rank: %1 of %2, then one optimiser step for all").arg(turns, sequences);
}

QString DesignText::batchNote(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    QStringList parts;
    if (batch.stepsPerEpoch)
        parts.append(tr("%1 steps per epoch.").arg(humanNumber(*batch.stepsPerEpoch, 1)));
    // Where nothing was chosen or replaced, the equation above says it all.
    const auto& asked = derived.resolved.spec.training;
    if (!batch.reason.isEmpty() && !(batch.exact && asked.microBatch && asked.globalBatch))
        parts.append(
            batch.reason.left(1).toUpper() + batch.reason.mid(1) + (batch.reason.endsWith(u'.') ? QString() : u"."_s));
    return parts.join(u' ');
}

QString DesignText::amount(double value, const QString& unit)
{
    // A tenth of a unit matters for small jobs only.
    const bool one = qFuzzyCompare(value, 1.0) && unit.endsWith(u"-hours"_s);
    return u"%1 %2"_s.arg(humanNumber(value, value < 100 ? 2 : 0), one ? unit.chopped(1) : unit);
}

QString DesignText::shareWord(BillingTerm::Of of, const QString& gpuWord)
{
    switch (of) {
    case BillingTerm::Of::Gpus: return gpuWord + u's';
    case BillingTerm::Of::Cores: return tr("cores");
    case BillingTerm::Of::MemoryGib: return tr("memory");
    case BillingTerm::Of::NvmeGib: return tr("local disk");
    case BillingTerm::Of::Nodes: break;
    }
    return tr("nodes");
}

QString DesignText::costSummary(const Derived& derived)
{
    if (!derived.cost.billingAccounts)
        return tr("The site publishes no billing formula, so the price is not known.");
    QStringList lines;
    for (const auto& billingAccount : *derived.cost.billingAccounts) {
        const QString name
            = billingAccount.billingAccount.isEmpty() ? QString() : billingAccount.billingAccount + u": "_s;
        lines.append(name
            + tr("%1 per hour, %2 if the whole time limit of %3 is used.")
                  .arg(amount(billingAccount.perHour, billingAccount.unit),
                      amount(billingAccount.amount, billingAccount.unit), humanDuration(derived.resolved.time)));
        const QStringList shares = explainShares(billingAccount, derived.resolved.node.gpu.word);
        if (!shares.isEmpty() && billingAccount.summed)
            lines.append(tr("Each hour adds up %1.").arg(shares.join(u"; "_s)));
        else if (shares.size() > 1)
            lines.append(tr("Each hour costs the largest of these: %1.").arg(shares.join(u"; "_s)));
        else if (!shares.isEmpty())
            lines.append(tr("Billed for each hour: %1.").arg(shares.first()));
        if (!billingAccount.source.isEmpty())
            lines.append(tr("Source: %1").arg(billingAccount.source));
    }
    if (derived.cost.cheaper)
        lines.append(tr("Next cheaper: %1").arg(derived.cost.cheaper->text));
    return lines.join(u'\n');
}

QString DesignText::verdict(const QList<Finding>& findings)
{
    const auto count = [&findings](Severity severity) {
        return int(std::count_if(
            findings.begin(), findings.end(), [severity](const Finding& f) { return f.severity == severity; }));
    };
    if (const int errors = count(Severity::Error))
        return errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors);
    if (const int warnings = count(Severity::Warning))
        return warnings == 1 ? tr("Ready, 1 warning") : tr("Ready, %1 warnings").arg(warnings);
    return tr("Ready");
}

} // namespace rankwright
