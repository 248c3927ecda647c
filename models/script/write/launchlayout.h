// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/design/resolve.h"

namespace rankwright {

// Who starts the processes of a job and what they expect from whoever starts them: R01, R27, R28, R40, R41 and the
// launch contracts of the frameworks. Everything else in this folder asks here instead of looking at the launcher.

/// What the one srun line starts on each node.
enum class Starter {
    Tasks, ///< the ranks themselves, one task each
    Torchrun, ///< an agent per node
    Accelerate, ///< accelerate's agent per node
    Deepspeed ///< the deepspeed command, one node
};

/// DeepSpeed's own command needs ssh between nodes, which clusters do not allow: on several nodes torchrun takes over.
Starter starterOf(const ResolvedSpec& resolved);
bool isAgent(Starter starter); ///< starts the workers of a node itself

/// The training stack, as far as the script has to know it: what it is configured with and reads from the environment.
enum class Trainer { Plain, Deepspeed, HfTrainer, Lightning, Megatron, MegatronDeepspeed, Titan, Horovod };

/// Whether a command starts a program of Megatron-LM, by its name (pretrain_gpt.py) or options: others know none of
/// its arguments.
bool isMegatronProgram(const QString& command);
/// By the design's framework; when open, by strategy, launcher and program (torchtitan names itself).
Trainer trainerOf(const ResolvedSpec& resolved);

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

} // namespace rankwright
