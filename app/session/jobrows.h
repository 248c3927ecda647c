// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/joblog.h"
#include "app/store/recordings.h"
#include "models/tables/jobmodel.h"

namespace rankwright {

/// The Jobs page's rows of one cluster: what the queue reports now, else what the accounting reported, else what our
/// own job log knows; joined by token, then by job id. A recorded job that is in none of these is a row from its
/// recording. An undecided submission is a row of its own, with its entry id as id.
QList<JobRow> jobRows(const QString& cluster, const QList<JobRecord>& queue, const QList<JobRecord>& history,
    const QList<JobLogEntry>& entries, const QList<RecordingInfo>& recordings = {});

/// What is known of a submission that has no job (yet), or had none.
QString undecidedNote(const JobLogEntry& entry);

/// What a script asks Slurm for, as a record of the job that it became: partition, account, nodes, GPUs, time limit.
/// For jobs that Slurm does not report now; what the script does not say stays empty.
JobRecord requestOf(const QByteArray& script);

} // namespace rankwright
