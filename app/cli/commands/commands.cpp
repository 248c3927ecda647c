// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/transfer/transfercommands.h"

namespace rankwright {

QList<CliCommand> allCommands()
{
    return {clustersCommand(), modelsCommand(), scriptCommand(), checkCommand(), readCommand(), setCommand(),
        parseCommand(), costCommand(), bindCommand(), batchCommand(), recordingsCommand(), openCommand(),
        estimateCommand(), searchCommand(), adviseCommand(), learningCommand(), explainCommand(), classCommand(),
        connectCommand(), loginHelpCommand(), submitCommand(), jobsCommand(), cancelCommand(), watchCommand(),
        whereCommand(), outputsCommand(), forwardCommand(), shellCommand(), shareCommand(), gpuRecordsCommand(),
        reportCommand(), exportCommand(), practiceCommand(), agentCommand(), filesCommand(), uploadCommand(),
        putCommand(), downloadCommand(), getCommand()};
}

} // namespace rankwright
