// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/entrycomparison.h"

#include "models/cluster/draft/clusterdraft.h"
#include "models/cluster/draft/draftnodes.h"
#include "models/cluster/draft/draftpartitions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

/// What both sides are, and the list of differences on its way.
struct Comparing {
    const ClusterProfile& entry;
    const ClusterSurvey& survey;
    const ClusterDraft drafted; ///< the survey in the catalogue's own terms
    const QList<SurveyedNodes> kinds; ///< in the order of the drafted nodes
    EntryComparison result;

    void differs(const QString& place, const QString& subject, const QString& entryHas, const QString& clusterHas)
    {
        const EntryDifference one{place, subject, entryHas, clusterHas};
        if (!result.differences.contains(one))
            result.differences.append(one);
    }
};

/// One partition of the entry and what Slurm reports in its place.
struct PartitionPair {
    Comparing& all;
    const Partition& entry;
    Partition cluster; ///< with the limits of the entry's QoS
    QString place; ///< "$.partitions[2]"

    void differs(const QString& member, const QString& what, const QString& has, const QString& reported) const
    {
        all.differs(place + member, u"partition %1: %2"_s.arg(entry.name, what), has, reported);
    }
};

QString textOf(const std::optional<int>& number) { return number ? QString::number(*number) : QString(); }
QString textOf(const std::optional<Seconds>& time) { return time ? slurmTime(*time) : QString(); }

QString textOf(const std::optional<DefaultMemory>& memory)
{
    static const QStringList pers{u"node"_s, u"CPU"_s, u"GPU"_s};
    return memory ? u"%1 per %2"_s.arg(slurmMemory(memory->size), pers.at(int(memory->per))) : QString();
}

/// A limit: what Slurm holds counts, also where the entry is silent.
template <typename T>
void compareLimit(const PartitionPair& pair, const QString& member, const QString& what, const std::optional<T>& has,
    const std::optional<T>& reported)
{
    if (reported && has != reported)
        pair.differs(member, what, textOf(has), textOf(reported));
}

void compareLimits(const PartitionPair& pair)
{
    const Partition& has = pair.entry;
    const Partition& reported = pair.cluster;
    compareLimit(pair, u".maxTime"_s, u"longest time"_s, has.maxTime, reported.maxTime);
    if (has.defaultTime)
        compareLimit(
            pair, u".defaultTime"_s, u"time of a job that names none"_s, has.defaultTime, reported.defaultTime);
    if (has.nodes && has.constraint.isEmpty())
        compareLimit(pair, u".nodes"_s, u"nodes in it"_s, has.nodes, reported.nodes);
    compareLimit(pair, u".minNodes"_s, u"fewest nodes of a job"_s, has.minNodes, reported.minNodes);
    const bool allOfThem
        = !has.maxNodes && reported.maxNodes && reported.nodes && *reported.maxNodes >= *reported.nodes;
    if (!allOfThem)
        compareLimit(pair, u".maxNodes"_s, u"most nodes of a job"_s, has.maxNodes, reported.maxNodes);
    compareLimit(pair, u".minGpusPerJob"_s, u"fewest GPUs of a job"_s, has.minGpusPerJob, reported.minGpusPerJob);
    compareLimit(pair, u".maxGpusPerJob"_s, u"most GPUs of a job"_s, has.maxGpusPerJob, reported.maxGpusPerJob);
    compareLimit(pair, u".maxGpusPerUser"_s, u"most GPUs of a user"_s, has.maxGpusPerUser, reported.maxGpusPerUser);
    compareLimit(pair, u".maxRunningJobs"_s, u"running jobs of a user"_s, has.maxRunningJobs, reported.maxRunningJobs);
    compareLimit(pair, u".maxSubmittedJobs"_s, u"jobs of a user in the queue"_s, has.maxSubmittedJobs,
        reported.maxSubmittedJobs);
    if (has.defaultMemory)
        compareLimit(pair, u".defaultMemory"_s, u"memory of a job that asks for none"_s, has.defaultMemory,
            reported.defaultMemory);
}

void compareAccess(const PartitionPair& pair)
{
    if (pair.entry.shared != pair.cluster.shared) {
        const auto word = [](bool shared) { return shared ? u"shared"_s : u"whole"_s; };
        pair.differs(u".shared"_s, u"nodes are given"_s, word(pair.entry.shared), word(pair.cluster.shared));
    }
    const auto closed = [](const Partition& one) {
        return one.offered == Partition::Offer::Never || one.offered == Partition::Offer::Named;
    };
    if (closed(pair.cluster) && !closed(pair.entry))
        pair.differs(u".offered"_s, u"open to you"_s, u"yes"_s, u"no: down, or for other accounts or groups"_s);
}

/// Usable CPUs in physical cores: how a site counts --cpus-per-task cannot be seen from Slurm's node records.
int coresOf(const NodeShape& node)
{
    return node.cpusAreThreads ? node.usableCores / node.threadsPerCore : node.usableCores;
}

void compareMemory(const PartitionPair& pair, const NodeShape& has, const NodeShape& reported, const QString& place)
{
    if (!has.knowsMemory() || !reported.knowsMemory())
        return;
    const bool same = has.memory.count <= reported.memory.count && has.memory.count * 16 >= reported.memory.count * 15;
    if (!same)
        pair.all.differs(place + u".memory"_s, u"node %1: memory for jobs"_s.arg(has.name), slurmMemory(has.memory),
            slurmMemory(reported.memory));
}

void compareNode(const PartitionPair& pair, const NodeShape& has, const NodeShape& reported)
{
    const auto& nodes = pair.all.entry.nodes;
    const auto at
        = std::find_if(nodes.begin(), nodes.end(), [&](const NodeShape& one) { return one.name == has.name; });
    const QString place = u"$.nodes[%1]"_s.arg(at - nodes.begin());
    const auto differs = [&](const QString& member, const QString& what, const QString& mine, const QString& theirs) {
        pair.all.differs(place + member, u"node %1: %2"_s.arg(has.name, what), mine, theirs);
    };
    if (has.gpus != reported.gpus)
        differs(u".gpus"_s, u"GPUs"_s, QString::number(has.gpus), QString::number(reported.gpus));
    const QString& type = has.gpu.slurmName;
    if (!type.isEmpty() && !reported.gpu.slurmName.isEmpty() && type != reported.gpu.slurmName)
        differs(u".gpu.slurmName"_s, u"GPU type of Slurm"_s, type, reported.gpu.slurmName);
    if (has.cores > 0 && reported.cores > 0 && has.cores != reported.cores)
        differs(u".cores"_s, u"cores"_s, QString::number(has.cores), QString::number(reported.cores));
    if (has.knowsCores() && reported.knowsCores() && coresOf(has) != coresOf(reported))
        differs(
            u".usableCores"_s, u"cores for jobs"_s, QString::number(coresOf(has)), QString::number(coresOf(reported)));
    if (has.cpusAreThreads && !reported.cpusAreThreads && reported.knowsCores())
        differs(u".cpusAreThreads"_s, u"Slurm's CPUs are"_s, u"hardware threads"_s, u"cores"_s);
    if (!has.architecture.isEmpty() && !reported.architecture.isEmpty() && has.architecture != reported.architecture)
        differs(u".architecture"_s, u"architecture"_s, has.architecture, reported.architecture);
    compareMemory(pair, has, reported, place);
}

/// Reported counterparts of one of the entry's partitions, by how well their nodes fit.
const Partition* reportedCounterpart(const Comparing& all, const Partition& entry, const NodeShape* node)
{
    const Partition* best = nullptr;
    int bestFit = -1;
    for (const Partition& candidate : all.drafted.profile.partitions) {
        if (candidate.slurmName() != entry.slurmName())
            continue;
        const auto& nodes = all.drafted.profile.nodes;
        const auto kind = std::find_if(
            nodes.begin(), nodes.end(), [&](const NodeShape& one) { return one.name == candidate.node; });
        int fit = 0;
        if (kind != nodes.end() && node != nullptr) {
            fit += kind->gpu.slurmName == node->gpu.slurmName ? 4 : 0;
            fit += all.kinds.value(kind - nodes.begin()).anyFeatures.contains(entry.constraint) ? 2 : 0;
            fit += kind->gpus == node->gpus ? 1 : 0;
        }
        if (fit > bestFit) {
            best = &candidate;
            bestFit = fit;
        }
    }
    return best;
}

/// Does any node have what a constraint names? Only single features are looked for.
bool hasFeatures(const ClusterSurvey& survey, const QString& constraint)
{
    for (const QString& feature : constraint.split(QRegularExpression(u"[&|,\\[\\]()*]"_s), Qt::SkipEmptyParts)) {
        const bool there = std::any_of(survey.nodes.begin(), survey.nodes.end(),
            [&](const SurveyedNodes& kind) { return kind.anyFeatures.contains(feature); });
        if (!there)
            return false;
    }
    return true;
}

void compareOptions(Comparing& all, const Partition& entry, const QString& place)
{
    const QString name = u"partition %1: "_s.arg(entry.name);
    if (!entry.qos.isEmpty() && !all.survey.qos.isEmpty() && qosNamed(all.survey, entry.qos) == nullptr)
        all.differs(place + u".qos"_s, name + u"QoS"_s, entry.qos, {});
    if (!entry.constraint.isEmpty() && !hasFeatures(all.survey, entry.constraint))
        all.differs(place + u".constraint"_s, name + u"feature of its nodes"_s, entry.constraint, {});
}

void comparePartition(Comparing& all, qsizetype index)
{
    const Partition& entry = all.entry.partitions.at(index);
    const QString place = u"$.partitions[%1]"_s.arg(index);
    compareOptions(all, entry, place);
    if (!entry.partitionWritten && entry.slurmPartition.isEmpty()) {
        all.result.notCompared.append(
            u"“%1” writes no --partition: which one the cluster chooses, and its limits, cannot be compared."_s.arg(
                entry.name));
        return;
    }
    const NodeShape* node = all.entry.nodeShape(entry.name);
    const Partition* counterpart = reportedCounterpart(all, entry, node);
    if (counterpart == nullptr) {
        const auto& reported = all.survey.partitions;
        const bool there = std::any_of(reported.begin(), reported.end(),
            [&](const SlurmCells& cells) { return cells.value(u"PartitionName"_s) == entry.slurmName(); });
        all.differs(place, u"partition %1"_s.arg(entry.slurmName()), u"there, with GPUs"_s,
            there ? u"there, without GPUs"_s : QString());
        return;
    }
    PartitionPair pair{all, entry, *counterpart, place};
    if (const SlurmCells* qos = qosNamed(all.survey, entry.qos))
        tightenByQos(pair.cluster, *qos);
    compareAccess(pair);
    compareLimits(pair);
    const NodeShape* reported = all.drafted.profile.nodeShape(counterpart->name);
    if (node != nullptr && reported != nullptr)
        compareNode(pair, *node, *reported);
}

/// What is there and open, and not in the entry.
void findNewPartitions(Comparing& all)
{
    for (const Partition& reported : all.drafted.profile.partitions) {
        const auto& known = all.entry.partitions;
        const bool isKnown = std::any_of(
            known.begin(), known.end(), [&](const Partition& one) { return one.slurmName() == reported.slurmName(); });
        if (!isKnown && reported.offered != Partition::Offer::Never)
            all.differs(u"$.partitions"_s, u"partition %1"_s.arg(reported.slurmName()), {}, u"there, with GPUs"_s);
    }
}

void compareAccounts(Comparing& all)
{
    const QStringList& accounts = all.survey.accounts;
    const LaunchDefaults& launch = all.entry.launch;
    if (accounts.isEmpty()) {
        all.result.notCompared.append(u"Slurm reported no account of yours: the form of accounts is not compared."_s);
        return;
    }
    const QRegularExpression form(launch.accountPattern);
    const bool fits = launch.accountPattern.isEmpty()
        || std::any_of(
            accounts.begin(), accounts.end(), [&](const QString& one) { return form.match(one).hasMatch(); });
    if (!fits)
        all.differs(
            u"$.launch.accountPattern"_s, u"form of an account"_s, launch.accountPattern, accounts.join(u", "_s));
    const bool enforced = all.survey.config.value(u"AccountingStorageEnforce"_s).contains(u"associations"_s);
    if (enforced && !launch.accountRequired && all.survey.defaultAccount.isEmpty())
        all.differs(u"$.launch.accountRequired"_s, u"jobs without --account"_s, u"taken"_s,
            u"refused: you have no default account"_s);
    else if (!all.survey.defaultAccount.isEmpty() && !accounts.contains(all.survey.defaultAccount))
        all.differs(u"$.launch.accountRequired"_s, u"default account"_s, accounts.join(u", "_s),
            u"%1, with which no job can be submitted here"_s.arg(all.survey.defaultAccount));
}

} // namespace

EntryComparison compareEntry(const ClusterProfile& entry, const ClusterSurvey& survey)
{
    DraftRequest request;
    request.name = entry.name;
    Comparing all{entry, survey, draftCluster(survey, request, {}), gpuKinds(survey), {}};
    for (qsizetype i = 0; i < entry.partitions.size(); ++i)
        comparePartition(all, i);
    findNewPartitions(all);
    compareAccounts(all);
    if (survey.nodesFromSinfo)
        all.result.notCompared.append(
            u"The cluster shows no single nodes: cores and memory kept for the system are not known."_s);
    if (survey.qos.isEmpty())
        all.result.notCompared.append(u"Slurm reported no QoS: their limits are not compared."_s);
    return all.result;
}

} // namespace rankwright::inline cluster
