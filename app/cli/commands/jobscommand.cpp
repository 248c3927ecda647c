// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "models/insight/diagnosis/explain.h"
#include "models/slurm/jobrecordjson.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int printJobs(QList<JobRecord> jobs, const CliContext& context)
{
    std::stable_sort(
        jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return a.submitted > b.submitted; });
    const TextTable table({u"job"_s, u"name"_s, u"partition"_s, u"state"_s, u"nodes"_s, u"elapsed"_s, u"note"_s});
    printRecords(context.out, context.json, jobs, jobRecordJson, table, [](TextTable& rows, const JobRecord& job) {
        const QString note = hasEnded(job.state) ? explainOutcome(job)
            : job.reason.isEmpty()               ? QString()
                                                 : explainPendingReason(job.reason);
        rows.add({job.id, job.name, job.partition, toText(job.state), job.nodes ? QString::number(*job.nodes) : u"?"_s,
            job.elapsed ? slurmTime(*job.elapsed) : QString(), note});
    });
    return ExitDone;
}

int runJobs(const CliContext& context)
{
    bool good = true;
    const int days = context.has(u"past"_s) ? context.option(u"past"_s).toInt(&good) : 0;
    if (!good || days < 0 || days > 365)
        return report(context,
            {Fault::Invalid, u"--past %1 is not a number of days."_s.arg(context.option(u"past"_s)), {},
                u"Give 0 to 365."_s});
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    SlurmClient& client = login.session().client();
    client.queue(&login, [&](const Result<QList<JobRecord>>& queue) {
        if (!queue || days == 0) {
            if (queue)
                login.finish(printJobs(*queue, context));
            else
                login.finish(queue.error());
            return;
        }
        client.history(days, &login, [&login, &context, jobs = *queue](const Result<QList<JobRecord>>& history) {
            if (!history) {
                login.finish(history.error());
                return;
            }
            QList<JobRecord> all = jobs;
            QSet<JobId> seen;
            for (const JobRecord& job : jobs)
                seen.insert(job.id);
            for (const JobRecord& job : *history) {
                if (!seen.contains(job.id))
                    all.append(job);
            }
            login.finish(printJobs(all, context));
        });
    });
    return login.wait();
}

} // namespace

CliCommand jobsCommand()
{
    return {
        .name = "jobs",
        .summary = "The queue, with --past also what ended",
        .words = "CLUSTER",
        .run = runJobs,
        .options = loginOptions({
            {.name = "past", .value = "DAYS", .text = "also the jobs that ended in the last DAYS days"},
        }),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
