// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobusage.h"
#include "models/core/jsonreader.h"

namespace rankwright::inline cluster {

/// What a job used, as it is kept on this machine: the job as of jobRecordJson() under "job", its own members, and the
/// steps. What was not reported is null.
QJsonObject jobUsageJson(const JobUsage& usage);
/// Error: the job is missing, or a member is of another kind; it names the path.
Result<JobUsage> jobUsageFromJson(JsonReader json);

} // namespace rankwright::inline cluster
