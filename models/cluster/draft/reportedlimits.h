// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline cluster {

/// The entry of a cluster with what its own Slurm reports today in place of what is published: nodes of a partition,
/// the largest job, the longest time, the GPUs of one user and of a job, what the account's default QoS gives, and
/// queues that are down. What Slurm does not say stays. An entry with a constraint keeps its own count of nodes: it is
/// a part of the partition.
ClusterProfile withReportedLimits(ClusterProfile profile, const ClusterFacts& facts);

} // namespace rankwright::inline cluster
