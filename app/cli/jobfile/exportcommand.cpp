// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clioutput.h"
#include "app/cli/jobfile/askedreports.h"
#include "app/cli/jobfile/memberlist.h"
#include "app/jobfile/jobfiledraft.h"
#include "app/jobfile/jobfilewords.h"
#include "app/jobfile/outputends.h"
#include "models/cluster/slurm/slurmcommands.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int writeJobFile(const CliContext& context, JobFileParts parts)
{
    if (context.has(u"no-output"_s))
        parts.outputs.clear();
    const auto draft = JobFileDraft::make(parts);
    if (!draft)
        return report(context, draft.error(), ExitNo);
    const JobFileManifest& manifest = (*draft)->manifest();
    const QString path = context.option(u"output"_s, jobFileName(parts.cluster, manifest.job.id));
    if (const auto written = (*draft)->write(path); !written)
        return report(context, written.error());
    for (const QString& note : (*draft)->notes())
        context.err << u"rankwright-cli: "_s << note << u'\n';
    if (context.json) {
        printJson(context.out,
            QJsonObject{{u"file"_s, path}, {u"bytes"_s, double((*draft)->bytes())}, {u"cluster"_s, parts.cluster},
                {u"jobId"_s, manifest.job.id}, {u"secretsLeftOut"_s, manifest.secretsLeftOut},
                {u"members"_s, membersJson(manifest)}, {u"notes"_s, QJsonArray::fromStringList((*draft)->notes())}});
        return ExitDone;
    }
    context.out << u"%1: %2\n"_s.arg(path, humanBytes(Bytes{(*draft)->bytes()}));
    printMembers(manifest, context.out);
    const QString left = secretsText(manifest);
    context.out << left << (left.isEmpty() ? QString() : u" "_s)
                << u"Look through it before you give it away: rankwright-cli open %1\n"_s.arg(path);
    return ExitDone;
}

/// One job, not an array of them.
std::optional<Error> partsFault(const JobReports& made, const JobId& job)
{
    if (made.reports.size() == 1)
        return {};
    const JobId first = made.reports.isEmpty() ? job : made.reports.first().job.id;
    return Error{Fault::Invalid, u"%1 is an array of %2 tasks."_s.arg(job).arg(made.reports.size()), {},
        u"Name one: %1."_s.arg(first)};
}

int exportKept(const CliContext& context, const ReportTask& task, const JobLog& log, const Result<JobReports>& made)
{
    if (!made)
        return report(context, made.error(), ExitNo);
    if (const auto fault = partsFault(*made, task.jobs.first()))
        return report(context, *fault);
    const JobFileParts parts = keptParts(
        dataFolderPath(context.option(u"data-dir"_s)), &log, context.catalogue.find(task.cluster), task.cluster, *made);
    if (!context.has(u"no-output"_s) && parts.outputs.isEmpty())
        context.err << u"rankwright-cli: made from what is kept on this machine; the job's output lies on the "
                       "cluster and is not in it\n"_s;
    return writeJobFile(context, parts);
}

void exportAsked(const CliContext& context, CliLogin& login, const ReportTask& task, const JobReports& made)
{
    for (const QString& note : made.notes)
        context.err << u"rankwright-cli: "_s << note << u'\n';
    if (const auto fault = partsFault(made, task.jobs.first())) {
        login.finish(report(context, *fault));
        return;
    }
    ClusterSession& session = login.session();
    auto parts = std::make_shared<JobFileParts>(keptParts(
        dataFolderPath(context.option(u"data-dir"_s)), &login.jobLog(), &session.profile(), task.cluster, made));
    const JobRecord record = made.reports.first().job;
    if (context.has(u"no-output"_s) || isWaiting(record.state)) {
        login.finish(writeJobFile(context, *parts));
        return;
    }
    readOutputEnds(session.shell(), record, &login, [&context, &login, parts](const Result<JobOutputEnds>& ends) {
        if (ends)
            parts->addOutputs(*ends);
        else
            context.err << u"rankwright-cli: the job's output could not be read: "_s << ends.error().oneLine() << u'\n';
        login.finish(writeJobFile(context, *parts));
    });
}

int runExport(const CliContext& context)
{
    ReportTask task;
    task.cluster = context.positional.value(0);
    task.jobs = {context.positional.value(1)};
    if (const auto fault = jobIdFault(task.jobs.first()))
        return report(context, *fault);
    task.asked
        = [&](CliLogin& login, const JobReports& made, const QString&) { exportAsked(context, login, task, made); };
    task.kept = [&](const JobLog& log, const Result<JobReports>& made) { return exportKept(context, task, log, made); };
    return runReportTask(context, task);
}

} // namespace

CliCommand exportCommand()
{
    return {
        .name = "export",
        .summary = "A job as one file for a colleague or a help desk, without its secrets",
        .words = "CLUSTER JOB",
        .run = runExport,
        .options = loginOptions({
            {.name = "output", .value = "FILE.rwjob", .text = "into this file (CLUSTER-JOB.rwjob)"},
            {.name = "no-output", .text = "without the ends of the job's output files"},
            {.name = "offline", .text = "from what this machine keeps, without a connection"},
        }),
        .minimumWords = 2,
        .maximumWords = 2,
    };
}

} // namespace rankwright
