// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/cli/commands/reportprinter.h"
#include "app/cli/jobfile/askedreports.h"
#include "app/jobfile/jobfilereport.h"
#include "models/cluster/slurm/slurmcommands.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString keptText(const JobReports& made)
{
    return made.keptSince.isValid() ? u"rankwright-cli: the report uses what was kept on this machine on %1.\n"_s.arg(
               made.keptSince.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'"_s))
                                    : u"rankwright-cli: the report uses what was kept on this machine.\n"_s;
}

int reportKept(const CliContext& context, const QString& cluster, const Result<JobReports>& made)
{
    if (!made)
        return report(context, made.error(), made.error().fault == Fault::Invalid ? ExitNo : ExitUsage);
    context.err << keptText(*made);
    return printReports(*made, context, cluster);
}

int reportAsked(const CliContext& context, const QString& cluster, const JobReports& made, const QString& me)
{
    JobReports shown = made;
    for (const EfficiencyReport& one : made.reports) {
        if (!me.isEmpty() && !one.job.user.isEmpty() && one.job.user != me)
            shown.notes.append(u"job %1 is %2's, not yours (%3): only what Slurm shows to everybody is reported"_s.arg(
                one.job.id, one.job.user, me));
    }
    return printReports(shown, context, cluster);
}

/// From a job file that somebody made.
int reportOpened(const CliContext& context, const QString& path)
{
    const auto file = JobFile::open(path);
    if (!file)
        return report(context, file.error());
    const auto made = reportOf(**file, context.catalogue);
    return made ? printReports(*made, context, (*file)->manifest().cluster) : report(context, made.error(), ExitNo);
}

int runReport(const CliContext& context)
{
    if (const auto format = reportFormat(context); !format)
        return report(context, format.error());
    const QString cluster = context.positional.value(0);
    if (context.positional.size() == 1)
        return cluster.endsWith(jobFileSuffix)
            ? reportOpened(context, cluster)
            : report(context,
                {Fault::Invalid, u"report takes CLUSTER JOB..., or a job file"_s, cluster,
                    u"name the job, or a file that ends in "_s + jobFileSuffix});
    ReportTask task;
    task.cluster = cluster;
    for (const QString& job : context.positional.mid(1)) {
        if (const auto fault = jobIdFault(job))
            return report(context, *fault);
        if (!task.jobs.contains(job))
            task.jobs.append(job);
    }
    task.asked = [&](CliLogin& login, const JobReports& made, const QString& me) {
        login.finish(reportAsked(context, cluster, made, me));
    };
    task.kept = [&](const JobLog&, const Result<JobReports>& made) { return reportKept(context, cluster, made); };
    return runReportTask(context, task);
}

} // namespace

CliCommand reportCommand()
{
    return {
        .name = "report",
        .summary = "What jobs used, how well, what to ask for next time; the speed-up over several",
        .words = "CLUSTER JOB... | FILE.rwjob",
        .run = runReport,
        .options = loginOptions({
            reportFormatOption(),
            {.name = "markdown", .value = "FILE|-", .text = "write the report as Markdown"},
            {.name = "offline", .text = "from what this machine keeps, without a connection"},
        }),
        .minimumWords = 1,
    };
}

} // namespace rankwright
