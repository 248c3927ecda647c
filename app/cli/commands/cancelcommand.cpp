// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/cluster/slurm/slurmcommands.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int runCancel(const CliContext& context)
{
    const QString job = context.positional.value(1);
    if (const auto fault = jobIdFault(job))
        return report(context, *fault);
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    ClusterSession& session = login.session();
    session.cancelJob(job, &login, [&](const Result<void>& done) {
        if (!done) {
            login.finish(done.error());
            return;
        }
        // What became of it is reported, not assumed: a job may have ended by itself just before.
        session.client().job(job, &login, [&](const Result<JobRecord>& record) {
            if (!record && record.error().fault == Fault::Invalid) { // scancel of an unknown id can end with 0
                login.finish(record.error());
                return;
            }
            if (context.json)
                printJson(context.out,
                    record ? jobRecordJson(*record) : QJsonObject{{u"jobId"_s, job}, {u"state"_s, QJsonValue()}});
            else
                context.out << u"job "_s << job << u": "_s
                            << (record ? toText(record->state) : u"cancelled, state not reported"_s) << u'\n';
            login.finish(ExitDone);
        });
    });
    return login.wait();
}

} // namespace

CliCommand cancelCommand()
{
    return {
        .name = "cancel",
        .summary = "Cancel a job",
        .words = "CLUSTER JOB",
        .run = runCancel,
        .options = loginOptions(),
        .minimumWords = 2,
        .maximumWords = 2,
    };
}

} // namespace rankwright
