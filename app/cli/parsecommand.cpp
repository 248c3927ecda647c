// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parsecommand.h"

#include "app/cli/parselogcommand.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runParse(const CliContext& context)
{
    const QString what = context.positional.first();
    if (what == u"log"_s)
        return runParseLog(context);
    return report(context,
        {Fault::Invalid, u"“%1” is nothing that parse reads."_s.arg(what.left(60)), {}, u"Use parse log < OUTPUT."_s});
}

} // namespace

CliCommand parseCommand()
{
    return {"parse", "Read a job's output: progress, and the cause of a failure", "log [FILE] < OUTPUT", runParse, "",
        1, 2};
}

} // namespace rankwright
