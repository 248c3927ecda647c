// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/designestimate.h"
#include "models/script/batch/batchtext.h"
#include "models/script/checks/designchecks.h"

namespace rankwright::inline script {

/// Switches that the estimate relies on and that the script, with the command and the user's own lines in it, does not
/// launch: what the script would need instead, and a fix that puts the switch there. An error where it fits no longer.
/// Those that nothing passes, since the program takes none of them, are one hint. `script`: the design's.
QList<Finding> launchFindings(const ResolvedSpec& resolved, const ClusterProfile& profile,
    const DesignEstimate& estimate, const BatchText& script);

/// The same of a script alone, where its arguments have the model's figures (Megatron-LM): the plan is then what
/// Megatron-LM's own recipes switch on. Hints in a script of somebody else; the fix is one of the design that
/// the script is read as.
QList<Finding> scriptLaunchFindings(const BatchText& batch, const ClusterProfile& profile);

} // namespace rankwright::inline script
