// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/clustertext.h"

#include "models/core/quantitytext.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString amountWords(BillingTerm::Of of, const QString& gpuWord)
{
    switch (of) {
    case BillingTerm::Of::Gpus: return pluralOf(gpuWord);
    case BillingTerm::Of::Cores: return tr("cores");
    case BillingTerm::Of::MemoryGib: return tr("memory in GiB");
    case BillingTerm::Of::NvmeGib: return tr("local disk in GiB");
    case BillingTerm::Of::Nodes: return tr("nodes");
    }
    return {};
}

QString termWords(const BillingTerm& term, const QString& gpuWord)
{
    QString words = amountWords(term.of, gpuWord);
    if (term.per) {
        words += *term.per == 1 ? QString() : u" ÷ "_s + humanNumber(*term.per, 2);
        words = *term.per == 1 ? words : tr("%1 rounded up").arg(words);
    }
    return term.weight == 1 ? words : humanNumber(term.weight, 4) + u" × "_s + words;
}

} // namespace

QString billingWords(const BillingRule& rule, const QString& gpuWord)
{
    QStringList factors{tr("hours")};
    if (rule.factor != 1)
        factors.append(humanNumber(rule.factor, 4));
    QStringList terms;
    for (const BillingTerm& term : rule.terms)
        terms.append(termWords(term, gpuWord));
    if (terms.size() == 1)
        factors.append(terms.first());
    else if (!terms.isEmpty() && rule.combine == BillingRule::Combine::Max)
        factors.append(tr("the largest of (%1)").arg(terms.join(u", "_s)));
    else if (!terms.isEmpty())
        factors.append(u'(' + terms.join(u" + "_s) + u')');
    return rule.unit + u" = "_s + factors.join(u" × "_s);
}

QString storageWords(const StoragePrice& price)
{
    const QString weight = price.weight == 1 ? QString() : humanNumber(price.weight, 4) + u" × "_s;
    QString words = tr("%1: %2 = hours × %3%4").arg(price.place, price.unit, weight, price.sizeUnit);
    if (price.freeSize > 0)
        words += tr(" above %1").arg(humanNumber(price.freeSize, 2));
    return words;
}

QString gpuLimits(const Partition& partition)
{
    const auto& low = partition.minGpusPerJob;
    const auto& high = partition.maxGpusPerJob;
    if (low && high)
        return *low == *high ? QString::number(*low) : u"%1–%2"_s.arg(*low).arg(*high);
    if (high)
        return tr("up to %1").arg(*high);
    return low ? tr("at least %1").arg(*low) : QString();
}

QString nodeLimits(const Partition& partition)
{
    if (partition.minNodes && partition.maxNodes)
        return u"%1–%2"_s.arg(humanNumber(*partition.minNodes, 0), humanNumber(*partition.maxNodes, 0));
    if (partition.maxNodes)
        return humanNumber(*partition.maxNodes, 0);
    return partition.minNodes ? tr("from %1").arg(humanNumber(*partition.minNodes, 0)) : QString();
}

QString timeLimits(const Partition& partition)
{
    QStringList parts;
    if (partition.maxTime)
        parts.append(humanDuration(*partition.maxTime));
    if (!partition.sizeLimits.isEmpty())
        parts.append(tr("by size"));
    if (partition.maxNodeHours)
        parts.append(amountText(*partition.maxNodeHours, tr("node-hours")));
    return parts.join(u", "_s);
}

QString partitionWords(const Partition& partition)
{
    QStringList parts;
    QStringList options;
    for (const auto& [option, value] : queueOptions(partition))
        options.append(u"--"_s + option + u'=' + value);
    if (options != QStringList{u"--partition="_s + partition.name} && !options.isEmpty())
        parts.append(options.join(u' ') + u'.');
    for (const SizeLimit& limit : partition.sizeLimits) {
        const QString sizes
            = limit.maxNodes ? u"%1–%2"_s.arg(limit.minNodes).arg(*limit.maxNodes) : tr("from %1").arg(limit.minNodes);
        parts.append(
            tr("%1 %2: %3.").arg(sizes, nounFor(limit.maxNodes.value_or(2), tr("node")), humanDuration(limit.maxTime)));
    }
    if (partition.maxGpusPerUser)
        parts.append(tr("At most %1 of one user at a time.").arg(counted(*partition.maxGpusPerUser, tr("GPU"))));
    if (!partition.accountSuffix.isEmpty())
        parts.append(tr("Accounts end in %1.").arg(partition.accountSuffix));
    if (!partition.modules.isEmpty())
        parts.append(tr("Modules: %1.").arg(partition.modules.join(u", "_s)));
    if (!partition.note.isEmpty())
        parts.append(partition.note);
    return parts.join(u' ');
}

QString coresWords(const NodeShape& node)
{
    if (!node.knowsCores())
        return {};
    if (node.cpusAreThreads)
        return tr("%1 hardware threads for jobs, of %2 cores").arg(node.usableCores).arg(node.cores);
    const QString threads = node.threadsPerCore > 1 ? tr(", %1 threads each").arg(node.threadsPerCore) : QString();
    return node.usableCores == node.cores
        ? QString::number(node.cores) + threads
        : tr("%1 for jobs, of %2%3").arg(node.usableCores).arg(node.cores).arg(threads);
}

QString memoryWords(const NodeShape& node)
{
    const QString installed = node.installedMemory ? humanBytes(*node.installedMemory, 0) : QString();
    if (!node.knowsMemory())
        return installed.isEmpty() ? QString() : tr("%1 installed; for jobs not published").arg(installed);
    return installed.isEmpty() || *node.installedMemory == node.memory
        ? tr("%1 for jobs").arg(humanBytes(node.memory, 0))
        : tr("%1 for jobs, of %2").arg(humanBytes(node.memory, 0), installed);
}

QString gpusOfNode(const NodeShape& node)
{
    if (node.gpu.perPackage > 1) {
        return tr("%1 × %2, seen as %3 %4s")
            .arg(node.gpus / node.gpu.perPackage)
            .arg(node.gpu.packageName.isEmpty() ? node.gpu.model : node.gpu.packageName)
            .arg(node.gpus)
            .arg(node.gpu.word);
    }
    return u"%1 × %2"_s.arg(node.gpus).arg(node.gpu.model);
}

QString toWords(LinkState state)
{
    switch (state) {
    case LinkState::Offline: return tr("not connected");
    case LinkState::Connecting: return tr("connecting");
    case LinkState::NeedsAnswer: return tr("waits for your answer");
    case LinkState::Online: return tr("connected");
    case LinkState::Lost: return tr("connection lost");
    }
    return {};
}

QString practiceWords(LinkState state)
{
    switch (state) {
    case LinkState::Offline: return tr("not running");
    case LinkState::Connecting: return tr("starting");
    default: return toWords(state);
    }
}

Tone toneOf(LinkState state)
{
    switch (state) {
    case LinkState::Online: return Tone::Good;
    case LinkState::Connecting: return Tone::Busy;
    case LinkState::NeedsAnswer: return Tone::Warn;
    case LinkState::Lost: return Tone::Bad;
    case LinkState::Offline: break;
    }
    return Tone::Quiet;
}

} // namespace rankwright
