// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace rankwright {

// The networked subcommands, one function each; gathered by networkCommands().
int runConnect(const CliContext& context);
int runSubmit(const CliContext& context);
int runJobs(const CliContext& context);
int runCancel(const CliContext& context);
int runGpuRecords(const CliContext& context);
int runWatch(const CliContext& context);
int runReport(const CliContext& context);
int runPractice(const CliContext& context);

} // namespace rankwright
