// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfileparts.h"

namespace rankwright {

/// Asks the cluster: three commands, one after another. Error: it does not answer. The guard must not outlive `shell`.
void readOutputEnds(RemoteShell& shell, const JobRecord& job, QObject* guard, const Then<JobOutputEnds>& then);

} // namespace rankwright
