// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/bindingoptions.h"
#include "models/script/write/launchlayout.h"
#include "models/script/write/scriptbuilder.h"

namespace rankwright::inline script {

// Every rank compares its cores and its device with the plan before the program starts (R43): rank 0 says one line, any
// other rank only when it is not where the plan has it. What the lines mean: models/insight/text/rankreport.h.

/// Whether the ranks of this design look: those that Slurm starts, and those that an agent starts and the script binds.
bool checksRanks(const ResolvedSpec& resolved, const BindingOptions& binding);

/// CHECK_RANK, the shell text that a rank runs: by eval in the task's shell, or as the worker that an agent starts.
void writeRankCheck(ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline script
