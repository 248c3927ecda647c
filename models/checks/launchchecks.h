// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checks/designchecks.h"
#include "models/planning/designestimate.h"

namespace rankwright {

/// Switches that the estimate relies on and that the script, with the command and the user's own lines in it, does not
/// launch: what the script would need instead, and a fix that puts the switch there. An error where it fits no longer.
QList<Finding> launchFindings(
    const ResolvedSpec& resolved, const ClusterProfile& profile, const DesignEstimate& estimate);

} // namespace rankwright
