// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/clusterprofile.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

/// Does a script's constraint ("gpu&hbm80g", "a100_40|a100_80") name all features that an entry stands for?
bool namesAll(const QString& constraint, const QString& entry)
{
    static const QRegularExpression between(u"[&|,]"_s);
    const QStringList asked = constraint.split(between, Qt::SkipEmptyParts);
    const QStringList wanted = entry.split(between, Qt::SkipEmptyParts);
    return !wanted.isEmpty()
        && std::all_of(wanted.begin(), wanted.end(), [&](const QString& one) { return asked.contains(one); });
}

/// How well an entry fits the options of a script; negative: not at all.
int fitOf(const Partition& entry, const QString& slurmPartition, const QString& qos, const QString& constraint)
{
    if (!slurmPartition.isEmpty() && entry.slurmName() != slurmPartition)
        return -1;
    if (slurmPartition.isEmpty() && entry.partitionWritten)
        return -1;
    const bool sameQos = entry.qos == qos;
    const bool sameConstraint
        = constraint.isEmpty() ? entry.constraint.isEmpty() : namesAll(constraint, entry.constraint);
    // An option of the entry that the script has not got counts against it less than another value would.
    const int qosFit = sameQos ? 4 : entry.qos.isEmpty() ? 2 : qos.isEmpty() ? 1 : -8;
    // Of two entries whose features are all named, the one with more of them is meant.
    const int constraintFit = sameConstraint ? 2 + int(entry.constraint.count(u'&'))
        : entry.constraint.isEmpty()         ? 1
        : constraint.isEmpty()               ? 0
                                             : -8;
    return qosFit + constraintFit;
}

} // namespace

QStringList NodeShape::interfaces() const
{
    QStringList names;
    for (const NodeNic& nic : nics) {
        if (!nic.interfaceName.isEmpty())
            names.append(nic.interfaceName);
    }
    return names;
}

std::optional<double> NodeShape::fastestLink(bool inPackage) const
{
    std::optional<double> best;
    for (const GpuLink& link : links) {
        if (link.inPackage == inPackage)
            best = qMax(best.value_or(0), link.gigabytesPerSecond);
    }
    return best;
}

std::optional<Seconds> Partition::maxTimeFor(int jobNodes) const
{
    for (const SizeLimit& limit : sizeLimits) {
        if (jobNodes >= limit.minNodes && jobNodes <= limit.maxNodes.value_or(jobNodes))
            return maxTime ? qMin(*maxTime, limit.maxTime) : limit.maxTime;
    }
    std::optional<Seconds> longest = maxTime;
    if (maxNodeHours && jobNodes > 0) {
        const Seconds byBudget{qint64(*maxNodeHours * 3600 / jobNodes)};
        longest = longest ? qMin(*longest, byBudget) : byBudget;
    }
    return longest;
}

bool Partition::allowsSize(int jobNodes) const
{
    if (sizeLimits.isEmpty())
        return true;
    for (const SizeLimit& limit : sizeLimits) {
        if (jobNodes >= limit.minNodes && jobNodes <= limit.maxNodes.value_or(jobNodes))
            return true;
    }
    return false;
}

QList<std::pair<QString, QString>> queueOptions(const Partition& partition)
{
    QList<std::pair<QString, QString>> options;
    if (partition.partitionWritten && !partition.slurmName().isEmpty())
        options.append({u"partition"_s, partition.slurmName()});
    if (!partition.qos.isEmpty())
        options.append({u"qos"_s, partition.qos});
    if (!partition.constraint.isEmpty())
        options.append({u"constraint"_s, partition.constraint});
    return options;
}

const Partition* ClusterProfile::partition(const QString& partitionName) const
{
    for (const Partition& candidate : partitions) {
        if (candidate.name == partitionName)
            return &candidate;
    }
    return nullptr;
}

QStringList ClusterProfile::modulesOf(const QString& partitionName) const
{
    const Partition* named = partition(partitionName);
    return named == nullptr || named->modules.isEmpty() ? launch.modules : named->modules;
}

const Partition* ClusterProfile::partitionAsked(
    const QString& slurmPartition, const QString& qos, const QString& constraint) const
{
    const Partition* best = nullptr;
    int bestFit = -1;
    for (const Partition& entry : partitions) {
        const int fit = fitOf(entry, slurmPartition, qos, constraint);
        if (fit > bestFit) { // on a draw the first: the file's order
            best = &entry;
            bestFit = fit;
        }
    }
    return best;
}

const NodeShape* ClusterProfile::nodeShape(const QString& partitionName) const
{
    QString wanted;
    if (!partitionName.isEmpty()) {
        const Partition* found = partition(partitionName);
        if (found == nullptr)
            return nullptr;
        wanted = found->node;
    } else if (!partitions.isEmpty()) {
        wanted = partitions.first().node;
    }
    for (const NodeShape& shape : nodes) {
        if (shape.name == wanted || wanted.isEmpty())
            return &shape;
    }
    return nullptr;
}

} // namespace rankwright
