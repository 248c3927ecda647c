// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

/// The planner's subcommands: estimate, search, advise.
QList<CliCommand> planCommands();

int runEstimate(const CliContext& context); ///< estimatecommand.cpp

} // namespace rankwright
