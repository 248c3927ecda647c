// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/designtext.h"

#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QStringList>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// "200 GB/s" that no line break goes through, neither at the blank nor behind the stroke.
QString speedText(double gigabytesPerSecond) { return humanNumber(gigabytesPerSecond) + u"\u00a0GB/\u2060s"_s; }

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
        parts << tr("cores %1").arg(numberRangesForPeople(place.cores)) << tr("mask %1").arg(shortMask(place.mask));
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
        const QString cores = numberRangesForPeople(place.cores);
        lines.append(!isBesideGpu(place, node) ? tr("Cores %1, not those beside it: the script binds so").arg(cores)
                : known                        ? tr("Cores %1, the nearest to it").arg(cores)
                                               : tr("Cores %1").arg(cores));
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

QString DesignText::bindingNote(const Derived& derived)
{
    const RankPlaces& ranks = derived.ranks;
    const NodeShape& node = derived.resolved.node;
    if (!ranks.scriptLine)
        return {};
    // What the linter found about the masks says more than the picture could.
    for (const Finding& finding : derived.findings()) {
        if (finding.slug.startsWith(u"mask-"_s) || finding.slug.startsWith(u"cpu-bind-"_s))
            return tr("The script binds differently from the design. %1").arg(finding.text);
    }
    if (!ranks.bound)
        return ranks.unboundReason;
    const auto astray = std::count_if(ranks.ranks.cbegin(), ranks.ranks.cend(),
        [&](const RankPlace& place) { return place.node == 0 && !isBesideGpu(place, node); });
    return astray > 0
        ? tr("The script binds differently from the design: %1 of %2 on each node not to the cores beside "
             "their %3.")
              .arg(astray)
              .arg(counted(derived.resolved.gpusPerNode, tr("rank")), node.gpu.word)
        : ranks.note;
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
    const QString how = resolved.ranks() < resolved.worldSize() ? tr("one process")
        : !derived.ranks.bound                                  ? tr("cores not bound")
        : derived.ranks.scriptLine                              ? tr("bound by the script")
                                                                : tr("ranks on their own cores");
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
    if (derived.resolved.tensor * derived.resolved.pipeline > 1)
        parts.append(tr("colour = the ranks that hold one copy together"));
    else if (derived.resolved.ranks() == derived.resolved.worldSize())
        parts.append(tr("colour = data-parallel group (all %1)").arg(humanNumber(derived.resolved.worldSize())));
    const bool reserved
        = std::any_of(node.places.begin(), node.places.end(), [](const auto& p) { return !p.reservedCores.isEmpty(); });
    if (reserved && detail == Detail::Full)
        parts.append(tr("grey core = system"));
    const auto inner = node.fastestLink(true);
    if (inner && detail != Detail::Dense)
        parts.append(tr("bar = %1").arg(speedText(*inner)));
    const auto outer = node.fastestLink(false);
    if (outer && detail == Detail::Full)
        parts.append(tr("line = up to %1").arg(speedText(*outer)));
    if (node.links.isEmpty() && detail == Detail::Full)
        parts.append(tr("links between %1s: not published").arg(node.gpu.word));
    if (derived.resolved.gpusPerNode < node.gpus)
        parts.append(detail == Detail::Dense ? tr("hollow = unused") : tr("dashed = unused"));
    return parts.join(u" · "_s);
}

QString DesignText::batchEquation(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    return tr("%1 = %2 per micro-batch × %3 × %4")
        .arg(humanNumber(double(batch.globalBatch)), humanNumber(double(batch.microBatch)),
            counted(batch.gradientAccumulation, tr("accumulation step")), counted(batch.dataParallel, tr("rank")));
}

QString DesignText::batchSentence(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    return tr("one rank: %1 of %2, then one optimiser step for all")
        .arg(counted(batch.gradientAccumulation, tr("accumulation step")), counted(batch.microBatch, tr("sequence")));
}

QString DesignText::unpassedBatch(const Derived& derived)
{
    const bool micro = derived.passing.isUnsaid(ProgramFigure::MicroBatch);
    return tr("Drawn, not passed: your program decides its %1.")
        .arg(micro ? tr("micro-batch") : tr("accumulation steps"));
}

QString DesignText::batchNote(const Derived& derived)
{
    const BatchPlan& batch = derived.batch;
    QStringList parts;
    if (derived.passing.batchIsUnsaid())
        parts.append(unpassedBatch(derived));
    if (batch.stepsPerEpoch)
        parts.append(tr("%1 steps per epoch.").arg(humanNumber(*batch.stepsPerEpoch, 1)));
    // Where nothing was chosen or replaced, the equation above says it all.
    const auto& asked = derived.resolved.spec.training;
    if (!batch.reason.isEmpty() && !(batch.exact && asked.microBatch && asked.globalBatch))
        parts.append(
            batch.reason.left(1).toUpper() + batch.reason.mid(1) + (batch.reason.endsWith(u'.') ? QString() : u"."_s));
    return parts.join(u' ');
}

QString DesignText::shareWord(BillingTerm::Of of, const QString& gpuWord)
{
    switch (of) {
    case BillingTerm::Of::Gpus: return pluralOf(gpuWord);
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
                  .arg(amountText(billingAccount.perHour, billingAccount.unit),
                      amountText(billingAccount.amount, billingAccount.unit), humanDuration(derived.resolved.time)));
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

QString DesignText::verdict(const QList<Finding>& findings, Launch launch)
{
    const bool ready = launch == Launch::Possible;
    const auto count = [&findings](Severity severity) {
        return int(std::count_if(
            findings.begin(), findings.end(), [severity](const Finding& f) { return f.severity == severity; }));
    };
    if (const int errors = count(Severity::Error))
        return counted(errors, tr("error"));
    if (const int warnings = count(Severity::Warning))
        return ready ? tr("Ready, %1").arg(counted(warnings, tr("warning"))) : counted(warnings, tr("warning"));
    const bool unpassed = std::any_of(
        findings.begin(), findings.end(), [](const Finding& f) { return f.slug == slug::figuresUnpassed; });
    if (unpassed)
        return ready ? tr("Ready, 1 note") : tr("1 note");
    return ready ? tr("Ready") : tr("No errors");
}

} // namespace rankwright
