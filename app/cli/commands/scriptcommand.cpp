// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/designfile.h"
#include "app/cli/harmlessoutput.h"
#include "app/cli/ownruns.h"
#include "models/script/document/design.h"
#include "models/script/write/overrides.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runScript(const CliContext& context)
{
    const Result<LoadedDesign> design = loadDesign(context);
    if (!design)
        return report(context, design.error());
    // Corrected as in check and submit: all three know the same findings.
    const Derived derived = derive(design->resolved.spec, *design->profile, ownRuns(context));
    const Result<QByteArray> script = scriptFile(derived.script.text(), design->resolved.spec.overrides);
    if (!script)
        return report(context, script.error());
    writeExactly(context.out, *script);
    int code = ExitDone;
    for (const Finding& finding : derived.findings()) {
        if (finding.severity == Severity::Error)
            code = report(context, {Fault::Invalid, finding.text, {}, finding.fixLabels().join(u", or: "_s)}, ExitNo);
        else if (finding.slug == slug::sizeByModel)
            context.err << finding.text << u'\n';
    }
    return code;
}

} // namespace

CliCommand scriptCommand()
{
    return {
        .name = "script",
        .summary = "Write the batch script of a design",
        .words = "DESIGN",
        .run = runScript,
        .options = withOwnRuns({}),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
