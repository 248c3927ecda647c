// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>

namespace rankwright {

/// sbatch's refusal in plain words with a remedy; Slurm's own words stay in `detail`. Also for squeue, scancel and
/// sacct, which fail with the same texts. `exitStatus` negative: not reported.
Error slurmRefusal(const QByteArray& errorOutput, int exitStatus);

} // namespace rankwright
