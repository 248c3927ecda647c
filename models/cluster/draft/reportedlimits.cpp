// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/reportedlimits.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

void applyNodes(Partition& entry, const ClusterFacts::PartitionFact& fact)
{
    if (!entry.constraint.isEmpty())
        return;
    if (fact.nodes && *fact.nodes > 0)
        entry.nodes = fact.nodes;
    if (fact.maxNodes && *fact.maxNodes > 0)
        entry.maxNodes = fact.maxNodes;
    if (entry.nodes && (!entry.maxNodes || *entry.maxNodes > *entry.nodes))
        entry.maxNodes = entry.nodes; // of unlimited: all there are
}

/// slurm.conf(5), PartitionName, State: DOWN takes jobs into the queue and starts none of them, DRAIN and INACTIVE
/// refuse new ones.
void applyFact(Partition& entry, const ClusterFacts::PartitionFact& fact)
{
    applyNodes(entry, fact);
    if (fact.maxTime)
        entry.maxTime = fact.maxTime;
    if (fact.maxGpusPerUser)
        entry.maxGpusPerUser = fact.maxGpusPerUser;
    if (fact.maxGpusPerJob)
        entry.maxGpusPerJob = fact.maxGpusPerJob;
    if (fact.state.isEmpty() || fact.state == u"up")
        return;
    entry.stateToday = fact.state;
    if (fact.state != u"down") // drain, inactive
        entry.offered = Partition::Offer::Never;
    else if (entry.offered == Partition::Offer::Normal || entry.offered == Partition::Offer::Last)
        entry.offered = Partition::Offer::Named; // jobs wait there until it is up again
}

} // namespace

ClusterProfile withReportedLimits(ClusterProfile profile, const ClusterFacts& facts)
{
    for (Partition& entry : profile.partitions) {
        const auto fact = std::find_if(facts.partitions.begin(), facts.partitions.end(),
            [&entry](const ClusterFacts::PartitionFact& one) { return one.name == entry.slurmName(); });
        if (fact == facts.partitions.end())
            continue;
        applyFact(entry, *fact);
        if (entry.qos.isEmpty() && !fact->maxGpusPerUser && !fact->maxGpusPerJob)
            entry.defaultQosGpus = facts.defaultQosGpus;
    }
    return profile;
}

} // namespace rankwright::inline cluster
