// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>

namespace rankwright::inline cluster {

/// sbatch's refusal in plain words with a remedy; Slurm's own words stay in `detail`. Also for squeue, scancel and
/// sacct, which fail with the same texts. `exitStatus` negative: not reported.
Error slurmRefusal(const QByteArray& errorOutput, int exitStatus);

/// Whether a failed command of Slurm got an answer of the controller at all.
enum class ControllerContact {
    Made,
    Late, ///< "Socket timed out on send/recv operation": there, and busy
    Broken, ///< not reached, or gone in the middle: "Zero Bytes were transmitted or received"
};
/// By the words of Slurm's src/common/slurm_errno.c, the same from 20.11 to 26.05.
ControllerContact controllerContact(const QByteArray& errorOutput);

} // namespace rankwright::inline cluster
