// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/offlinecommands.h"
#include "app/cli/command.h"
#include "app/cli/commands/batchcommand.h"
#include "app/cli/commands/checkcommand.h"
#include "app/cli/commands/clusterscommand.h"
#include "app/cli/commands/modelscommand.h"
#include "app/cli/commands/parsegpucommand.h"
#include "app/cli/commands/readcommand.h"
#include "app/cli/commands/recordingscommand.h"
#include "app/cli/commands/searchcommand.h"
#include "app/cli/designfile.h"
#include "models/script/write/scriptwriter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runScript(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    context.out << writeScript(design->resolved, *design->profile).text();
    return ExitDone;
}

} // namespace

QList<CliCommand> offlineCommands()
{
    const QList<CliCommand> commands{
        {"clusters", "List the clusters of the catalogue; --draft asks a live cluster and drafts an entry for it",
            "[CLUSTER] | --draft NAME [--as NAME] [--save] [connection options as of connect]", runClusters,
            RANKWRIGHT_LOGIN_OPTIONS " draft= as= save", 0, 1},
        modelsCommand(),
        {"script", "Write the batch script of a design", "DESIGN", runScript, "", 1, 1},
        checkCommand(),
        readCommand(),
        parseCommand(),
        {"cost", "Tell what a design costs by the site's own formula", "DESIGN [--budget UNITS]", runCost, "budget=", 1,
            1},
        {"bind", "Show the node, GPU, NUMA domain and cores of every rank",
            "DESIGN [--order GPU,GPU,...] [--gpus-per-task N] [--all-threads]", runBind,
            "order= gpus-per-task= all-threads", 1, 1},
        batchCommand(),
        recordingsCommand(),
    };
    return commands + planCommands();
}

} // namespace rankwright
