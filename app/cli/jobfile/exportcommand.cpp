// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/base/datafolder.h"
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/jobfile/memberlist.h"
#include "app/jobfile/jobfiledraft.h"
#include "app/jobfile/outputends.h"
#include "app/recording/endedrecord.h"
#include "app/store/measuredruns.h"
#include "app/store/recordings.h"
#include "models/cluster/slurm/slurmcommands.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int writeJobFile(const CliContext& context, const JobFileParts& parts)
{
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

/// Without the cluster. Empty: nothing is kept of it.
std::optional<int> exportKept(const CliContext& context, const QString& cluster, const JobId& job, bool insist)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    auto database = Database::openOrCopy(folder);
    if (!database)
        return insist ? std::optional(report(context, database.error())) : std::nullopt;
    JobLog log(**database);
    ReportMaker maker(context.catalogue, &log, folder);
    maker.setLearned(MeasuredRuns(**database).load().valueOr({}));
    if (!insist && !maker.canOffline(cluster, {job}))
        return {};
    const auto made = maker.makeOfflineNow(cluster, {job});
    if (!made)
        return report(context, made.error(), ExitNo);
    if (const auto fault = partsFault(*made, job))
        return report(context, *fault);
    if (!context.has(u"no-output"_s))
        context.err << u"rankwright-cli: made from what is kept on this machine; the job's output lies on the "
                       "cluster and is not in it\n"_s;
    return writeJobFile(context, keptParts(folder, &log, context.catalogue.find(cluster), cluster, *made));
}

int exportAsked(const CliContext& context, CliLogin& login, const QString& cluster, const JobId& job)
{
    const QString folder = dataFolderPath(context.option(u"data-dir"_s));
    ReportMaker maker(context.catalogue, &login.jobLog(), folder);
    maker.setLearned(login.measuredRuns());
    ClusterSession& session = login.session();
    EndedRecord records(session.shell(), recordingsFolder(folder));
    QString me;
    maker.setRecordSource([&](const QString& name, const QList<JobRecord>& ended, QObject*, const auto& then) {
        QList<RecordingFacts> facts;
        for (const JobRecord& record : ended) {
            if (me.isEmpty() || record.user.isEmpty() || record.user == me)
                facts.append(factsOf(name, &session.profile(), record));
        }
        records.bring(facts, [then](qint64) { then(); });
    });
    const auto write = [&](const JobReports& made) {
        auto parts
            = std::make_shared<JobFileParts>(keptParts(folder, &login.jobLog(), &session.profile(), cluster, made));
        const JobRecord record = made.reports.first().job;
        if (context.has(u"no-output"_s) || isWaiting(record.state)) {
            login.finish(writeJobFile(context, *parts));
            return;
        }
        readOutputEnds(session.shell(), record, &login, [&, parts](const Result<JobOutputEnds>& ends) {
            if (ends) {
                parts->outputs = ends->outputs;
                if (parts->script.isEmpty())
                    parts->script = ends->script;
            } else {
                context.err << u"rankwright-cli: the job's output could not be read: "_s << ends.error().oneLine()
                            << u'\n';
            }
            login.finish(writeJobFile(context, *parts));
        });
    };
    const auto finish = [&](const Result<JobReports>& made) {
        if (!made) {
            login.finish(made.error());
            return;
        }
        for (const QString& note : made->notes)
            context.err << u"rankwright-cli: "_s << note << u'\n';
        if (const auto fault = partsFault(*made, job))
            login.finish(report(context, *fault));
        else
            write(*made);
    };
    login.askUser([&](const QString& user) {
        me = user;
        maker.make(session.client(), session.shell(), cluster, {job}, SumUp::All, &login, finish);
    });
    return login.wait();
}

int runExport(const CliContext& context)
{
    const QString cluster = context.positional.value(0);
    const JobId job = context.positional.value(1);
    if (const auto fault = jobIdFault(job))
        return report(context, *fault);
    if (!context.catalogue.find(cluster))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue."_s.arg(cluster), {},
                u"Choose one of "_s + context.catalogue.names().join(u", "_s)});
    if (context.has(u"offline"_s))
        return exportKept(context, cluster, job, true).value_or(ExitNo);
    CliLogin login(context);
    const auto failed = login.connectTo(cluster);
    if (!failed)
        return exportAsked(context, login, cluster, job);
    if (*failed != ExitUnreachable)
        return *failed;
    return exportKept(context, cluster, job, false).value_or(*failed);
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
