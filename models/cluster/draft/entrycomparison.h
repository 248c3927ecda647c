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

/// Compares an entry with what the cluster reports today: partitions, limits (with those of their QoS), default time
/// and memory, GPUs, cores and memory of nodes, QoS, features, accounts. A limit that Slurm lacks does not count: a
/// site may enforce it by a filter or ask for it in its rules. A limit that only Slurm has is one. Memory up to a
/// sixteenth below what Slurm has counts as the same. Pure.
EntryComparison compareEntry(const ClusterProfile& entry, const ClusterSurvey& survey);

} // namespace rankwright::inline cluster
