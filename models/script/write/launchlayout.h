// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/trainingprogram.h"

namespace rankwright::inline script {

// What the processes of a job expect from whoever starts them: R01, R27, R28, R40, R41 and the launch contracts of the
// frameworks. Everything else in this folder asks here or in trainingprogram instead of looking at the launcher.

/// Whether the script starts one process per GPU through Slurm.
bool startsRanksBySlurm(const ResolvedSpec& resolved);
/// Whether the ranks have to find each other at all.
bool isDistributed(const ResolvedSpec& resolved);
/// One process of a design that leaves the strategy open: its program may be written for several ranks, and learns
/// that it is rank 0 of 1. A design that says "single" gets a plain process.
bool isSoleRank(const ResolvedSpec& resolved);
/// Whether the tasks get RANK and its kin from the script. Not under an agent, which sets them itself; Lightning reads
/// Slurm's, Horovod MPI's.
bool setsRankVariables(const ResolvedSpec& resolved);
/// Whether the batch shell has to find out the first node and a port.
bool needsAddress(const ResolvedSpec& resolved, const ClusterProfile& profile);
/// Whether torchrun's agent hands the program's words on, which it reads as templates. accelerate uses that agent, too,
/// except for one process.
bool fillsTemplates(const ResolvedSpec& resolved);
/// Workers of one node.
int workersPerNode(const ResolvedSpec& resolved);

} // namespace rankwright::inline script
