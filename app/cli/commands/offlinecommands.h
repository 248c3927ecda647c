// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

// Subcommands on a design that stand in files of their own; gathered by offlineCommands().
int runCost(const CliContext& context); ///< costcommand.cpp
int runBind(const CliContext& context); ///< bindcommand.cpp

} // namespace rankwright
