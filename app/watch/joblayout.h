// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/launchedjob.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/remote/remoteshell.h"
#include "models/planner/design/resolve.h"
#include "models/tables/grid/parallelgroups.h"

namespace rankwright {

/// Whether Slurm gave the job the GPUs that its design asks for, or whole nodes with all of theirs, as some partitions
/// do whatever was asked for. True where Slurm does not say.
bool gotItsGpus(const ResolvedSpec& resolved, const JobRecord& record);

/// Where the ranks of a job run that was launched from a design, with their parallel groups. `record`: nodes and GPUs
/// that Slurm gave it. Empty without a readable design, or if the job got other nodes or GPUs than it says: then
/// it is unknown.
QList<RankPlace> placementOf(const LaunchedJob& launched, const ClusterProfile& profile, const JobRecord& record);

/// Asks the cluster once which switch each of `nodes` hangs on (models/cluster/slurm/topology.h); `then` gets an empty
/// table where it does not know.
void askSwitches(RemoteShell& shell, const QStringList& nodes, QObject* guard,
    std::function<void(const QHash<QString, QString>&)> then);

} // namespace rankwright
