// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptbuilder.h"

#include "models/planner/design/resolve.h"

namespace rankwright::inline script {

enum class BatchShell { Plain, Login }; ///< a login shell defines the module command

/// The #! line and the #SBATCH block (R02-R07, R34, R37).
void writeDirectives(
    ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile, BatchShell shell);

/// Whether the site wants an account and the design has none.
bool lacksAccount(const ResolvedSpec& resolved, const ClusterProfile& profile);

} // namespace rankwright::inline script
