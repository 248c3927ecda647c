// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/draft/clusterdraft.h"

namespace rankwright::inline cluster {

/// Adds the partitions that have GPU nodes; call it after draftNodes().
void draftPartitions(ClusterDraft& draft, const ClusterSurvey& survey, const QString& source);

/// Null when the cluster reported no QoS of this name.
const SlurmCells* qosNamed(const ClusterSurvey& survey, const QString& name);

/// Replaces limits of the partition by those of a QoS that are tighter.
void tightenByQos(Partition& partition, const SlurmCells& qos);

} // namespace rankwright::inline cluster
