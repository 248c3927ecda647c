// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/draft/clustersurvey.h"

namespace rankwright::inline cluster {

/// One thing in which an entry and the cluster's own Slurm differ.
struct EntryDifference {
    QString place; ///< path in the cluster file: "$.partitions[2].maxTime"
    QString subject; ///< the same for people: "partition small-g: longest time"
    QString entry; ///< what the entry has; empty: nothing
    QString cluster; ///< what Slurm reports; empty: nothing of it there
    bool operator==(const EntryDifference&) const = default;
};

struct EntryComparison {
    QList<EntryDifference> differences; ///< in the order of the entry, what only the cluster has behind
    QStringList notCompared; ///< what Slurm does not answer, in sentences
};

/// An entry beside what the cluster reports today: partitions, limits (with those of their QoS), default time and
/// memory, GPUs, cores and memory of nodes, QoS, features, accounts. A limit that Slurm does not have does not differ:
/// a site may hold it by a filter or in words. A limit that only Slurm has is one. Memory within a sixteenth below what
/// Slurm has is the same. Pure.
EntryComparison compareEntry(const ClusterProfile& entry, const ClusterSurvey& survey);

} // namespace rankwright::inline cluster
