// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remotecommand.h"
#include "models/cluster/slurm/jobrecord.h"

namespace rankwright::inline cluster {

/// The answer to rehearseCommand(). RemoteExit: Slurm or the site refuses the script. Offline: the controller is not
/// reached or broke off, which says nothing of the script.
Result<StartForecast> readRehearsal(const CommandOutcome& outcome);

/// What came of it in one sentence: Slurm's own line, or why no estimate was given.
QString rehearsalText(const StartForecast& forecast);

} // namespace rankwright::inline cluster
