// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline insight {

/// A pending reason in plain words with what can be done: "Priority" -> "Other jobs are before yours. ...". Unknown
/// reasons are shown as Slurm names them.
QString explainPendingReason(const QString& reason);
/// How a job ended, in one sentence: state, exit code, signal, what it means.
QString explainOutcome(const JobRecord& job);

} // namespace rankwright::inline insight
