// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"

namespace rankwright {

/// What a job failed of, as Live page and report say it ("Rank 3: GPU out of memory"), from its recording in `folder`.
/// Empty: it did not fail, was not recorded, or its recording names no cause.
QString recordedCause(const QString& folder, const QString& cluster, const JobRecord& job);
/// The same of a recording, whatever Slurm says of the job.
QString causeInRecording(const QString& path);

} // namespace rankwright
