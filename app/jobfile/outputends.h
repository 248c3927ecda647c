// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfileparts.h"

namespace rankwright {

/// The ends of a job's output files, and its batch script as the cluster has it.
struct JobOutputEnds {
    QList<JobFileOutput> outputs; ///< likeliest first, at most mostJobFileOutputs
    QByteArray script; ///< empty: the cluster does not say
};

/// Asks the cluster: three commands, one after another. Error: it does not answer. The guard must not outlive `shell`.
void readOutputEnds(RemoteShell& shell, const JobRecord& job, QObject* guard, const Then<JobOutputEnds>& then);

} // namespace rankwright
