// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

namespace rankwright {

QList<CliCommand> allCommands()
{
    return {clustersCommand(), modelsCommand(), scriptCommand(), checkCommand(), readCommand(), parseCommand(),
        costCommand(), bindCommand(), batchCommand(), recordingsCommand(), estimateCommand(), searchCommand(),
        adviseCommand(), learningCommand(), connectCommand(), submitCommand(), jobsCommand(), cancelCommand(),
        watchCommand(), gpuRecordsCommand(), reportCommand(), practiceCommand()};
}

} // namespace rankwright
