// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/scriptcluster.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

QString valueOf(const BatchText& batch, const QString& name)
{
    const BatchOption* option = batch.option(name);
    return option != nullptr ? option->value.trimmed() : QString();
}

bool hasGpuType(const ClusterProfile& profile, const QString& type)
{
    return std::any_of(profile.nodes.cbegin(), profile.nodes.cend(),
        [&type](const NodeShape& node) { return node.gpu.slurmName.compare(type, Qt::CaseInsensitive) == 0; });
}

bool hasAccountForm(const ClusterProfile& profile, const QString& account)
{
    const QString pattern = QRegularExpression::anchoredPattern(profile.launch.accountPattern);
    return !profile.launch.accountPattern.isEmpty() && QRegularExpression(pattern).match(account).hasMatch();
}

/// Clusters that have the queue asked for; of several, those that also know the account's form and the GPU type.
QList<const ClusterProfile*> withQueue(const BatchText& batch, const Catalogue& catalogue)
{
    const QString partition = valueOf(batch, u"partition"_s);
    const QString qos = valueOf(batch, u"qos"_s);
    QList<const ClusterProfile*> found;
    for (const ClusterProfile& profile : catalogue.clusters) {
        if (profile.name
            == QStringView(practiceName)) // lends the queues' names of others: such a script is meant for the real one
            continue;
        const bool has
            = std::any_of(profile.partitions.cbegin(), profile.partitions.cend(), [&](const Partition& queue) {
                  return partition.isEmpty() ? queue.qos == qos || queue.defaultQos == qos
                                             : queue.slurmName() == partition.section(u',', 0, 0);
              });
        if (has)
            found.append(&profile);
    }
    const auto narrow = [&found](const QString& text, bool (*fits)(const ClusterProfile&, const QString&)) {
        QList<const ClusterProfile*> fitting;
        for (const ClusterProfile* profile : std::as_const(found)) {
            if (fits(*profile, text))
                fitting.append(profile);
        }
        if (!text.isEmpty() && !fitting.isEmpty())
            found = fitting;
    };
    if (found.size() > 1)
        narrow(gpuTypeOf(batch), &hasGpuType);
    if (found.size() > 1)
        narrow(valueOf(batch, u"account"_s), &hasAccountForm);
    return found;
}

/// Sites with an account for each kind of node that know this one by its end and form: "abc@h100".
QStringList withAccountsByKind(const QString& account, const Catalogue& catalogue)
{
    QStringList names;
    for (const ClusterProfile& profile : catalogue.clusters) {
        const bool ends = std::any_of(profile.partitions.cbegin(), profile.partitions.cend(),
            [&](const Partition& one) { return !one.accountSuffix.isEmpty() && account.endsWith(one.accountSuffix); });
        if (ends && hasAccountForm(profile, account))
            names.append(profile.name);
    }
    return names;
}

} // namespace

QString gpuTypeOf(const BatchText& batch)
{
    for (const QString& name : {u"gres"_s, u"gpus-per-node"_s, u"gpus"_s, u"gpus-per-task"_s}) {
        for (const QString& part : valueOf(batch, name).split(u',')) {
            QStringList words = part.section(u'(', 0, 0).trimmed().split(u':');
            if (name == u"gres" && words.takeFirst() != u"gpu")
                continue;
            if (words.size() >= 2
                || (name == u"gres" && words.size() == 1 && !words.first().isEmpty() && words.first().at(0).isLetter()))
                return words.first();
        }
    }
    return {};
}

ScriptCluster clusterOf(const BatchText& batch, const Catalogue& catalogue, const QString& preferred)
{
    const QString named = valueOf(batch, u"clusters"_s);
    const QString ours = batch.lines.value(1);
    for (const ClusterProfile& profile : catalogue.clusters) {
        if (!named.isEmpty()
            && (named.compare(profile.name, Qt::CaseInsensitive) == 0
                || named.compare(profile.title, Qt::CaseInsensitive) == 0))
            return {profile.name, u"--clusters names it"_s};
        if (ours.endsWith(u"Written by Rankwright.") && ours.contains(u" of %1, "_s.arg(profile.title)))
            return {profile.name, u"its second line says so"_s};
    }
    const QString partition = valueOf(batch, u"partition"_s);
    const QString qos = valueOf(batch, u"qos"_s);
    const QString account = valueOf(batch, u"account"_s);
    if (partition.isEmpty() && qos.isEmpty()) {
        const QStringList sites = withAccountsByKind(account, catalogue);
        return sites.size() == 1 ? ScriptCluster{sites.first(), u"its accounts end like “%1”"_s.arg(account)}
                                 : ScriptCluster{preferred, {}};
    }
    const QList<const ClusterProfile*> fitting = withQueue(batch, catalogue);
    const bool isPreferred = std::any_of(
        fitting.cbegin(), fitting.cend(), [&preferred](const ClusterProfile* one) { return one->name == preferred; });
    if (isPreferred || fitting.size() != 1)
        return {preferred, {}};
    return {fitting.first()->name,
        partition.isEmpty() ? u"it has the QoS “%1”"_s.arg(qos) : u"it has the partition “%1”"_s.arg(partition)};
}

} // namespace rankwright::inline script
