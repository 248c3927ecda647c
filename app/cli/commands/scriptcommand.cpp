// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/designfile.h"
#include "models/script/write/scriptwriter.h"

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

CliCommand scriptCommand()
{
    return {
        .name = "script",
        .summary = "Write the batch script of a design",
        .words = "DESIGN",
        .run = runScript,
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
