// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/jsonreader.h"

namespace rankwright::inline cluster {

/// A job as `jobs`, `watch` and `report` print it and recordings keep it (docs/cli.md lists the members). What Slurm
/// did not report is null; times are UTC in whole seconds, as Slurm reports them.
QJsonObject jobRecordJson(const JobRecord& record);
/// Error: the id is missing, or a member is of another kind; it names the path. A state that is not known here is
/// Unknown, further members are not an error: a newer program may have written them.
Result<JobRecord> jobRecordFromJson(JsonReader json);

} // namespace rankwright::inline cluster
