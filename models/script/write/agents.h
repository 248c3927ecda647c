// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/launchers.h"

namespace rankwright::inline script {

/// The agent of a node with its options, as pieces of a command, each with its reason; empty when Slurm starts the
/// ranks. Leading blanks are relative to the options of srun.
QList<ScriptLine> agentPieces(const LaunchPlan& plan);

/// How many of the agent's pieces hold something that each task has to expand itself: accelerate's machine rank (R27),
/// and whether a node opens torchrun's meeting point (R10).
int piecesExpandedByTask(const LaunchPlan& plan);

} // namespace rankwright::inline script
