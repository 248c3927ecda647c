// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/keptoutputs.h"
#include "models/cluster/remote/remoteshell.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright {

struct ReadOutputs {
    QList<KeptOutput> outputs;
    QStringList unread; ///< files that could not be read, each with why: "/run/train.err: Permission denied"
};

/// Reads what a job that has ended wrote, to be kept on this machine: all of its output files (of the job, of each
/// task, of each worker), small ones whole, of larger ones the end, likeliest first, as far as the bounds of
/// keptoutputs.h go. Two commands, then one for each file. Error: the cluster does not answer. The guard must not
/// outlive `shell`.
void readJobOutputs(RemoteShell& shell, const JobRecord& job, QObject* guard, const Then<ReadOutputs>& then);

} // namespace rankwright
