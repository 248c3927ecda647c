// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "models/cluster/catalogue/clusterprofile.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright {

/// The node on which a rank of a running job is: by the design where it was launched from here and got what it says,
/// else as if each GPU had one rank, node by node. Error: no such rank, or its node is unknown.
Result<QString> nodeOfRank(const JobLog& log, const ClusterProfile& profile, const JobRecord& record, int rank);

} // namespace rankwright
