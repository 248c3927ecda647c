// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clicommand.h"

namespace rankwright {

/// All subcommands in the order of the help text.
QList<CliCommand> allCommands();

// Without a network. Each is in the file of its name: `check` in checkcommand.cpp.
CliCommand clustersCommand();
CliCommand modelsCommand();
CliCommand scriptCommand();
CliCommand checkCommand();
CliCommand readCommand();
CliCommand setCommand();
CliCommand parseCommand();
CliCommand costCommand();
CliCommand bindCommand();
CliCommand batchCommand();
CliCommand recordingsCommand();
CliCommand openCommand();
CliCommand estimateCommand();
CliCommand searchCommand();
CliCommand adviseCommand();
CliCommand learningCommand();
CliCommand explainCommand();
CliCommand classCommand();

// With a cluster.
CliCommand connectCommand();
CliCommand loginHelpCommand();
CliCommand submitCommand();
CliCommand jobsCommand();
CliCommand cancelCommand();
CliCommand watchCommand();
CliCommand whereCommand();
CliCommand forwardCommand();
CliCommand shellCommand();
CliCommand shareCommand();
CliCommand gpuRecordsCommand();
CliCommand reportCommand();
CliCommand exportCommand();
CliCommand practiceCommand();
CliCommand agentCommand();

} // namespace rankwright
