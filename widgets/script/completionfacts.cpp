// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/completionfacts.h"

#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// The first to name a value wins, but for a note that it lacks.
void add(QList<NamedValue>& values, const QString& name, const QString& note)
{
    if (name.isEmpty())
        return;
    for (NamedValue& known : values) {
        if (known.name == name) {
            if (known.note.isEmpty())
                known.note = note;
            return;
        }
    }
    values.append({name, note});
}

QString publishedNote(const Partition& partition)
{
    QStringList parts{partition.shared ? tr("shared nodes") : tr("whole nodes")};
    if (partition.maxNodes)
        parts.append(tr("up to %1 nodes").arg(*partition.maxNodes));
    if (partition.maxTime)
        parts.append(tr("at most %1").arg(humanDuration(*partition.maxTime)));
    return parts.join(u", "_s);
}

QString liveNote(const ClusterFacts::PartitionFact& fact)
{
    QStringList parts;
    if (!fact.state.isEmpty() && fact.state != u"up")
        parts.append(fact.state);
    if (fact.idleNodes && fact.nodes)
        parts.append(tr("%1 of %2 nodes idle").arg(*fact.idleNodes).arg(*fact.nodes));
    if (fact.maxTime)
        parts.append(tr("at most %1").arg(humanDuration(*fact.maxTime)));
    return parts.join(u", "_s);
}

/// "gpu:mi250:8(S:0-3),tmp:1" as sinfo prints it: each kind with its count.
void addGres(CompletionFacts& facts, const QString& reported, const QString& note)
{
    static const QRegularExpression sockets(uR"(\([^)]*\))"_s);
    QString plain = reported;
    plain.remove(sockets);
    for (const QString& part : plain.split(u',', Qt::SkipEmptyParts)) {
        if (part != u"(null)" && part.contains(u':'))
            add(facts.gres, part.trimmed(), note);
    }
}

void addPublished(CompletionFacts& facts, const ClusterProfile& profile)
{
    for (const Partition& partition : profile.partitions)
        add(facts.partitions, partition.name, publishedNote(partition));
    for (const NodeShape& node : profile.nodes) {
        if (node.gpus <= 0)
            continue;
        const QString kind = node.gpu.slurmName.isEmpty() ? u"gpu"_s : u"gpu:"_s + node.gpu.slurmName;
        for (int count = node.gpus; count > 0; count /= 2) {
            const QString note = count == node.gpus ? tr("all %1s of a node: %2").arg(node.gpu.word, node.gpu.model)
                                                    : tr("%1 of the %2 of a node").arg(count).arg(node.gpus);
            add(facts.gres, u"%1:%2"_s.arg(kind).arg(count), note);
            add(facts.gpuCounts, QString::number(count), note);
        }
    }
    for (const QString& directive : profile.launch.extraDirectives) {
        if (directive.startsWith(u"--constraint="_s))
            add(facts.constraints, directive.section(u'=', 1), tr("needed at this site"));
        if (directive.startsWith(u"--qos="_s))
            add(facts.qos, directive.section(u'=', 1), tr("needed at this site"));
    }
    for (const QString& module : profile.launch.modules)
        add(facts.modules, module.section(u' ', -1), tr("for jobs without a container"));
    for (const QString& command : profile.container.moduleCommands) {
        if (command.startsWith(u"module load "_s))
            add(facts.modules, command.section(u' ', 2), tr("connects the container to this cluster"));
    }
    add(facts.images, profile.container.image, profile.container.reason);
    if (!profile.launch.accountExample.isEmpty() && facts.accounts.isEmpty())
        add(facts.accounts, profile.launch.accountExample, tr("an example of the form, not a project of yours"));
}

} // namespace

CompletionFacts completionFacts(
    const ClusterProfile& profile, const std::optional<ClusterFacts>& live, const std::optional<ClusterNames>& names)
{
    CompletionFacts facts;
    if (names) {
        for (const QString& feature : names->features)
            add(facts.constraints, feature, tr("nodes have it"));
        for (const QString& qos : names->qos)
            add(facts.qos, qos, tr("yours"));
        for (const auto& reservation : names->reservations)
            add(facts.reservations, reservation.name, reservation.note);
    }
    if (live) {
        for (const auto& fact : live->partitions) {
            add(facts.partitions, fact.name, liveNote(fact));
            addGres(facts, fact.gres, tr("on %1").arg(fact.name));
        }
        for (const QString& account : live->accounts)
            add(facts.accounts, account, tr("yours"));
    }
    addPublished(facts, profile);
    // After those that the site recommends: a module tree has hundreds.
    if (names) {
        for (const QString& module : names->modules)
            facts.modules.append({module, {}});
    }
    return facts;
}

} // namespace rankwright
