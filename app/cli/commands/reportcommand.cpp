// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clilogin.h"
#include "app/cli/commands/reportprinter.h"
#include "app/jobfile/jobfilereport.h"
#include "app/recording/endedrecord.h"
#include "app/store/measuredruns.h"
#include "app/store/recordings.h"
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

/// Without the cluster. Empty: not everything asked for is kept.
std::optional<int> reportKept(const CliContext& context, const QString& cluster, const QStringList& jobs, bool insist)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    auto database = Database::openOrCopy(folder);
    if (!database)
        return insist ? std::optional(report(context, database.error())) : std::nullopt;
    JobLog log(**database);
    ReportMaker maker(context.catalogue, &log, folder);
    maker.setLearned(MeasuredRuns(**database).load().valueOr({}));
    if (!insist && !maker.canOffline(cluster, jobs))
        return {};
    const auto made = maker.makeOfflineNow(cluster, jobs);
    if (!made)
        return report(context, made.error(), made.error().fault == Fault::Invalid ? ExitNo : ExitUsage);
    context.err << keptText(*made);
    return printReports(*made, context, cluster);
}

int reportAsked(const CliContext& context, CliLogin& login, const QString& cluster, const QStringList& jobs)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    ReportMaker maker(context.catalogue, &login.jobLog(), folder);
    maker.setLearned(login.measuredRuns());
    ClusterSession& session = login.session();
    EndedRecord records(session.shell(), recordingsFolder(folder));
    QString me;
    const auto isOfOther
        = [&me](const JobRecord& job) { return !me.isEmpty() && !job.user.isEmpty() && job.user != me; };
    maker.setRecordSource([&](const QString& name, const QList<JobRecord>& ended, QObject*, const auto& then) {
        QList<RecordingFacts> facts;
        for (const JobRecord& job : ended) {
            if (!isOfOther(job))
                facts.append(factsOf(name, &session.profile(), job));
        }
        records.bring(facts, [then](qint64) { then(); });
    });
    const auto finish = [&](const Result<JobReports>& made) {
        if (!made) {
            login.finish(made.error());
            return;
        }
        JobReports shown = *made;
        for (const EfficiencyReport& one : made->reports) {
            if (isOfOther(one.job))
                shown.notes.append(
                    u"job %1 is %2's, not yours (%3): only what Slurm shows to everybody is reported"_s.arg(
                        one.job.id, one.job.user, me));
        }
        login.finish(printReports(shown, context, cluster));
    };
    login.askUser([&](const QString& user) {
        me = user;
        maker.make(session.client(), session.shell(), cluster, jobs, SumUp::All, &login, finish);
    });
    return login.wait();
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
    if (const auto fault = reportFormatFault(context))
        return report(context, *fault);
    const QString cluster = context.positional.value(0);
    if (context.positional.size() == 1)
        return cluster.endsWith(jobFileSuffix)
            ? reportOpened(context, cluster)
            : report(context,
                {Fault::Invalid, u"report takes CLUSTER JOB..., or a job file"_s, cluster,
                    u"name the job, or a file that ends in "_s + jobFileSuffix});
    QStringList jobs;
    for (const QString& job : context.positional.mid(1)) {
        if (const auto fault = jobIdFault(job))
            return report(context, *fault);
        if (!jobs.contains(job))
            jobs.append(job);
    }
    if (!context.catalogue.find(cluster))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue."_s.arg(cluster), {},
                u"Choose one of "_s + context.catalogue.names().join(u", "_s)});
    if (context.has(u"offline"_s))
        return reportKept(context, cluster, jobs, true).value_or(ExitNo);
    CliLogin login(context);
    const auto failed = login.connectTo(cluster);
    if (!failed)
        return reportAsked(context, login, cluster, jobs);
    if (*failed != ExitUnreachable)
        return *failed;
    return reportKept(context, cluster, jobs, false).value_or(*failed);
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
