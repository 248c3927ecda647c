// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/remote/remotecommand.h"
#include "models/slurm/slurmclient.h"

namespace rankwright {

// Both begin in the home folder and drop the SBATCH_* variables that would replace what the script sets.

/// sbatch --test-only: what the controller would do with the script; nothing is queued (rehearse.sh of
/// resources/remote; readRehearsal() reads the answer).
RemoteCommand rehearseCommand(const SubmitRequest& request);
/// sbatch with the script on stdin, behind a shell that first counts the script's bytes: one that was cut on its way is
/// not submitted (exit status 75, EX_TEMPFAIL of sysexits.h).
RemoteCommand sbatchCommand(const SubmitRequest& request);

} // namespace rankwright
