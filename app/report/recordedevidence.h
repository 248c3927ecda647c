// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/reportinputs.h"

namespace rankwright {

/// What the recording of a job has for its report: samples, progress, time of a step, alerts, design. All empty where
/// the job was not recorded, or where the recording of this id is of another job (an id of a cluster that was set up
/// again).
/// Opens and reads a file of its own: may be asked on any thread. `watch` null: without the sums of its samples, which
/// take seconds where there are thousands of GPUs.
JobEvidence recordedEvidence(
    const QString& dataFolder, const QString& cluster, const JobRecord& job, SummaryWatch* watch);
/// The job as its recording knows it; empty: not recorded.
std::optional<JobRecord> recordedRecord(const QString& dataFolder, const QString& cluster, const JobId& job);

} // namespace rankwright
