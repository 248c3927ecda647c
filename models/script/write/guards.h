// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/launchers.h"

namespace rankwright::inline script {

/// One sentence and exit 1 instead of a wrong run (R38): tasks, GPUs, account, image, program, configuration; and a
/// stop when the design cannot be launched.
void writeGuards(ScriptBuilder& builder, const LaunchPlan& plan);

} // namespace rankwright::inline script
