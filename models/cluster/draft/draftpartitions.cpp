// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/draftpartitions.h"

#include "models/cluster/draft/draftnodes.h"
#include "models/cluster/slurm/slurmtext.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

/// One partition on its way into the draft.
struct Drafting {
    ClusterDraft& draft;
    const ClusterSurvey& survey;
    const SlurmCells& cells;
    QString place; ///< "$.partitions[2]"

    void doubt(const QString& member, const QString& text) const { draft.doubts.append({place + member, text}); }
};

std::optional<int> positive(const QString& text)
{
    const auto count = slurmCount(text);
    return count && *count > 0 ? count : std::nullopt;
}

/// The number behind a name in a list of resources: "node=4" of "cpu=8,node=4".
std::optional<int> inResources(const QString& resources, const QString& name)
{
    for (const QString& cell : resources.split(u',', Qt::SkipEmptyParts)) {
        if (cell.section(u'=', 0, 0) == name)
            return positive(cell.section(u'=', 1));
    }
    return std::nullopt;
}

template <typename T>
void tighten(std::optional<T>& limit, const std::optional<T>& other)
{
    if (other && (!limit || *other < *limit))
        limit = other;
}

void fillQos(const Drafting& drafting, Partition& partition)
{
    const QString name = drafting.cells.value(u"QoS"_s);
    const SlurmCells* qos = qosNamed(drafting.survey, name);
    if (qos == nullptr) {
        if (!name.isEmpty())
            drafting.doubt({}, u"The QoS “%1” of this partition sets limits that could not be read."_s.arg(name));
        return;
    }
    tightenByQos(partition, *qos);
}

void fillDefaultMemory(const Drafting& drafting, Partition& partition)
{
    using Per = DefaultMemory::Per;
    const QString jobDefaults = drafting.cells.value(u"JobDefaults"_s);
    const QList<std::pair<QString, Per>> members{{u"DefMemPerNode"_s, Per::Node}, {u"DefMemPerCPU"_s, Per::Cpu}};
    for (const auto& [member, per] : members) {
        auto mib = positive(drafting.cells.value(member));
        if (!mib && !drafting.cells.contains(member))
            mib = positive(drafting.survey.config.value(member));
        if (mib)
            partition.defaultMemory = DefaultMemory{Bytes{qint64(*mib) * 1048576}, per};
    }
    if (const auto mib = inResources(jobDefaults, u"DefMemPerGPU"_s))
        partition.defaultMemory = DefaultMemory{Bytes{qint64(*mib) * 1048576}, Per::Gpu};
}

void fillAccess(const Drafting& drafting, Partition& partition)
{
    const QList<std::pair<QString, QString>> fences{
        {u"AllowAccounts"_s, u"accounts"_s}, {u"AllowGroups"_s, u"groups"_s}, {u"AllowQos"_s, u"QoS"_s}};
    for (const auto& [member, word] : fences) {
        const QString allowed = drafting.cells.value(member);
        const QStringList those = allowed.split(u',', Qt::SkipEmptyParts);
        const bool ours = member == u"AllowAccounts"
            && std::any_of(
                those.begin(), those.end(), [&](const QString& one) { return drafting.survey.accounts.contains(one); });
        if (allowed.isEmpty() || allowed == u"ALL" || ours)
            continue;
        drafting.doubt({}, u"Only for these %1: %2."_s.arg(word, allowed.left(200)));
        // Which accounts one has, Slurm says; of which groups one is, only the node does.
        if (member == u"AllowAccounts" && !drafting.survey.accounts.isEmpty())
            partition.offered = Partition::Offer::Never;
        else if (member != u"AllowQos" && partition.offered != Partition::Offer::Never)
            partition.offered = Partition::Offer::Named;
    }
    const QString state = drafting.cells.value(u"State"_s);
    if (!state.isEmpty() && state != u"UP") {
        if (partition.offered != Partition::Offer::Never)
            partition.offered = Partition::Offer::Named; // of today; the file is for longer
        drafting.doubt({}, u"Its state is %1 today, so it is not proposed."_s.arg(state));
    }
}

Partition partitionOf(const Drafting& drafting, const QString& source)
{
    const SlurmCells& cells = drafting.cells;
    Partition partition;
    partition.name = cells.value(u"PartitionName"_s);
    // Slurm 26.05 says Exclusive=NODE (or TOPO) where releases before it say OverSubscribe=EXCLUSIVE.
    partition.shared = !cells.value(u"OverSubscribe"_s).startsWith(u"EXCLUSIVE"_s)
        && !QStringList{u"NODE"_s, u"TOPO"_s}.contains(cells.value(u"Exclusive"_s));
    partition.nodes = positive(cells.value(u"TotalNodes"_s));
    partition.maxNodes = positive(cells.value(u"MaxNodes"_s));
    const auto least = positive(cells.value(u"MinNodes"_s));
    if (least && *least > 1)
        partition.minNodes = least;
    partition.maxTime = slurmSpan(cells.value(u"MaxTime"_s));
    partition.defaultTime = slurmSpan(cells.value(u"DefaultTime"_s));
    partition.source = source;
    fillQos(drafting, partition);
    fillDefaultMemory(drafting, partition);
    fillAccess(drafting, partition);
    if (!partition.maxTime)
        drafting.doubt(u".maxTime"_s, u"Slurm sets no wall time here; the site's rules may."_s);
    return partition;
}

/// A feature that all nodes of one kind have and none of the others in the partition.
QString distinguishingFeature(const SurveyedNodes& kind, const QList<SurveyedNodes>& all, const QString& partition)
{
    for (const QString& feature : kind.features) {
        const bool elsewhere = std::any_of(all.begin(), all.end(), [&](const SurveyedNodes& other) {
            return &other != &kind && other.partitions.contains(partition) && other.features.contains(feature)
                && !(other.gpuType == kind.gpuType && other.gpus == kind.gpus && other.cpus == kind.cpus
                    && other.memoryMib == kind.memoryMib);
        });
        if (!elsewhere)
            return feature;
    }
    return {};
}

/// Further kinds of node of a partition become entries of their own, never proposed.
void addOtherKinds(const Drafting& drafting, const Partition& first, const QList<SurveyedNodes>& kinds)
{
    int found = 0;
    for (qsizetype i = 0; i < kinds.size(); ++i) {
        if (!kinds.at(i).partitions.contains(first.name) || found++ == 0)
            continue;
        const SurveyedNodes& kind = kinds.at(i);
        Partition other = first;
        other.node = drafting.draft.profile.nodes.at(i).name;
        other.name = first.name + u'-' + other.node;
        other.slurmPartition = first.name;
        other.nodes = kind.count;
        if (other.offered != Partition::Offer::Never)
            other.offered = Partition::Offer::Named;
        other.constraint = distinguishingFeature(kind, kinds, first.name);
        drafting.doubt({},
            u"The partition has several kinds of nodes; “%1” is the entry for its %2%3."_s.arg(other.name, other.node,
                other.constraint.isEmpty() ? u", distinguished by the GPU type alone"_s
                                           : u", picked by the feature “%1”"_s.arg(other.constraint)));
        drafting.draft.profile.partitions.append(other);
    }
}

/// Those anybody uses for real work first: many nodes and long times before short tests.
void sortByUse(QList<Partition>& partitions)
{
    constexpr qint64 shortTest = 4 * 3600;
    for (Partition& partition : partitions) {
        const bool test = partition.maxTime && partition.maxTime->count <= shortTest;
        if (test && partition.offered == Partition::Offer::Normal)
            partition.offered = Partition::Offer::Last;
    }
    std::stable_sort(partitions.begin(), partitions.end(),
        [](const Partition& a, const Partition& b) { return int(a.offered) < int(b.offered); });
}

} // namespace

const SlurmCells* qosNamed(const ClusterSurvey& survey, const QString& name)
{
    const auto found = std::find_if(
        survey.qos.begin(), survey.qos.end(), [&](const SlurmCells& qos) { return qos.value(u"Name"_s) == name; });
    return name.isEmpty() || found == survey.qos.end() ? nullptr : &*found;
}

void tightenByQos(Partition& partition, const SlurmCells& qos)
{
    tighten(partition.maxTime, slurmSpan(qos.value(u"MaxWall"_s)));
    const QString job = qos.value(u"MaxTRES"_s);
    tighten(partition.maxNodes, inResources(job, u"node"_s));
    tighten(partition.maxGpusPerJob, gpusIn(job));
    tighten(partition.maxGpusPerUser, gpusIn(qos.value(u"MaxTRESPU"_s)));
    tighten(partition.maxRunningJobs, positive(qos.value(u"MaxJobsPU"_s)));
    tighten(partition.maxSubmittedJobs, positive(qos.value(u"MaxSubmitPU"_s)));
    if (const auto least = gpusIn(qos.value(u"MinTRES"_s)); least && *least > 0)
        partition.minGpusPerJob = qMax(partition.minGpusPerJob.value_or(0), *least);
}

void draftPartitions(ClusterDraft& draft, const ClusterSurvey& survey, const QString& source)
{
    const QList<SurveyedNodes> kinds = gpuKinds(survey);
    QStringList leftOut;
    for (const SlurmCells& cells : survey.partitions) {
        const QString name = cells.value(u"PartitionName"_s);
        const auto kind = std::find_if(
            kinds.begin(), kinds.end(), [&](const SurveyedNodes& one) { return one.partitions.contains(name); });
        if (kind == kinds.end()) {
            leftOut.append(name);
            continue;
        }
        const Drafting drafting{draft, survey, cells, u"$.partitions (%1)"_s.arg(name)};
        Partition partition = partitionOf(drafting, source);
        partition.node = draft.profile.nodes.at(kind - kinds.begin()).name;
        draft.profile.partitions.append(partition);
        addOtherKinds(drafting, partition, kinds);
    }
    sortByUse(draft.profile.partitions);
    if (!leftOut.isEmpty())
        draft.doubts.append({u"$.partitions"_s, u"Left out, since they have no GPU: %1."_s.arg(leftOut.join(u", "_s))});
    if (!draft.profile.partitions.isEmpty())
        draft.doubts.append({u"$.partitions"_s,
            u"Their order decides which is proposed first: those with a limit of four hours or less come last, as tests."_s});
}

} // namespace rankwright::inline cluster
