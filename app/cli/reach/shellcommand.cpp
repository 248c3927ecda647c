// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/reach/joboncluster.h"
#include "app/cli/reach/terminalsession.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runShell(const CliContext& context)
{
    const auto place = NodeChoice::read(context);
    if (!place)
        return report(context, place.error());
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    TerminalSession session;
    QObject::connect(&session, &TerminalSession::ended, &login, [&login](const Result<int>& status) {
        if (status)
            login.finish(*status);
        else
            login.finish(status.error());
    });
    login.onInterruption([&] {
        session.restore();
        login.finish(ExitNo);
    });
    findNode(login, *place, [&](const JobRecord&, const NodeStep& step) {
        if (session.terminal()) {
            context.err << u"rankwright-cli: a shell on %1 inside job %2; ~. after a line break closes it\n"_s.arg(
                step.node, place->job);
            context.err.flush();
        }
        session.run(login.session().shell().start(shellCommand(step, session.terminal(), context.positional.mid(2))));
    });
    return login.wait();
}

} // namespace

CliCommand shellCommand()
{
    return {
        .name = "shell",
        .summary = "Open a shell on a node of a running job, inside its allocation (srun --overlap)",
        .words = "CLUSTER JOB [-- COMMAND ...]",
        .run = runShell,
        .options = loginOptions({
            {.name = "node", .value = "NODE", .text = "which of the job's nodes; without it the first"},
            {.name = "rank", .value = "N", .text = "the node of this rank"},
        }),
        .minimumWords = 2,
    };
}

} // namespace rankwright
